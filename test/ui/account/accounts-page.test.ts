/** The page of accounts as administrators use it, and that nobody else sees it. */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { headingOf, openDashboard } from '../../support/browser/dashboard.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('the page of accounts', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off', QUOTAS: '{"pro":{"searches_per_day":50}}' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const picture = async (page: Page, name: string) => {
    const folder = process.env.TEST_PICTURES;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: name });

  it('creates an account, finds it, changes its plan, and suspends it with a reason', async () => {
    await using opened = await openDashboard(browser, app);
    const { page } = opened;
    await page.getByRole('link', { name: 'Accounts' }).click();
    await headingOf(opened, 'Accounts').waitFor();
    await page.getByRole('button', { name: 'New account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Lovelace Institute');
    await page.getByRole('button', { name: 'Create account' }).click();
    await rowOf(page, 'Lovelace Institute').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('institute love');
    await expect.poll(() => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').count()).toBe(1);

    await page.getByRole('button', { name: 'Change plan of Lovelace Institute' }).click();
    const plans = page.getByRole('dialog').getByLabel('Plan', { exact: true });
    expect(await plans.getByRole('option').allTextContents()).toEqual(['Starter', 'Pro']);
    await plans.selectOption('pro');
    await page.getByRole('dialog').getByRole('button', { name: 'Change plan' }).click();
    await rowOf(page, 'Lovelace Institute').getByText('0 of 50 searches today').waitFor();
    await rowOf(page, 'Lovelace Institute').getByText('Pro', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Change status of Lovelace Institute' }).click();
    await page.getByLabel('Reason', { exact: true }).fill('unpaid');
    await picture(page, 'accounts-suspend');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Suspend account' }).click();
    await rowOf(page, 'Lovelace Institute').getByText('Reason: unpaid').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('');
    await expect.poll(() => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').count()).toBe(2);
    await picture(page, 'accounts');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByLabel('Status', { exact: true }).selectOption('suspended');
    await expect.poll(() => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').count()).toBe(1);
    const [suspended] = (await app.accounts.listAccounts()).filter(({ name }) => name === 'Lovelace Institute');
    expect(suspended).toMatchObject({ plan: 'pro', status: 'suspended', status_reason: 'unpaid' });
    expect(await rowOf(page, 'development').count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await picture(page, 'accounts-360');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(opened.problems).toEqual([]);
  });

  it('invites by a link that signs somebody else in to an account of their own, and revokes one', async () => {
    await using opened = await openDashboard(browser, app, '/accounts');
    const { page } = opened;
    const invite = async (name: string): Promise<string> => {
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Create link' }).click();
      const dialog = page.getByRole('dialog', { name: `Invitation for “${name}”` });
      const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
      await picture(page, 'invitation');
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      return link;
    };
    const link = await invite('Grace Hopper');
    await using guest = await openPage(browser, app.url, { path: link.slice(app.url.length) });
    await guest.page.getByLabel('Your question').waitFor();
    await guest.page.goto(`${app.url}/dashboard`);
    await guest.page.getByText('Grace Hopper').waitFor();
    expect(await guest.page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);

    const other = await invite('Nobody');
    await page.getByRole('tab', { name: 'Invitations' }).click();
    const rows = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem');
    await rows.filter({ hasText: 'Grace Hopper' }).getByText('Accepted').waitFor();
    await picture(page, 'invitations');
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the invitation for Nobody' }).click();
    await page.getByRole('button', { name: 'Revoke invitation' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await using late = await openPage(browser, app.url, { path: other.slice(app.url.length) });
    await late.page.getByText('This link was already used').waitFor();
    await page.getByRole('tab', { name: 'Shared addresses' }).click();
    await page.getByText('No accounts share an address').waitFor();
    expect(await page.evaluate(() => document.body.outerHTML)).not.toContain(link.split('#')[1]);
  });

  it.each([
    ['de-DE', 'Anmelden', 'Konten', 'Pro'],
    ['fr-FR', 'Se connecter', 'Comptes', 'Pro'],
    ['es-ES', 'Iniciar sesión', 'Cuentas', 'Pro'],
    ['zh-CN', '登录', '账号', '专业版'],
  ])('speaks the language of the browser: %s', async (locale, signIn, accounts, plan) => {
    const { pathname, hash } = new URL(await app.signInLink('acc_development'));
    await using opened = await openPage(browser, app.url, { path: '/dashboard', locale });
    const { page } = opened;
    await headingOf(opened, signIn).waitFor();
    await picture(page, `sign-in-${locale}`);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.goto(app.url + pathname + hash);
    await page.waitForURL(`${app.url}/`);
    await page.goto(`${app.url}/dashboard/accounts`);
    await headingOf(opened, accounts).waitFor();
    await page.getByText('acc_development').waitFor();
    await page.getByRole('listitem').getByText(plan, { exact: true }).first().waitFor();
    await picture(page, `accounts-${locale}`);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  it('is not there for a browser of another account, nor for one that signed in with a key', async () => {
    const { id } = await app.accounts.createAccount({ name: 'ordinary', plan: 'pro' });
    await using other = await openDashboard(browser, app, '/accounts', { account: id });
    await headingOf(other, 'Page not found').waitFor();
    await using byKey = await openPage(browser, app.url, { path: '/dashboard/accounts', key: app.key });
    await headingOf(byKey, 'Page not found').waitFor();
  });
});
