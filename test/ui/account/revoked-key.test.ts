/** The chat after the key was revoked that its browser signed in with. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  question,
  slowly,
  startChatServer,
  textOf,
  waitForAnswer,
} from '../../support/browser/chat.ts';
import { createDeferred } from '../../support/deferred.ts';
import type { TestApp } from '../../support/start-app.ts';

const unauthorized = { code: 'unauthorized', message: 'Expected a valid API key.', retryable: false };

describe.skipIf(hasNoBrowser)('the chat without its key', () => {
  let server: ChatServer;
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    server.model.script = slowly(1);
    app = server.app;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  it('asks once for another key, and then reads what could not be read and asks what could not be asked', async () => {
    const name = 'to be revoked, too';
    const { plaintext, key } = await app.accounts.createKey({ name, account: developmentAccount });
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    const signedOut = page.locator('.turn').getByText('You are signed out', { exact: true });
    for (const prompt of [question, 'And when was it first lit?']) {
      await ask(page, prompt);
      await waitForAnswer(page);
    }
    // Revoked after the thread has been read, and before its answers are.
    const isRevoked = createDeferred();
    await page.route(/\/v1\/search\/s_/, async (route) => {
      await isRevoked.promise;
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await app.accounts.revokeKey(key.id);
    isRevoked.resolve();
    await expect.poll(() => signedOut.count()).toBe(2);
    await ask(page, 'Of what is it built?');
    await page.getByText('Your question will be asked next.').waitFor();
    expect(await signedOut.count()).toBe(2);
    expect(await page.getByLabel('API key').count()).toBe(1);
    expect(await page.getByText(`signed in with the key “${name}”, which the server no longer accepts`).count()).toBe(
      1,
    );
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForAnswer(page);
    await expect.poll(() => signedOut.count()).toBe(0);
    const asked = [question, 'And when was it first lit?', 'Of what is it built?'];
    await expect.poll(() => page.locator('.question').allTextContents()).toEqual(asked);
    expect(await page.locator('.turn').first().locator('.prose').first().textContent()).toContain('Ingrid Solvay');
  });

  it('does not say that the key was revoked where another tab signed out', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${app.url}/dashboard`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').waitFor();
    await page.getByText('The session of this browser has ended. Sign in again to continue.').waitFor();
    expect(await page.getByText('which the server no longer accepts').count()).toBe(0);
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await ask(page);
    await waitForAnswer(page);
  });

  it('shows the form to sign in above the question box where a long answer was interrupted', async () => {
    const { plaintext, key } = await app.accounts.createKey({ name: 'short', account: developmentAccount });
    await using opened = await openPage(browser, app.url, { key: plaintext, viewport: { width: 390, height: 700 } });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.route(/\/v1\/search\/s_/, (route) => route.fulfill({ status: 401, json: { error: unauthorized } }));
    await page.reload();
    // Its session was read while the key was good.
    await page.locator('.dock').waitFor();
    await app.accounts.revokeKey(key.id);
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.waitFor();
    const box = (await page.locator('.dock').boundingBox())!;
    await expect.poll(async () => (await button.boundingBox())!.y).toBeLessThan(box.y);
  });

  it('asks for another key where a thread cannot be opened with the one that was revoked, and opens it then', async () => {
    const { plaintext, key } = await app.accounts.createKey({ name: 'brief', account: developmentAccount });
    await using opened = await openPage(browser, app.url, { key: plaintext });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'New thread' }).click();
    await app.accounts.revokeKey(key.id);
    await page.goBack();
    await page.getByText('signed in with the key “brief”, which the server no longer accepts').waitFor();
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: question }).waitFor();
    await expect.poll(() => textOf(page)).toContain('Ingrid Solvay');
  });
});
