/** A dropped connection loses nothing: the answer on the page equals the stored one, wherever and however it was cut. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  plainText,
  searchIdOf,
  slowly,
  startChatServer,
  textOf,
  waitForAnswer,
} from '../../support/browser/chat.ts';
import { type ChaosProxy, startChaosProxy } from '../../support/servers/chaos-proxy.ts';

const isUpgrade = (line: string) => line.includes('/v1/ws/search');

describe.skipIf(hasNoBrowser)('an answer over a connection that drops', () => {
  let server: ChatServer;
  let browser: Browser;
  let proxy: ChaosProxy;
  beforeAll(async () => {
    server = await startChatServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    proxy = await startChaosProxy(server.app.url);
    server.model.script = slowly(20, 6);
  });
  afterEach(() => proxy.close());

  const open = () => openPage(browser, proxy.url, { key: server.app.key });
  const answerOf = async (search_id: string) => {
    const record = await (await server.app.get(`/v1/search/${search_id}`)).json();
    return plainText(record.result.answer);
  };

  it('shows the complete stored answer after three dropped connections', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    for (const least of [20, 200, 500]) {
      await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(least);
      proxy.cutAll();
    }
    await waitForAnswer(page);
    expect(await textOf(page)).toBe(await answerOf(searchIdOf(page)));
    expect(proxy.requests.filter(isUpgrade).length).toBeGreaterThanOrEqual(3);
  });

  it('shows an unobtrusive notice while it reconnects', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(20);
    proxy.decide(() => ({ refuse: true }));
    proxy.cutAll();
    await page.getByText('Connection lost; reconnecting').waitFor();
    const shown = await textOf(page);
    expect(shown.length).toBeGreaterThan(20);
    proxy.decide(() => ({}));
    await waitForAnswer(page);
    expect(await page.getByText('Connection lost; reconnecting').count()).toBe(0);
    const text = await textOf(page);
    expect(text.startsWith(shown)).toBe(true);
    expect(text).toBe(await answerOf(searchIdOf(page)));
  });

  it('shows it at once when the browser has no network', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(20);
    await page.context().setOffline(true);
    await page.getByText('Connection lost; reconnecting').waitFor();
    await page.context().setOffline(false);
    await waitForAnswer(page);
    expect(await page.getByText('Connection lost; reconnecting').count()).toBe(0);
    expect(await textOf(page)).toBe(await answerOf(searchIdOf(page)));
  });

  it('shows it although events that were on their way still come', async () => {
    await using opened = await open();
    const { page } = opened;
    let isHeld = false;
    await page.routeWebSocket(/\/v1\/ws\//, (socket) => {
      const toServer = socket.connectToServer();
      const held: (string | Buffer)[] = [];
      toServer.onMessage((message) => {
        if (isHeld) held.push(message);
        else for (const each of [...held.splice(0), message]) socket.send(each);
      });
    });
    await page.reload();
    const notice = page.getByText('Connection lost; reconnecting');
    await ask(page);
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(20);
    // `setOffline` would hold back what is on its way, too.
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
      dispatchEvent(new Event('offline'));
    });
    const { length } = await textOf(page);
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(length);
    isHeld = true;
    // Long before the client finds the connection dead.
    await notice.waitFor({ timeout: 10_000 });
    isHeld = false;
    await waitForAnswer(page);
    expect(await notice.count()).toBe(0);
    expect(await textOf(page)).toBe(await answerOf(searchIdOf(page)));
  });

  it('continues over plain HTTP where WebSockets are blocked', async () => {
    proxy.decide((line) => ({ refuse: isUpgrade(line) }));
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    expect(await textOf(page)).toBe(await answerOf(searchIdOf(page)));
  });

  it('shows the answer again when the page is reloaded halfway', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(20);
    await page.reload();
    await waitForAnswer(page);
    expect(await textOf(page)).toBe(await answerOf(searchIdOf(page)));
  });
});
