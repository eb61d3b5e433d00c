/** What a page shows until its scripts have drawn it, on a slow or broken network. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions } from '../../support/browser/browser.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('a page that is not there yet', () => {
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

  const open = (options: PageOptions = {}) =>
    openPage(browser, app.url, { key: app.key, path: '/nowhere', locale: 'fr', ...options });
  const frame = (page: Page) => page.locator('.first');

  it.each([
    ['/', 'Que cherchez-vous ?'],
    ['/dashboard/keys', 'Clés'],
  ])('says that it is being loaded while it is not known who is signed in: %s', async (path, heading) => {
    await using opened = await open();
    const { page } = opened;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/session', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(app.url + path);
    await page.getByRole('status').getByText('Chargement…').waitFor();
    expect(await frame(page).locator('p:visible').allTextContents()).toEqual(['Chargement…']);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    answer();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(await frame(page).count()).toBe(0);
    expect(opened.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it('shows nothing that would flash where it is there in a moment', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.route('**/assets/chat-*.js', () => {});
    await page.goto(app.url, { waitUntil: 'commit' });
    await frame(page).waitFor();
    const style = await frame(page).evaluate((node) => {
      const { animationDelay, animationFillMode } = getComputedStyle(node);
      return { animationDelay, animationFillMode };
    });
    expect(style).toEqual({ animationDelay: '0.4s', animationFillMode: 'backwards' });
  });

  it.each([
    ['a script', '/', /modulepreload" href="([^"]+)"/],
    ['its own script', '/shared#secret', /type="module" src="([^"]+)"/],
    ['its texts', '/dashboard/keys', /data-fr="([^" ]+)/],
  ])('says that %s could not be loaded, and is loaded again at the same address', async (_, path, pattern) => {
    await using opened = await open();
    const { page } = opened;
    let isLost = true;
    const [, file] = pattern.exec(await (await app.get(path.split('#')[0]!)).text())!;
    await page.route(app.url + file, (route) => (isLost ? route.abort() : route.continue()));
    await page.goto(app.url + path, { waitUntil: 'commit' });
    await page.getByRole('alert').getByText('Cette page n’a pas pu être chargée entièrement.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    isLost = false;
    await page.getByRole('button', { name: 'Réessayer' }).press('Enter');
    await frame(page).waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toBe(app.url + path);
  });
});
