/** Signing in with a key on every page, and again where a key is revoked while a page is open. */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { newSignInPath } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('signing in with a key', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const secretOf = (page: Page) => page.getByLabel('API key or sign-in link');
  const enter = async (page: Page, secret: string) => {
    await secretOf(page).fill(secret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const newKey = () => app.accounts.createKey({ name: 'to be revoked', account: developmentAccount });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.TEST_PICTURES;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const kept = (page: Page) =>
    page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.body.outerHTML]),
    );

  it('opens the page of the dashboard that was asked for, and the chat in the same browser', async () => {
    await using opened = await openPage(browser, app.url, { path: '/dashboard/designs/new' });
    const { page } = opened;
    await secretOf(page).waitFor();
    await picture(page, 'dashboard-sign-in');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await enter(page, app.key);
    await page.getByRole('heading', { level: 1, name: 'New design' }).waitFor();
    expect(await kept(page)).not.toContain(app.key);
    await page.goto(`${app.url}/`);
    await page.getByLabel('Your question').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  it.each(['/', '/dashboard/keys'])('has the focus on the page after one has signed out: %s', async (path) => {
    await using opened = await openPage(browser, app.url, { key: app.key, path });
    const { page } = opened;
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await secretOf(page).waitFor();
    await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('main');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.type`)).toBe('password');
  });

  it('takes a sign-in link where it takes a key', async () => {
    await using opened = await openPage(browser, app.url);
    const { page } = opened;
    const link = `${app.url}${await newSignInPath(app)}`;
    await enter(page, link);
    await page.getByLabel('Your question').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enter(page, link);
    await page.getByText('This link was already used').waitFor();
  });

  it('says on the page of keys what a key cannot do', async () => {
    await using opened = await openPage(browser, app.url, { path: '/dashboard/keys', key: app.key });
    const { page } = opened;
    await page.getByText('You signed in with the key development').waitFor();
    await page.getByRole('list', { name: 'Keys' }).waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    await picture(page, 'keys-by-key');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it('offers nothing that the scopes of the key do not allow', async () => {
    const { plaintext } = await app.accounts.createKey({
      name: 'only asks',
      account: developmentAccount,
      scopes: ['search'],
    });
    await using opened = await openPage(browser, app.url, { path: '/dashboard/designs', key: plaintext });
    const { page } = opened;
    const refusal = page.getByRole('alert').getByText('This key may not do this. Its permissions: ');
    await refusal.waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New design' }).count()).toBe(0);
    await page.goto(`${app.url}/dashboard/designs/new`);
    await refusal.waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it('asks again over the page when its key is revoked, and keeps what was typed', async () => {
    const { plaintext, key } = await newKey();
    await using opened = await openPage(browser, app.url, { path: '/dashboard/designs/new', key: plaintext });
    const { page } = opened;
    await page.getByLabel('Name', { exact: true }).fill('Lighthouse facts');
    await app.accounts.revokeKey(key.id);
    await page.getByLabel('Prompt', { exact: true }).fill('Who built it?');
    await page.getByRole('button', { name: 'Create design' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await picture(page, 'signed-out-inline');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, 'signed-out-inline-360');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await enter(page, app.key);
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Lighthouse facts');
    await page.getByRole('button', { name: 'Create design' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
  });

  it('goes on in a tab whose session another tab replaced', async () => {
    await using opened = await openPage(browser, app.url, { path: '/dashboard/designs/new', key: app.key });
    const { page } = opened;
    await page.getByLabel('Name', { exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${app.url}/dashboard`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await enter(other, app.key);
    await other.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('In two tabs');
    await page.getByLabel('Prompt', { exact: true }).fill('Who built it?');
    await page.getByRole('button', { name: 'Create design' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
  });
});
