/** The chat on a phone on its side: the question box stays in reach, and leaves most of the screen to the answer. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../support/browser/browser.ts';
import { ask, waitForAnswer } from '../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const onItsSide = { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true };

describe.skipIf(hasNoBrowser)('the chat on a phone on its side', () => {
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

  it('keeps the question box on the screen, and small', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, ...onItsSide });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    for (const to of [0, 100_000]) {
      await page.getByRole('main').evaluate((main, top) => main.scrollTo(0, top), to);
      const box = (await page.locator('.composer').boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(360);
      expect(box.height).toBeLessThan(70);
    }
    const top = (await page.locator('.top').boundingBox())!;
    const box = (await page.locator('.composer').boundingBox())!;
    expect(box.y - top.height).toBeGreaterThan(180);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(740);
  });

  it('shows a keyboard user where the focus is by a ring around the question box', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await page.getByLabel('Your question').focus();
    const composer = page.locator('.composer');
    await expect.poll(() => composer.evaluate((each) => getComputedStyle(each).outlineStyle)).toBe('solid');
    expect(await composer.evaluate((each) => getComputedStyle(each).outlineWidth)).toBe('2px');
    await page.getByRole('button', { name: 'Sources' }).focus();
    expect(await composer.evaluate((each) => getComputedStyle(each).outlineStyle)).toBe('none');
  });
});
