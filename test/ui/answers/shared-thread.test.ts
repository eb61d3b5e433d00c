/** A shared thread, as a reader without an account sees it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { ask, waitForAnswer } from '../../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('a shared thread', () => {
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

  it('says which questions were asked of documents only, and no two of its landmarks have the same name', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const buffer = Buffer.from('# Ferries\n\nThe ferry Aurelia carries at most 214 passengers.');
    await (await chooser).setFiles({ name: 'ferry handbook.md', mimeType: 'text/markdown', buffer });
    await page.getByText('Answers come from these documents only.').waitFor();
    for (const prompt of ['How many passengers does the ferry Aurelia carry?', 'Who built the ferry?']) {
      await ask(page, prompt);
      await waitForAnswer(page);
    }
    await page.getByRole('button', { name: 'Remove ferry handbook.md' }).click();
    await ask(page, 'What does the ferry Aurelia carry?');
    await waitForAnswer(page);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);

    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await using reader = await openPage(browser, app.url, { path: link.slice(app.url.length) });
    const turns = reader.page.locator('.turn');
    await turns.first().waitFor();
    const restricted = turns.filter({ hasText: 'Asked of ferry handbook.md only' });
    expect([await turns.count(), await restricted.count()]).toEqual([3, 2]);
    expect(await axeFindingsInBothThemes(reader.page)).toEqual([]);
    expect(reader.problems).toEqual([]);
  });

  it('names, as the chat does, the other sites that a question of documents was allowed, too', async () => {
    const buffer = Buffer.from('# Trams\n\nThe tram Lowenna runs every 12 minutes.');
    const uploaded = await fetch(`${app.url}/v1/sources/files?name=tram.md`, {
      method: 'POST',
      headers: { 'x-api-key': app.key, 'content-type': 'application/octet-stream' },
      body: buffer,
    });
    const { source_id } = (await uploaded.json()) as { source_id: string };
    const source = async () =>
      (await (await app.get(`/v1/sources/${source_id}`)).json()) as { state: string; address: string };
    await expect.poll(async () => (await source()).state).toBe('ready');
    const source_whitelist = [(await source()).address, 'trams.example'];
    const prompt = 'How often does the tram Lowenna run?';
    const answered = await app.post('/v1/search', { prompt, source_whitelist, thread: true });
    const { search_id } = (await answered.json()) as { search_id: string };
    await using opened = await openPage(browser, app.url, { key: app.key, path: `/?thread=${search_id}` });
    await opened.page.getByText('Asked of tram.md and trams.example only').waitFor();
    const shared = await app.post(`/v1/threads/${search_id}/share`, { days: 1 });
    const { url } = (await shared.json()) as { url: string };
    await using reader = await openPage(browser, app.url, { path: url.slice(app.url.length) });
    await reader.page.locator('.turn').waitFor();
    await reader.page.getByText('Asked of tram.md and trams.example only').waitFor();
  });
});
