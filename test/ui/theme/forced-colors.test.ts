/** The pages in the reader's own colours, as in a contrast theme of Windows: no state is shown by a background alone. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { ask, waitForAnswer } from '../../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('in forced colours', () => {
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

  const backgroundOf = (of: Locator) => of.evaluate((node) => getComputedStyle(node).backgroundColor);

  it('what is chosen differs from what is not, and the parts of a chart and of a timeline have colours', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, forcedColors: 'active' });
    const { page } = opened;
    for (const prompt of ['Who designed the Heron Point Lighthouse?', 'Who was Ingrid Solvay?']) {
      await page.getByRole('banner').getByRole('link', { name: 'Citewire' }).click();
      await ask(page, prompt);
      await waitForAnswer(page);
    }
    const threads = page.getByRole('navigation', { name: 'Threads' }).getByRole('button');
    await expect.poll(() => page.locator('.history-item').count()).toBe(2);
    await threads.filter({ hasText: 'Solvay' }).first().waitFor();
    const chosen = await backgroundOf(page.locator('.history-item[aria-current]'));
    expect(chosen).not.toBe(await backgroundOf(page.locator('.history-item:not([aria-current])')));

    await page.goto(`${app.url}/dashboard`);
    const current = page.locator('.section-link[aria-current]');
    await current.waitFor();
    expect(await backgroundOf(current)).not.toBe(await backgroundOf(page.getByRole('link', { name: 'Keys' })));
    const segments = page.locator('.segments').first().locator('span');
    await segments.first().waitFor();
    expect(await backgroundOf(segments.nth(0))).not.toBe(await backgroundOf(segments.nth(1)));
    const [calls, refused] = [
      page.locator('.chart-legend .chart-dot').nth(0),
      page.locator('.chart-legend .chart-dot').nth(1),
    ];
    expect(await backgroundOf(calls)).not.toBe(await backgroundOf(refused));

    await page.getByRole('link', { name: 'Who was Ingrid Solvay?' }).click();
    await page.locator('.span-bar').first().waitFor();
    const colours = await page
      .locator('.spans-legend .span-key')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
    expect(new Set(colours).size).toBe(colours.length);
    expect(colours.length).toBeGreaterThan(2);
  });
});
