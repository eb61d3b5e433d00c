/** Thumbs: an answer and a citation are rated in the chat, and the dashboard lists and exports what was rated. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, phone } from '../../support/browser/browser.ts';
import { ask, question, waitForAnswer } from '../../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('thumbs', () => {
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

  it('rate an answer and a citation, are there after a reload, and are listed and exported in the dashboard', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, ...phone });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const good = page.getByRole('button', { name: 'Good answer' });
    const bad = page.getByRole('button', { name: 'Bad answer' });
    const icon = await good.locator('svg').evaluate((svg) => [svg.clientWidth, Number(svg.getAttribute('width'))]);
    expect(icon[0]).toBe(icon[1]);
    await good.press('Enter');
    await bad.press('Enter');
    expect(await good.getAttribute('aria-pressed')).toBe('false');
    expect(await bad.getAttribute('aria-pressed')).toBe('true');
    await page.locator('.marker').first().press('Enter');
    const says = page.getByRole('button', { name: 'The quote says this' });
    await says.press('Enter');
    await page.getByRole('button', { name: 'The quote says this', pressed: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close source page' }).press('Enter');
    await expect
      .poll(async () => ((await (await app.get('/v1/feedback')).json()) as { items: [] }).items.length)
      .toBe(2);
    await page.reload();
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Bad answer' }).press('Enter');
    await page.getByRole('button', { name: 'Bad answer', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Good answer' }).press('Enter');
    await page.getByRole('button', { name: 'Good answer', pressed: true }).waitFor();

    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('link', { name: 'Feedback' }).click();
    const rows = page.getByRole('list', { name: 'Ratings' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    expect(await rows.first().textContent()).toContain(question);
    await expectAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as JSON Lines' }).press('Enter'),
    ]);
    expect(file.suggestedFilename()).toBe('feedback.jsonl');
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { rating: string }).rating)).toEqual(['up', 'up']);
    expect(opened.problems).toEqual([]);
  });
});
