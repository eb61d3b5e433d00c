/** What is shown once is shown: nothing closes its dialog while the server makes it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { ask, waitForAnswer } from '../../support/browser/chat.ts';
import { openDashboard } from '../../support/browser/dashboard.ts';
import { createDeferred } from '../../support/deferred.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

describe.skipIf(hasNoBrowser)('a secret that is shown once', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off', FETCH_ALLOW_HOSTS: '127.0.0.1' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  /** Returns a function that lets the answers through. */
  const holdAnswers = async (page: Page, path: string) => {
    const { promise: held, resolve: letThrough } = createDeferred();
    await page.route(path, async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    return letThrough;
  };
  /** In all ways that close a dialog. */
  const tryToClose = async (page: Page) => {
    const dialog = page.getByRole('dialog');
    await dialog.locator('[aria-busy="true"]').first().waitFor();
    // Chromium lets a page refuse only the first of them.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    for (const button of await dialog.getByRole('button', { name: /^(Cancel|Close)$/ }).all())
      await button.click({ force: true, timeout: 2_000 });
    expect(await dialog.isVisible()).toBe(true);
  };

  it('is shown after Cancel and Escape: the new secret of a webhook', async () => {
    await app.post('/v1/webhooks', { url: 'http://127.0.0.1:1/hook', name: 'my program' });
    await using opened = await openDashboard(browser, app, '/webhooks');
    const { page } = opened;
    await page.route('**/rotate', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'New secret for my program' }).click();
    const rotate = page.getByRole('button', { name: 'Create a new secret' });
    await rotate.click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    const letThrough = await holdAnswers(page, '**/rotate');
    await page.getByRole('button', { name: 'New secret for my program' }).click();
    await rotate.click();
    await tryToClose(page);
    letThrough();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it.each([
    ['/keys', 'New key', 'Name', 'my laptop', 'Create key', /^cw_/],
    ['/webhooks', 'New webhook', 'URL', 'http://127.0.0.1:1/other', 'Add webhook', /^whsec_/],
  ] as const)('is shown after Cancel and Escape: %s', async (path, open, field, value, action, secret) => {
    await using opened = await openDashboard(browser, app, path);
    const { page } = opened;
    // Another page of the dashboard to go back to.
    await page.getByRole('link', { name: 'Feedback', exact: true }).click();
    await page.getByRole('link', { name: path === '/keys' ? 'Keys' : 'Webhooks', exact: true }).click();
    const letThrough = await holdAnswers(page, `**/v1${path}`);
    await page.getByRole('button', { name: open }).click();
    await page.getByRole('textbox', { name: field }).fill(value);
    await page.getByRole('button', { name: action }).click();
    await tryToClose(page);
    letThrough();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(secret).waitFor();
    // It was neither copied nor confirmed.
    const asked: string[] = [];
    page.once('dialog', (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.evaluate('history.back()');
    await expect.poll(() => asked).toEqual(['You have not copied what is shown here only once. Leave anyway?']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog.getByText(secret).isVisible()).toBe(true);
    await page.context().grantPermissions(['clipboard-write']);
    await dialog.getByRole('button', { name: /^Copy/ }).click();
    await page.getByText('Copied.', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  /** Opens the page of keys and makes one. */
  const openNewKey = async () => {
    const opened = await openDashboard(browser, app, '/keys');
    const { page } = opened;
    const asked: string[] = [];
    page.on('dialog', (question) => {
      asked.push(question.type());
      void question.dismiss();
    });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my desktop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = page.getByRole('dialog').getByText(/^cw_/);
    await key.waitFor();
    return { opened, page, asked, key };
  };

  it('may be left once it was copied by hand, all of it', async () => {
    const { opened, page, asked, key } = await openNewKey();
    await using _ = opened;
    const select = (characters: number) =>
      key.evaluate((shown: Element, count) => {
        const text = shown.firstChild!;
        getSelection()!.setBaseAndExtent(text, 0, text, count);
      }, characters);
    await select(6);
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Escape');
    await page.evaluate('history.back()');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await select((await key.textContent())!.length);
    await page.keyboard.press('Control+c');
    await page.goto(`${app.url}/`);
    expect(asked).toEqual(['beforeunload']);
  });

  it('does not keep a page that another account takes over', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'Odile Fenn', plan: 'pro' });
    const { opened, page, asked, key } = await openNewKey();
    await using _ = opened;
    const other = await page.context().newPage();
    await other.goto(`${app.url}/dashboard/keys`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').fill(plaintext);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('You are now signed in as Odile Fenn.').waitFor();
    expect(await key.count()).toBe(0);
    expect(asked).toEqual([]);
  });

  it('does not keep a page on which another account signs in', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'Odile Fenn', plan: 'pro' });
    const { opened, page, asked, key } = await openNewKey();
    await using _ = opened;
    const other = await page.context().newPage();
    await other.goto(`${app.url}/dashboard/keys`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').waitFor();
    await page.bringToFront();
    const again = page.getByRole('dialog').last();
    await again.getByLabel('API key').fill(plaintext);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await expect.poll(() => key.count()).toBe(0);
    expect(asked).toEqual([]);
  });

  it('is shown after Close and Escape: the link of a thread', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const letThrough = await holdAnswers(page, '**/share');
    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await tryToClose(page);
    letThrough();
    await page.getByLabel('Link', { exact: true }).waitFor();
    expect(opened.problems).toEqual([]);
  });
});
