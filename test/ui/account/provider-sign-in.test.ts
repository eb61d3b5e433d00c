/** Signing in through a provider, in a real browser: the cookies that it sends across sites are what decides. */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser } from '../../support/browser/browser.ts';
import { type OidcProvider, startOidcProvider } from '../../support/oidc/oidc-provider.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('signing in through a provider', () => {
  let provider: OidcProvider;
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    provider = await startOidcProvider();
    app = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent', ...provider.env });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  /** At another site than the provider, as in real life: `localhost` and `127.0.0.1` are two. */
  const url = (path: string) => app.url.replace('127.0.0.1', 'localhost') + path;
  async function open(path: string): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(url(path));
    return page;
  }
  const signInWith = (page: Page) => page.getByRole('link', { name: 'Sign in with Heron ID' });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.TEST_PICTURES;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png` });
  };

  it('leads from the chat to the provider and back, and asks as that account', async () => {
    const page = await open('/');
    await signInWith(page).waitFor();
    await picture(page, 'chat');
    await signInWith(page).click();
    await page.getByLabel('Your question').waitFor();
    expect(page.url()).toBe(url('/'));
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByText('ada@example.org').waitFor();
    await page.context().close();
  });

  it('leads back to the page of the dashboard that asked for it, and out again', async () => {
    const page = await open('/dashboard/keys');
    await signInWith(page).waitFor();
    await picture(page, 'dashboard');
    // It comes first, and is the only main button: somebody who signs in by it has no use for a command on the server.
    const places = await Promise.all(
      [signInWith(page), page.getByLabel('API key'), page.getByRole('button', { name: 'Copy' })].map(
        async (each) => (await each.boundingBox())!.y,
      ),
    );
    expect([...places].sort((one, other) => one - other)).toEqual(places);
    expect(await page.locator('.button-main').count()).toBe(1);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await signInWith(page).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    expect(page.url()).toBe(url('/dashboard/keys'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInWith(page).waitFor();
    await page.context().close();
  });

  it('says why nobody was signed in, once, and lets people try again', async () => {
    provider.tamper.claims = (claims) => ({ ...claims, aud: 'somebody-else' });
    const page = await open('/dashboard/keys');
    await signInWith(page).click();
    await page.getByRole('alert').getByText('could not be verified').waitFor();
    expect(page.url()).toBe(url('/dashboard/sign-in'));
    await picture(page, 'problem');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, 'problem-360');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    provider.tamper = {};
    await signInWith(page).click();
    await page.getByLabel('Your question').waitFor();
    await page.context().close();
  });

  it('shows no words of a stranger who made up an address', async () => {
    const page = await open('/dashboard/sign-in?problem=Call%20us%20at%20555');
    expect(await page.getByRole('alert').textContent()).toBe('The sign-in failed. Try again.');
    await page.context().close();
  });
});
