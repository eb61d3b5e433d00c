/** What the dashboard says when a quota is nearly or wholly used up. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

/** `SCREENSHOTS=<folder>` keeps pictures of the states. */
const pictures = process.env.SCREENSHOTS;
const prompt = 'Who designed the Heron Point Lighthouse?';

describe.skipIf(hasNoBrowser)('the alert of a quota', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off', QUOTAS: '{"pro":{"searches_per_day":5}}' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) await app.post('/v1/search', { prompt: `${prompt} ${n}` });
  };

  it('comes at four fifths, changes when nothing is left, and is on every page', async () => {
    await ask(3);
    await using before = await openDashboard(browser, app);
    await before.page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => before.page.getByText(/3 of 5/).count()).toBe(1);
    expect(await before.page.getByText(/of the quota is used/).count()).toBe(0);

    await ask(1);
    await using near = await openDashboard(browser, app);
    await near.page.getByText('Searches today: 80% of the quota is used.').waitFor();

    await ask(2);
    await using full = await openDashboard(browser, app, '/keys');
    await full.page.getByText('Searches today: the quota is used up').waitFor();
    if (pictures !== undefined) await full.page.screenshot({ path: join(pictures, 'quota-alert.png') });
    expect(await axeFindingsInBothThemes(full.page)).toEqual([]);
  });
});
