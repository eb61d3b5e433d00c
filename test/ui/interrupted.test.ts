/** What a reader does while something else is under way: nothing that was typed is lost, and nothing goes where it does not belong. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchList } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import { hasNoBrowser, openBrowser, openPage } from '../support/browser/browser.ts';
import { ask, question, searchIdOf, slowly, waitForAnswer } from '../support/browser/chat.ts';
import { headingOf, openDashboard } from '../support/browser/dashboard.ts';
import { createDeferred } from '../support/deferred.ts';
import { createDesign } from '../support/design.ts';
import { type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(hasNoBrowser)('a page that is interrupted', () => {
  let model: ModelServer;
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    model = await startModelServer(slowly(1));
    app = await startTestApp({ MODELS: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await model.close();
  });

  /** Holds calls to this path until the returned function is called. */
  async function hold(page: Page, path: RegExp): Promise<() => void> {
    const letThrough = createDeferred();
    await page.route(path, async (route) => {
      await letThrough.promise;
      await route.continue();
    });
    return letThrough.resolve;
  }

  /** Meanwhile the model answers nothing; `isAsked` resolves when it is asked. */
  async function withEndlessModel(work: (isAsked: Promise<unknown>) => Promise<void>): Promise<void> {
    const { script } = model;
    const asked = createDeferred();
    model.script = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    await work(asked.promise).finally(() => {
      model.script = script;
    });
  }

  it('sends no question while a thread is opened, and then asks it there', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const letThrough = await hold(page, /\/v1\/threads\/s_/);
    await page.reload();
    await page.getByText('Opening').first().waitFor();
    await ask(page, 'And when was it first lit?');
    await page.getByText('Your question will be asked next.').waitFor();
    expect(await page.getByLabel('Your question').inputValue()).toBe('And when was it first lit?');
    letThrough();
    await expect
      .poll(() => page.locator('.question').allTextContents())
      .toEqual([question, 'And when was it first lit?']);
    await waitForAnswer(page);
  });

  it('shows what a stopped answer had found, and why it was stopped, once its events are gone', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.route(/\/v1\/search\/s_/, async (route) => {
      if (route.request().headers().accept?.includes('event-stream') === true)
        return route.fulfill({ status: 410, json: { error: { code: 'gone', message: 'Gone.', retryable: false } } });
      const response = await route.fetch();
      const { result, status: _, ...record } = (await response.json()) as Record<string, unknown>;
      const partial = { answer: 'Half of an answer.', citations: [] };
      await route.fulfill({ response, json: { ...record, state: 'cancelled', by: 'admin', partial } });
    });
    await page.reload();
    await page.locator('.prose').getByText('Half of an answer.').waitFor();
    await page.getByText('The server was shut down.').waitFor();
    await page.getByText('Everything found so far is shown above.').waitFor();
  });

  it('follows up on the last answer after a question that was stopped before it began', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'busy', plan: 'starter' });
    const key = { 'x-api-key': plaintext };
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    const shown = () => page.locator('.question').allTextContents();
    await ask(page);
    await waitForAnswer(page);
    const others: string[] = [];
    await withEndlessModel(async () => {
      for (let n = 0; n < plans.starter.searches_per_key; n += 1) {
        const begun = await app.post('/v1/search', { prompt: question, background: true }, key);
        others.push(((await begun.json()) as { search_id: string }).search_id);
      }
      await ask(page, 'Who paid for it?');
      await page.getByText('Waiting for capacity').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped', { exact: true }).waitFor();
      for (const id of others) await fetch(`${app.url}/v1/search/${id}`, { method: 'DELETE', headers: key });
    });
    await ask(page, 'And when was it first lit?');
    await expect.poll(shown).toEqual([question, 'And when was it first lit?']);
    await waitForAnswer(page);
    await page.reload();
    await expect.poll(shown).toEqual([question, 'And when was it first lit?']);
  });

  it('keeps a question that has not begun when the page is loaded again, with its options', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'full', plan: 'starter' });
    const key = { 'x-api-key': plaintext };
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    const box = page.getByLabel('Your question');
    const waiting = page.getByText('Waiting for capacity');
    const only = page.getByText('dams.example', { exact: true });
    const others: string[] = [];
    await withEndlessModel(async () => {
      for (let n = 0; n < plans.starter.searches_per_key; n += 1) {
        const begun = await app.post('/v1/search', { prompt: question, background: true }, key);
        others.push(((await begun.json()) as { search_id: string }).search_id);
      }
      await page.getByLabel('Effort').selectOption('deep');
      await page.getByRole('button', { name: 'Sources', exact: true }).click();
      await page.getByRole('radio', { name: 'Only these' }).check();
      await page.getByLabel('Sites and pages').fill('dams.example');
      await page.keyboard.press('Enter');
      await only.waitFor();
      await page
        .locator('input[accept="image/*"]')
        .setInputFiles({ name: 'dam.png', mimeType: 'image/png', buffer: Buffer.from(onePixel, 'base64') });
      await page.locator('.composer').getByRole('img', { name: 'Attached to the question' }).waitFor();
      await ask(page, 'Who paid for the dam?');
      await waiting.waitFor();
      expect(await box.inputValue()).toBe('');
      await page.reload();
      await expect.poll(() => box.inputValue()).toBe('Who paid for the dam?');
      await page.locator('.composer').getByRole('img', { name: 'Attached to the question' }).waitFor();
      expect(await page.getByLabel('Effort').inputValue()).toBe('deep');
      await page.getByRole('button', { name: /^Sources/ }).click();
      await only.waitFor();
      // What is being written comes first.
      await page.keyboard.press('Escape');
      await box.press('Enter');
      await waiting.waitFor();
      await box.fill('And who built it?');
      await page.reload();
      await expect.poll(() => box.inputValue()).toBe('And who built it?');
      for (const id of others) await fetch(`${app.url}/v1/search/${id}`, { method: 'DELETE', headers: key });
    });
  });

  /** Meanwhile the plan has no room for another search of this key. */
  async function withFullPlan(plaintext: string, work: () => Promise<void>): Promise<void> {
    const key = { 'x-api-key': plaintext };
    const others: string[] = [];
    await withEndlessModel(async () => {
      for (let n = 0; n < plans.starter.searches_per_key; n += 1) {
        const begun = await app.post('/v1/search', { prompt: question, background: true }, key);
        others.push(((await begun.json()) as { search_id: string }).search_id);
      }
      await work();
      for (const id of others) await fetch(`${app.url}/v1/search/${id}`, { method: 'DELETE', headers: key });
    });
  }

  it('keeps the collections of a question that has not begun, and of one that is being written', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'collector', plan: 'starter' });
    const key = { 'x-api-key': plaintext };
    const made = await app.post('/v1/collections', { name: 'Handbook' }, key);
    const { collection_id } = (await made.json()) as { collection_id: string };
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    const box = page.getByLabel('Your question');
    const sources = page.getByRole('button', { name: /^Sources/ });
    const choice = page.getByRole('checkbox', { name: 'Handbook', exact: true });
    const isChosen = async (chosen = true) => {
      await sources.click();
      await choice.waitFor();
      await expect.poll(() => choice.isChecked()).toBe(chosen);
      await sources.click();
    };
    await withFullPlan(plaintext, async () => {
      await sources.click();
      await choice.check();
      await sources.click();
      await ask(page, 'What colour is the ferry?');
      await page.getByText('Waiting for capacity').waitFor();
      await page.reload();
      await expect.poll(() => box.inputValue()).toBe('What colour is the ferry?');
      await isChosen();
      await box.fill('What colour is the boat?');
      await page.reload();
      await expect.poll(() => box.inputValue()).toBe('What colour is the boat?');
      await isChosen();
    });
    await ask(page, 'What colour is the boat?');
    await expect.poll(() => page.url()).toContain('search=');
    const thread = await app.get(`/v1/threads/${searchIdOf(page)}`, key);
    expect(await thread.json()).toMatchObject({ turns: [{ request: { collections: [collection_id] } }] });
    // A thread has its own, unless others were chosen in it.
    await box.fill('And the oar?');
    const letThrough = await hold(page, /\/v1\/threads\/s_/);
    await page.reload();
    await page.getByText('Opening').first().waitFor();
    await page.reload();
    letThrough();
    await page.locator('.question').first().waitFor();
    await isChosen();
    await sources.click();
    await choice.uncheck();
    await page.reload();
    await page.locator('.question').first().waitFor();
    expect(await box.inputValue()).toBe('And the oar?');
    await isChosen(false);
  });

  it('asks a question once whose beginning the page did not hear of before it was loaded again', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'once', plan: 'pro' });
    const key = { 'x-api-key': plaintext };
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    const box = page.getByLabel('Your question');
    const searches = async () =>
      ((await (await app.get('/v1/search', key)).json()) as SearchList).items.map(({ search_id }) => search_id);
    let isDeaf = true;
    await page.context().routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => server.send(message));
      server.onMessage((message) => {
        if (!isDeaf || !String(message).includes('"search.')) socket.send(message);
      });
    });
    await page.reload();
    for (const [nth, prompt] of [question, 'And when was it first lit?'].entries()) {
      isDeaf = true;
      await page.reload();
      await ask(page, prompt);
      await expect.poll(async () => (await searches()).length).toBe(nth + 1);
      isDeaf = false;
      await page.reload();
      await expect.poll(() => box.inputValue()).toBe(prompt);
      await expect.poll(() => page.locator('.question').count()).toBe(nth);
      await box.press('Enter');
      await expect.poll(() => page.locator('.question').count()).toBe(nth + 1);
      await waitForAnswer(page);
      expect((await searches())[0]).toBe(searchIdOf(page));
      expect(await searches()).toHaveLength(nth + 1);
    }
    // It is no second version of itself.
    expect(await page.getByText(/^\d of \d$/).count()).toBe(0);
    // The same words are another question after that.
    await ask(page, 'And when was it first lit?');
    await expect.poll(async () => (await searches()).length).toBe(3);
  });

  it('does not bring a question back that was stopped before it began', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'stopper', plan: 'starter' });
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    const box = page.getByLabel('Your question');
    await withFullPlan(plaintext, async () => {
      await ask(page, 'Who paid for the dam?');
      await page.getByText('Waiting for capacity').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped', { exact: true }).waitFor();
      await page.reload();
      await page.getByText('Your threads will appear here.').waitFor();
      expect(await box.inputValue()).toBe('');
    });
  });

  it('asks the question of an address with the model that this browser chose', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await page.getByLabel('Model', { exact: true }).selectOption('extractive');
    const letThrough = await hold(page, /\/v1\/capabilities/);
    await page.goto(`${app.url}/?q=${encodeURIComponent(question)}`);
    await page.getByLabel('Your question').waitFor();
    letThrough();
    await waitForAnswer(page);
    const stored = await (await app.get(`/v1/search/${searchIdOf(page)}`)).json();
    expect(stored).toMatchObject({ usage: { models: ['extractive'] } });
  });

  it('asks before the Back button leaves a design that is not saved', async () => {
    await using opened = await openDashboard(browser, app, '/designs');
    const { page } = opened;
    await page.getByRole('button', { name: 'New design' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Unsaved');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await page.goBack();
    await expect.poll(() => asked).toEqual(['confirm']);
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Unsaved');
    expect(new URL(page.url()).pathname).toBe('/dashboard/designs/new');
    await page.goBack();
    await headingOf(opened, 'Designs').waitFor();
  });

  it('publishes nothing once its dialog was cancelled, however far its examples were', async () => {
    const { api_id } = await createDesign(app, { name: 'Stopped', api_stub: 'stopped' });
    await using opened = await openDashboard(browser, app, `/designs/${api_id}`);
    const { page } = opened;
    await withEndlessModel(async (isAsked) => {
      await page.getByRole('button', { name: 'Publish…' }).click();
      await page.getByRole('button', { name: 'Publish version 1' }).click();
      await isAsked;
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      const newest = async () => ((await (await app.get('/v1/search?limit=1')).json()) as SearchList).items[0]?.state;
      await expect.poll(newest).toBe('cancelled');
    });
    expect((await app.get('/v1/published-service/stopped')).status).toBe(404);
  });

  it('asks before it leaves what was typed while a design was saved', async () => {
    const design = { name: 'Typed on', api_stub: 'typed-on', prompt: 'Who designed the lighthouse?', inputs: {} };
    const { api_id } = (await (await app.post('/v1/design-api', design)).json()) as { api_id: string };
    await using opened = await openDashboard(browser, app, `/designs/${api_id}`);
    const { page } = opened;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Typed on and on');
    const letSave = await hold(page, /\/v1\/design-api\//);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await name.fill('Typed on and on and on');
    letSave();
    await page.getByText('Saved').first().waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Keys' }).click();
    await expect.poll(() => asked).toEqual(['confirm']);
    expect(await name.inputValue()).toBe('Typed on and on and on');
  });

  it('says that it could not sign out, and counts a session that has ended as signed out', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.toast').first().waitFor();
    await page.getByLabel('Your question').waitFor();
    await page.context().setOffline(false);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
  });
});
