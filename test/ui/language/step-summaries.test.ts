/** What each step of a search came to is said in the language of the page. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('the steps of an answer', () => {
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

  async function stepsIn(locale: string, steps: RegExp): Promise<string[]> {
    await using opened = await openPage(browser, app.url, { key: app.key, locale });
    const { page } = opened;
    await page.getByRole('textbox').first().fill('Who designed the Heron Point Lighthouse?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: steps }).click();
    await page.locator('.step-about').nth(3).waitFor();
    return await page.locator('.step-about').allTextContents();
  }

  it.each([
    [
      'de',
      /Schritte ·/,
      [
        /^\d+ Textstellen? auf \d+ Seiten?$/,
        /Zitate? in (?:seiner Quelle|ihren Quellen) gefunden, 0 Verweise entfernt/,
      ],
    ],
    ['fr', /étapes ·/, [/^\d+ extraits? sur \d+ pages?$/, /^\d+ caractères, \d+ citations?$/]],
    ['es', /pasos ·/, [/^\d+ pasajes? en \d+ páginas?$/, /^\d+ caracteres, \d+ citas?$/]],
    ['zh-CN', /步/, [/^\d+ 个段落 （\d+ 个页面）$/, /^\d+ 个字符，\d+ 处引用$/]],
  ])('are in %s, with what they came to', async (locale, steps, summaries) => {
    const texts = await stepsIn(locale, steps);
    for (const summary of summaries) expect(texts).toContainEqual(expect.stringMatching(summary));
    // The first is the query itself.
    for (const text of texts.slice(1))
      expect(text).not.toMatch(/\b(?:passages? (?:on|from)|found in|characters?|enough|queries)\b/);
  });

  it('are in English as the server says them', async () => {
    expect(await stepsIn('en-GB', /steps ·/)).toContainEqual(expect.stringMatching(/^\d+ passages? on \d+ pages?$/));
  });
});
