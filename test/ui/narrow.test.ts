/** The narrowest screen, in the languages with the longest words: nothing is wider than what it is in. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage, phone } from '../support/browser/browser.ts';
import { newSignInPath } from '../support/browser/dashboard.ts';
import { createDesign } from '../support/design.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const languages = ['en', 'de', 'fr', 'es', 'zh'];

describe.skipIf(hasNoBrowser)('at 360 px', () => {
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

  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

  async function answer(page: Page): Promise<void> {
    await page.getByRole('main').getByRole('textbox').fill('What is Citewire?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[aria-busy="false"]').waitFor();
  }

  it.each(languages)('the chat scrolls only down, and its headline breaks between words, in %s', async (locale) => {
    await using opened = await openPage(browser, app.url, { ...phone, locale, key: app.key });
    const { page } = opened;
    const headline = page.getByRole('heading', { level: 1 });
    await headline.waitFor();
    await page.locator('.top .wide-only').first().waitFor({ state: 'attached' });
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    // Chinese breaks between any two characters.
    const broken = await headline.evaluate((heading) => {
      const text = heading.firstChild as Text;
      const range = document.createRange();
      return [...text.data.matchAll(/[^\s]+/g)].flatMap(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1 ? [word] : [];
      });
    });
    if (locale !== 'zh') expect(broken).toEqual([]);
    await answer(page);
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
  });

  it.each(languages)('nothing of the chat is cut off at 320 px, in %s', async (locale) => {
    const viewport = { width: 320, height: 700 };
    await using opened = await openPage(browser, app.url, { ...phone, locale, key: app.key, viewport });
    const { page } = opened;
    const cutOff = () =>
      page
        .locator('.top :visible, .dock *')
        .evaluateAll((all) =>
          all.filter((each) => each.getBoundingClientRect().right > 320).map((each) => each.outerHTML.slice(0, 200)),
        );
    await page.locator('.composer-send').waitFor();
    expect(await cutOff()).toEqual([]);
    const send = await page.locator('.composer-send').boundingBox();
    expect(send?.width).toBe(send?.height);
    await answer(page);
    expect(await cutOff()).toEqual([]);
  });

  /** What reaches over the padding of the dialog. */
  const tooWide = (page: Page) =>
    page.locator('.dialog-body').evaluate((body) => {
      const end = body.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(body).paddingRight);
      return [...body.querySelectorAll('*')]
        .filter((node) => node.getBoundingClientRect().right > end + 1)
        .map((node) => `${node.tagName} ${node.className}`);
    });

  it('a dialog holds its fields, however long a choice in them is', async () => {
    const name = 'Designers of lighthouses, bridges and other buildings near the sea';
    await createDesign(app, { name, api_stub: 'designers-of-lighthouses-and-bridges' });
    await using opened = await openPage(browser, app.url, {
      ...phone,
      locale: 'fr',
      key: app.key,
      path: '/dashboard/schedules',
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Nouvelle planification' }).click();
    await page.getByRole('dialog').getByLabel('building').waitFor();
    expect(await tooWide(page)).toEqual([]);
  });

  it('boxes to tick and icons keep their size beside long texts, at 320 px too', async () => {
    const path = await newSignInPath(app);
    await using opened = await openPage(browser, app.url, {
      ...phone,
      locale: 'de',
      path,
      viewport: { width: 320, height: 700 },
    });
    const { page } = opened;
    await answer(page);
    const sizes = (name: string) =>
      page
        .locator(name)
        .evaluateAll((all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().width)))]);
    expect(await sizes('.timeline-turn svg')).toEqual([16]);
    await page.goto(`${app.url}/dashboard/keys`);
    await page.getByRole('button', { name: 'Neuer Schlüssel' }).click();
    await page.getByRole('checkbox').first().waitFor();
    expect(await sizes('.check input')).toEqual([18]);
  });

  it('a dialog holds its buttons', async () => {
    await using opened = await openPage(browser, app.url, { ...phone, locale: 'de', key: app.key });
    const { page } = opened;
    await answer(page);
    await page.getByRole('button', { name: 'Unterhaltung teilen' }).click();
    await page.getByRole('button', { name: 'Link erstellen' }).click();
    await page.getByRole('button', { name: 'Link kopieren' }).waitFor();
    expect(await tooWide(page)).toEqual([]);
  });
});
