/**
 * Two tabs of a browser have one session: what a tab shows belongs to the account that is signed in, and says when that has
 * changed.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  question,
  searchIdOf,
  slowly,
  startChatServer,
  waitForAnswer,
} from '../../support/browser/chat.ts';
import { newSignInPath } from '../../support/browser/dashboard.ts';

describe.skipIf(hasNoBrowser)('a tab after another one has signed in', () => {
  let server: ChatServer;
  let browser: Browser;
  let otherKey: string;
  beforeAll(async () => {
    server = await startChatServer();
    server.model.script = slowly(1);
    ({ plaintext: otherKey } = await server.app.accounts.createKey({ plan: 'pro', name: 'Odile Fenn' }));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  async function openAnswered() {
    const { app } = server;
    const { plaintext } = await app.accounts.createKey({ plan: 'pro', name: 'Maren Lind' });
    const opened = await openPage(browser, app.url, { key: plaintext });
    await ask(opened.page);
    await waitForAnswer(opened.page);
    return opened;
  }
  /** Opens another tab there and ends the session. */
  async function signOutElsewhere(page: Page): Promise<Page> {
    const other = await page.context().newPage();
    await other.goto(`${server.app.url}/`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').waitFor();
    return other;
  }
  async function signIn(page: Page, key: string): Promise<void> {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  /** Nothing of the account before is left, and the page says whose it is now. */
  async function isOfOther(page: Page): Promise<void> {
    await page.locator('.toast').getByText('You are now signed in as Odile Fenn.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'What would you like to know?' }).waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
    expect(page.url()).toBe(`${server.app.url}/`);
  }

  it('to the same account with a link goes on where it is', async () => {
    const { app } = server;
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const other = await page.context().newPage();
    await other.goto(app.url + (await newSignInPath(app)));
    await other.getByRole('button', { name: 'Use the link' }).click();
    await other.getByLabel('Your question').waitFor();
    await ask(page, 'How tall is the lighthouse?');
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await waitForAnswer(page);
    expect(await page.locator('.question').allTextContents()).toEqual([question, 'How tall is the lighthouse?']);
  });

  it('to another account is loaded again for that one', async () => {
    await using opened = await openAnswered();
    const { page } = opened;
    await page.getByLabel('Your question').fill('A question of Maren');
    await signIn(await signOutElsewhere(page), otherKey);
    await isOfOther(page);
    await page.getByText('Your threads will appear here.').waitFor();
    expect(await page.getByLabel('Your question').inputValue()).toBe('');
    await ask(page);
    await waitForAnswer(page);
  });

  it('that signed out shows nothing of the account, and the same with what was being written once somebody signs in', async () => {
    const { plaintext } = await server.app.accounts.createKey({ plan: 'pro', name: 'Maren Lind' });
    await using opened = await openPage(browser, server.app.url, { key: plaintext });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const dashboard = await page.context().newPage();
    await dashboard.goto(`${server.app.url}/dashboard/searches/${searchIdOf(page)}`);
    await dashboard.getByRole('main').getByRole('heading', { level: 1, name: question }).waitFor();
    expect(await dashboard.title()).toBe(`${question} – Citewire`);
    await page.getByLabel('Your question').fill('A question of Maren');
    const other = await signOutElsewhere(page);
    await page.getByText('The session of this browser has ended.').waitFor();
    expect(await page.locator('.turn, .history, .composer').count()).toBe(0);
    await dashboard.getByRole('dialog').getByLabel('API key').waitFor();
    expect(await dashboard.locator('main').isVisible()).toBe(false);
    await expect.poll(() => dashboard.title()).toBe('Sign in – Citewire');
    await signIn(other, plaintext);
    await waitForAnswer(page);
    expect(await page.locator('.question').allTextContents()).toEqual([question]);
    expect(await page.getByLabel('Your question').inputValue()).toBe('A question of Maren');
    await dashboard.getByRole('main').getByRole('heading', { level: 1, name: question }).waitFor();
    expect(await dashboard.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => dashboard.title()).toBe(`${question} – Citewire`);
  });

  it('is loaded again where one signs in on it as another account', async () => {
    await using opened = await openAnswered();
    const { page } = opened;
    await signOutElsewhere(page);
    await page.getByText('The session of this browser has ended.').waitFor();
    await signIn(page, otherKey);
    await isOfOther(page);
  });
});
