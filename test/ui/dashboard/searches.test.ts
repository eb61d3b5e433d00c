/** The Searches page in a real browser: how searches came and ended, filters, search and the export. */

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { goodModel, startModelServer } from '../../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

describe.skipIf(hasNoBrowser)('the Searches page', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
    const { plaintext } = await app.accounts.createKey({ name: 'robot', account: developmentAccount });
    const key = { 'x-api-key': plaintext };
    await app.post('/v1/search', { prompt }, key);
    await app.post('/v1/search', { prompt: 'What is xyzzyplugh?' });
    const events = await app.post('/v1/search', { prompt: '=1+1, "quoted"' }, { accept: 'text/event-stream' });
    await events.text();
    const messages = [{ role: 'user', content: 'Through the door of OpenAI?' }];
    await app.post('/v1/chat/completions', { model: 'citewire', messages }, key);
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const titles = ['Through the door of OpenAI?', '=1+1, "quoted"', 'What is xyzzyplugh?', prompt];

  it('shows outcome, door, key and duration of each search', async () => {
    await using opened = await openDashboard(browser, app, '/searches');
    const rows = opened.page.getByRole('list', { name: 'Searches' }).getByRole('listitem');
    await rows.getByText('robot').first().waitFor();
    expect(await rows.getByRole('link').allTextContents()).toEqual(titles);
    expect(await rows.nth(0).textContent()).toMatch(/OpenAI chat completionsrobot/);
    expect(await rows.nth(1).textContent()).toMatch(/Event stream/);
    expect(await rows.nth(3).textContent()).toMatch(/(ms|s)HTTProbotanswered$/);
    expect(opened.problems).toEqual([]);
  });

  it('selects by outcome, door, key and words, and keeps the selection in the address', async () => {
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    const links = page.getByRole('list', { name: 'Searches' }).getByRole('link');
    const listed = () => links.allTextContents();
    await expect.poll(listed).toEqual(titles);
    await page.getByLabel('Key').selectOption('robot');
    await expect.poll(listed).toEqual([titles[0], prompt]);
    await page.getByLabel('Channel').selectOption('HTTP');
    await expect.poll(listed).toEqual([prompt]);
    await page.getByLabel('Outcome').selectOption('Answered');
    await page.getByLabel('Time').selectOption('Last hour');
    await expect.poll(() => page.url()).toContain('outcome=answered');
    await page.reload();
    await expect.poll(listed).toEqual([prompt]);
    await page.getByLabel('Words of the question').fill('heron LIGHTHOUSE');
    await expect.poll(() => page.url()).toContain('q=heron');
    await expect.poll(listed).toEqual([prompt]);
    await page.getByLabel('Words of the question').fill('heron nothing');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(listed).toEqual(titles);
    expect(opened.problems).toEqual([]);
  });

  it('shows all searches again by its link in the navigation, and the selection by the browser’s Back', async () => {
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    const links = page.getByRole('list', { name: 'Searches' }).getByRole('link');
    const listed = () => links.allTextContents();
    await expect.poll(listed).toEqual(titles);
    await page.getByLabel('Channel').selectOption('HTTP');
    await page.getByLabel('Key').selectOption('robot');
    await expect.poll(listed).toEqual([prompt]);
    await page.getByRole('navigation').getByRole('link', { name: 'Searches' }).click();
    await expect.poll(listed).toEqual(titles);
    expect(await page.getByLabel('Key').inputValue()).toBe('');
    await page.goBack();
    await expect.poll(listed).toEqual([prompt]);
    expect(page.url()).toContain('key_id=');
    expect(opened.problems).toEqual([]);
  });

  it('names what a search used as people do', async () => {
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    await page.getByRole('link', { name: prompt }).click();
    const cost = page.locator('.facts-wide');
    await cost.getByText('index of this server').waitFor();
    await cost.getByText('No model: quotes only').waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('names steps alike in the timeline and in its legend, also once only the time of each stage is known', async () => {
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    const names = page.locator('.span-name');
    const legend = page.getByRole('list', { name: 'Legend' }).getByRole('listitem');
    const link = page.getByRole('link', { name: prompt });
    await link.click();
    await names.getByText('Writing the answer').waitFor();
    const listed = await names.allTextContents();
    for (const name of await legend.allTextContents()) expect(listed).toContain(name.trim());
    await page.route('**/v1/search/*/events*', (route) => route.fulfill({ status: 404, json: {} }));
    await page.route('**/v1/search/*', async (route) => {
      if (route.request().headers().accept?.includes('event-stream') === true)
        await route.fulfill({ status: 410, json: {} });
      else await route.continue();
    });
    await page.reload();
    await page.getByText('The events of this search have expired').waitFor();
    expect(await names.allTextContents()).toEqual((await legend.allTextContents()).map((name) => name.trim()));
    expect(await names.allTextContents()).toContain('Writing the answer');
  });

  it('shows what a stopped search had found, a wide table within its card, and why it was stopped', async () => {
    const cells = Array.from({ length: 30 }, (_, at) => `column ${at}`);
    const answer = [cells, cells.map(() => '---'), cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    await page.route('**/v1/search/*', async (route) => {
      if (route.request().headers().accept?.includes('event-stream') === true)
        return route.fulfill({ status: 410, json: {} });
      const response = await route.fetch();
      const { result: _, ...record } = (await response.json()) as Record<string, unknown>;
      const partial = { answer, citations: [] };
      await route.fulfill({ response, json: { ...record, state: 'cancelled', by: 'admin', partial } });
    });
    await page.getByRole('link', { name: prompt }).click();
    await page.getByText('The server was shut down before the answer was complete.').waitFor();
    const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Answer so far' }) });
    await card.getByRole('cell', { name: 'column 29' }).waitFor();
    expect(await card.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it.each([
    ['/searches/s_nothing', 'Search'],
    ['/designs/api_nothing', 'Design'],
    ['/apis/nothing', 'API'],
  ])('has a heading where nothing is found: %s', async (path, title) => {
    await using opened = await openDashboard(browser, app, path);
    const { page } = opened;
    await page.getByRole('main').getByRole('alert').waitFor();
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    expect(await page.title()).toBe(`${title} – Citewire`);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it('exports what is selected as CSV, in which no cell is a formula', async () => {
    await using opened = await openDashboard(browser, app, '/searches');
    const { page } = opened;
    await page.getByRole('list', { name: 'Searches' }).getByText('robot').first().waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('searches.csv');
    const lines = (await readFile((await download.path())!, 'utf8')).split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFsearch_id,created_at,ended_at,duration_ms,outcome,error_code,mode,door,key_id,key,prompt',
    );
    expect(lines[1]).toMatch(
      /^s_[^,]+,\d{4}-[^,]+Z,\d{4}-[^,]+Z,\d+,(?:answered|partial|not_found),,text,openai,[^,]+,robot,/,
    );
    expect(lines[2]).toMatch(/,"'=1\+1, ""quoted"""$/);
    expect(lines).toHaveLength(6);
  });

  it('calls a stopped search stopped, in the list and in its timeline', async () => {
    await using model = await startModelServer();
    model.script = async (call, count) => {
      if (call.kind === 'write') await new Promise(() => {});
      return goodModel(call, count);
    };
    await using held = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    const begun = await held.post('/v1/search', { prompt, background: true });
    const { search_id } = (await begun.json()) as { search_id: string };
    await using opened = await openDashboard(browser, held, '/searches');
    const { page } = opened;
    await page.getByRole('list', { name: 'Running searches' }).getByText('Writing the answer').waitFor();
    await page.getByRole('button', { name: `Cancel ${prompt}` }).click();
    const searches = page.getByRole('list', { name: 'Searches' });
    await searches.getByText('stopped').waitFor();
    expect(await searches.textContent()).not.toContain('failed');
    await searches.getByRole('link', { name: prompt }).click();
    await page.getByRole('heading', { name: 'Search stopped' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Writing the answer stopped' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain('failed');
    expect(await page.getByRole('list', { name: 'Legend' }).textContent()).toContain('Writing the answer');
    expect(page.url()).toContain(search_id);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it('keeps the focus in the list of running searches, and then on the page, when one is cancelled', async () => {
    await using model = await startModelServer();
    model.script = () => new Promise(() => {});
    await using held = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    for (const each of ['first?', 'second?', 'third?'])
      await held.post('/v1/search', { prompt: each, background: true });
    await using opened = await openDashboard(browser, held, '/searches');
    const { page } = opened;
    const rows = page.getByRole('list', { name: 'Running searches' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(3);
    const focused = () => page.evaluate(`document.activeElement.id || document.activeElement.textContent`);
    const cancel = (name: string) => page.getByRole('button', { name: `Cancel ${name}` }).press('Enter');
    await cancel('second?');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await focused()).toBe('first?');
    await cancel('first?');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await focused()).toBe('third?');
    await cancel('third?');
    await expect.poll(() => rows.count()).toBe(0);
    expect(await focused()).toBe('main');
    expect(opened.problems).toEqual([]);
  });

  it('lists every search once when a new one comes while further pages are shown', async () => {
    await using model = await startModelServer();
    await using held = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    // A greeting needs no model.
    for (let n = 1; n <= 30; n += 1) await held.post('/v1/search', { prompt: 'Hello!' });
    model.script = () => new Promise(() => {});
    await held.post('/v1/search', { prompt, background: true });
    await using opened = await openDashboard(browser, held, '/searches');
    const { page } = opened;
    const links = page.getByRole('list', { name: 'Searches', exact: true }).getByRole('link');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => links.count()).toBe(30);
    await page.getByRole('button', { name: `Cancel ${prompt}` }).click();
    await expect.poll(() => links.count()).toBe(31);
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(new Set(addresses).size).toBe(31);
    expect(opened.problems).toEqual([]);
  });

  it('keeps the focus in the list and in the filters where the button that was pressed goes', async () => {
    const { id } = await app.accounts.createAccount({ name: 'reader', plan: 'pro' });
    const { plaintext } = await app.accounts.createKey({ name: 'robot', account: id });
    for (let n = 1; n <= 27; n += 1)
      await app.post('/v1/search', { prompt: `Hello! ${n}` }, { 'x-api-key': plaintext });
    await using opened = await openDashboard(browser, app, '/searches', { account: id });
    const { page } = opened;
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    const links = page.getByRole('list', { name: 'Searches', exact: true }).getByRole('link');
    await expect.poll(() => links.count()).toBe(27);
    await expect.poll(() => page.evaluate(`document.activeElement.textContent`)).toBe('Hello! 2');
    await page.getByLabel('Words of the question').fill('nothing like this');
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
    await expect.poll(() => links.count()).toBe(25);
    await expect.poll(() => page.evaluate(`document.activeElement.type`)).toBe('search');
    expect(opened.problems).toEqual([]);
  });

  it('shows what is running although each answer takes longer than the pause between two of them', async () => {
    await using model = await startModelServer();
    model.script = () => new Promise(() => {});
    await using held = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url, MEDIAWIKI_URL: 'off' });
    await using opened = await openDashboard(browser, held);
    const { page } = opened;
    await page.route('**/v1/search?state=running', async (route) => {
      await sleep(4_000);
      // The page may have left meanwhile.
      await route.continue().catch(() => {});
    });
    await page.getByRole('link', { name: 'Searches', exact: true }).click();
    await page.waitForRequest(/state=running/);
    await held.post('/v1/search', { prompt, background: true });
    await page.getByRole('list', { name: 'Running searches' }).getByText(prompt).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it.each([1280, 360])('shows the calls that were refused to a key, at %i px', async (width) => {
    const { id } = await app.accounts.createAccount({ name: `refused ${width}`, plan: 'pro' });
    const { plaintext } = await app.accounts.createKey({ name: 'clumsy', account: id, scopes: ['search'] });
    await app.post('/v1/search', { prompt: '' }, { 'x-api-key': plaintext });
    await app.get('/v1/design-api', { 'x-api-key': plaintext });
    const viewport = { width, height: 800 };
    await using opened = await openDashboard(browser, app, '/searches', { viewport, account: id });
    const { page } = opened;
    await page.getByRole('link', { name: 'Refused calls' }).click();
    const rows = page.getByRole('list', { name: 'Refused calls' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    // The names of keys come by a call of their own.
    await rows.first().getByText('clumsy').waitFor();
    expect(await rows.first().textContent()).toMatch(/clumsyGET \/v1\/design-api.*403 forbidden$/);
    expect(await rows.last().textContent()).toMatch(/clumsyPOST \/v1\/search.*422 validation error$/);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(opened.problems).toEqual([]);
  });

  it.each([1280, 360])('has no accessibility violation and no horizontal overflow at %i px', async (width) => {
    const viewport = { width, height: 800 };
    for (const path of ['/searches', '/searches?outcome=conflicting']) {
      await using opened = await openDashboard(browser, app, path, { viewport });
      const { page } = opened;
      await page.getByText(path === '/searches' ? prompt : 'No searches match these filters').waitFor();
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(opened.problems).toEqual([]);
    }
  });
});
