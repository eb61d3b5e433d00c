/** What the pages tell a new user: commands as they are called on this server, and only what is still to be done. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../src/access/accounts.ts';
import { commandName } from '../../src/base/own-package.ts';
import { hasNoBrowser, openBrowser, openPage } from '../support/browser/browser.ts';
import { startChatServer } from '../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

describe.skipIf(hasNoBrowser)('a new user', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const stepsAt = async ({ url, key }: Pick<TestApp, 'url' | 'key'>) => {
    await using opened = await openPage(browser, url, { key });
    const steps = opened.page.getByRole('region', { name: 'First steps' });
    await steps.waitFor();
    const titles = await steps.getByRole('heading', { level: 3 }).allTextContents();
    return { titles, commands: await steps.locator('code').allTextContents() };
  };

  it('shows how to connect a model where there is none', async () => {
    await using app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    expect(await stepsAt(app)).toEqual({
      titles: ['Ask your own documents', 'Connect a model', 'Call it from programs'],
      commands: [`${commandName} index ~/Documents`, `MODEL=… OPENAI_BASE_URL=… ${commandName} serve`],
    });
  });

  it('is not told how to connect a model where there is one', async () => {
    await using server = await startChatServer();
    expect((await stepsAt(server.app)).titles).toEqual(['Ask your own documents', 'Call it from programs']);
  });

  it('is not told so either with a key that may only run APIs', async () => {
    await using server = await startChatServer();
    const { plaintext } = await server.app.accounts.createKey({
      name: 'runs',
      account: developmentAccount,
      scopes: ['run'],
    });
    await using opened = await openPage(browser, server.app.url, { key: plaintext });
    const steps = opened.page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('heading', { name: 'Call it from programs' }).waitFor();
    await expect.poll(() => steps.getByRole('heading', { level: 3 }).count()).toBe(2);
  });

  it.each(['/', '/dashboard'])('finds the command for a sign-in link on %s', async (path) => {
    await using app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    await using opened = await openPage(browser, app.url, { path });
    await opened.page.getByText(`${commandName} login`, { exact: true }).waitFor();
  });
});
