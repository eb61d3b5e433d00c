/** A question that is sent too early: while a document is being prepared, or an answer is being written. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import { ask, question, saying, searchIdOf, startChatServer, waitForAnswer } from '../support/browser/chat.ts';
import { createDeferred } from '../support/deferred.ts';
import { goodModel } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

describe.skipIf(hasNoBrowser)('a question that is sent while a document is being prepared', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const open = (options: PageOptions = {}) => openPage(browser, app.url, { key: app.key, ...options });
  const prepared = 'Your question will be asked when the document is ready.';
  const box = (page: Page) => page.getByLabel('Your question');
  const isFocused = (page: Page) => box(page).evaluate((area) => area === area.ownerDocument.activeElement);

  /** Attaches notes whose upload ends when the returned function is called, and asks about them before. */
  async function askEarly(
    page: Page,
    content: string | Buffer = '# Notes\n\nThe ferry Falco carries at most 47 passengers.',
  ) {
    const isReleased = createDeferred();
    await page.route('**/v1/sources/files?*', async (route) => {
      await isReleased.promise;
      await route.continue();
    });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const name = typeof content === 'string' ? 'notes.md' : 'notes.pdf';
    const mimeType = typeof content === 'string' ? 'text/markdown' : 'application/pdf';
    await (await chooser).setFiles({ name, mimeType, buffer: Buffer.from(content) });
    await ask(page, 'How many passengers does the ferry Falco carry?');
    await page.getByText(prepared).waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
    return () => isReleased.resolve();
  }

  it('is asked of the document once that is ready', async () => {
    await using opened = await open(phone);
    const { page, problems } = opened;
    const release = await askEarly(page);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    release();
    await waitForAnswer(page);
    await page.getByText('at most 47 passengers').first().waitFor();
    await page.getByText('Asked of notes.md only').waitFor();
    expect(await box(page).inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  it('needs no other source for “Only these”', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByRole('button', { name: 'Sources', exact: true }).click();
    await page.getByRole('radio', { name: 'Only these' }).check();
    await ask(page, 'How many passengers does the ferry Falco carry?');
    const missing = page.getByText('Enter at least one site, page or document');
    await missing.waitFor();
    const release = await askEarly(page);
    expect(await missing.count()).toBe(0);
    release();
    await waitForAnswer(page);
    await page.getByText('Asked of notes.md only').waitFor();
  });

  it.each([
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
    ['Stop', (page: Page) => page.getByRole('button', { name: 'Stop' }).click()],
    ['a change of its text', (page: Page) => page.keyboard.press('Backspace')],
  ])('is not asked after %s, and stays in the box', async (_, cancel) => {
    await using opened = await open();
    const { page } = opened;
    const release = await askEarly(page);
    await cancel(page);
    await page.getByText('You can write your question meanwhile.').waitFor();
    release();
    await page.getByText('Answers come from these documents only.').waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
    expect(await box(page).inputValue()).toContain('How many passengers does the ferry Falco carry');
    expect(await isFocused(page)).toBe(true);
  });

  it('is not asked of everything after the document was removed', async () => {
    await using opened = await open();
    const { page } = opened;
    const release = await askEarly(page);
    await page.getByRole('button', { name: 'Remove notes.md' }).press('Enter');
    await page.getByText(prepared).waitFor({ state: 'detached' });
    expect(await isFocused(page)).toBe(true);
    release();
    await page.getByRole('button', { name: 'Ask', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
    await page.keyboard.press('Enter');
    await waitForAnswer(page);
  });

  it('is not asked of everything if the document cannot be read', async () => {
    await using opened = await open();
    const { page } = opened;
    const release = await askEarly(page, Buffer.from('%PDF-1.7 of nothing'));
    release();
    await page.getByRole('list', { name: 'Attached documents' }).getByText('could not be read').waitFor();
    await page.getByText(prepared).waitFor({ state: 'detached' });
    expect(await page.locator('.turn').count()).toBe(0);
    expect(await box(page).inputValue()).not.toBe('');
  });
});

describe.skipIf(hasNoBrowser)('a question that is sent while an answer is being written', () => {
  let server: Awaited<ReturnType<typeof startChatServer>>;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  const next = 'And when was it first lit?';
  const box = (page: Page) => page.getByLabel('Your question');
  const questions = (page: Page) => page.locator('.question').allTextContents();

  /** Asks two questions; the model begins to answer the first when the returned function is called. */
  async function askTwo(page: Page) {
    const isReleased = createDeferred();
    server.model.script = async (call, count) => {
      if (call.kind !== 'write') return goodModel(call, count);
      await isReleased.promise;
      return saying('It was designed by Ingrid Solvay [1].')(call, count);
    };
    await ask(page);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await ask(page, next);
    await page.getByText('Your question will be asked next.').waitFor();
    expect(await box(page).inputValue()).toBe(next);
    expect(await questions(page)).toEqual([question]);
    return () => isReleased.resolve();
  }

  async function cancel(page: Page) {
    await expect.poll(() => page.url()).toContain('search=');
    const headers = { 'x-api-key': server.app.key };
    await fetch(`${server.app.url}/v1/search/${searchIdOf(page)}`, { method: 'DELETE', headers });
  }

  it('is asked after it', async () => {
    await using opened = await openPage(browser, server.app.url, { key: server.app.key, ...phone });
    const { page, problems } = opened;
    const release = await askTwo(page);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    release();
    await expect.poll(() => questions(page)).toEqual([question, next]);
    await waitForAnswer(page);
    expect(await box(page).inputValue()).toBe('');
    expect(await page.getByText('Your question will be asked next.').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('leaves the focus in the box after Stop by the keyboard, as there is nothing to ask', async () => {
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const { page } = opened;
    server.model.script = () => new Promise(() => {});
    await ask(page);
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    await box(page).focus();
    for (let n = 0; n < 10 && !(await stop.evaluate((button) => button.matches(':focus'))); n += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Stopped', { exact: true }).waitFor();
    await expect.poll(() => box(page).evaluate((area) => area.matches(':focus'))).toBe(true);
  });

  it.each([
    ['is stopped', (page: Page) => page.getByRole('button', { name: 'Stop' }).click()],
    ['is stopped by Escape', (page: Page) => page.keyboard.press('Escape')],
    ['is cancelled by another client', cancel],
  ])('stays in the box if that %s', async (_, stop) => {
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const { page } = opened;
    const release = await askTwo(page);
    await stop(page);
    release();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await box(page).inputValue()).toBe(next);
    expect(await questions(page)).toEqual([question]);
  });
});
