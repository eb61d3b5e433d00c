/** The source page beside an answer and the Back button of the browser, on a screen that is wide enough for both. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { ask, type ChatServer, question, slowly, startChatServer, waitForAnswer } from '../../support/browser/chat.ts';

const second = 'And when was it first lit?';

describe.skipIf(hasNoBrowser)('going back from a source page beside the answer', () => {
  let server: ChatServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    server.model.script = slowly(1);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  async function openAnswer() {
    // Wide enough for the threads, too.
    const viewport = { width: 1_600, height: 900 };
    const opened = await openPage(browser, server.app.url, { key: server.app.key, viewport });
    await ask(opened.page);
    await waitForAnswer(opened.page);
    return opened;
  }
  async function openReader(page: Page): Promise<void> {
    await page.locator('.marker').first().click();
    await page.locator('.reader .cited').first().waitFor();
  }
  const closed = (page: Page) => page.locator('.reader').waitFor({ state: 'detached' });
  const shown = (page: Page) => page.locator('.question').allTextContents();
  const isStart = (page: Page) => page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();

  it('closes the page first, and leaves the thread only then', async () => {
    await using opened = await openAnswer();
    const { page } = opened;
    const thread = page.url();
    await openReader(page);
    await page.goBack();
    await closed(page);
    expect([page.url(), await shown(page)]).toEqual([thread, [question]]);
    await openReader(page);
    await page.keyboard.press('Escape');
    await closed(page);
    await page.goBack();
    await isStart(page);
    expect(opened.problems).toEqual([]);
  });

  it('shows messages over the answers, not over the button that asks', async () => {
    await using opened = await openAnswer();
    const { page } = opened;
    await page.setViewportSize({ width: 1_280, height: 900 });
    await openReader(page);
    await page.getByRole('button', { name: 'Copy quote' }).click();
    const toast = (await page.locator('.toast').boundingBox())!;
    const send = (await page.locator('.composer-send').boundingBox())!;
    expect(toast.x + toast.width).toBeLessThan(send.x);
  });

  it('opens the page again when its reader goes forward, however it was closed', async () => {
    await using opened = await openAnswer();
    const { page } = opened;
    const thread = page.url();
    const cited = page.locator('.reader .cited').first();
    await openReader(page);
    await page.goBack();
    await closed(page);
    await page.goForward();
    await cited.waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    // Its entry of the history goes a moment later.
    await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
    await page.goForward();
    await cited.waitFor();
    await page.goBack();
    await closed(page);
    expect([page.url(), await shown(page)]).toEqual([thread, [question]]);
    await page.goBack();
    await isStart(page);
    await page.goForward();
    await expect.poll(() => shown(page)).toEqual([question]);
    expect(opened.problems).toEqual([]);
  });

  it('stays in place when its reader goes forward to a page that can no longer be opened', async () => {
    await using opened = await openAnswer();
    const { page } = opened;
    const length = await page.evaluate(() => history.length);
    await openReader(page);
    await page.goBack();
    await closed(page);
    await ask(page, second);
    await waitForAnswer(page);
    const later = page.url();
    await page.goForward();
    // It goes forward and back again by itself.
    await expect
      .poll(() => page.evaluate(() => [history.length, history.state?.cover ?? null]))
      .toEqual([length + 1, null]);
    expect([page.url(), await shown(page)]).toEqual([later, [question, second]]);
    await page.goBack();
    await isStart(page);
    expect(opened.problems).toEqual([]);
  });

  it('leaves the thread in one step after a reload with the page open, as nothing is open any more', async () => {
    await using opened = await openAnswer();
    const { page } = opened;
    const thread = page.url();
    await openReader(page);
    await page.reload();
    await expect.poll(() => shown(page)).toEqual([question]);
    expect(page.url()).toBe(thread);
    await page.goBack();
    await isStart(page);
    expect(opened.problems).toEqual([]);
  });

  it.each(['the Back button', 'Escape'])(
    'keeps the address of a follow-up that was asked meanwhile: %s',
    async (by) => {
      await using opened = await openAnswer();
      const { page } = opened;
      const before = page.url();
      await openReader(page);
      await ask(page, second);
      await waitForAnswer(page);
      await expect.poll(() => page.url()).not.toBe(before);
      const after = page.url();
      if (by === 'Escape') await page.keyboard.press('Escape');
      else await page.goBack();
      await closed(page);
      await expect.poll(() => page.url()).toBe(after);
      await page.reload();
      await expect.poll(() => shown(page)).toEqual([question, second]);
    },
  );

  it('goes from a thread that was opened meanwhile to the one before in one step', async () => {
    await using opened = await openAnswer();
    const { page } = opened;
    const thread = page.url();
    await page.getByRole('button', { name: 'New thread' }).click();
    await isStart(page);
    await ask(page, second);
    await waitForAnswer(page);
    const other = page.url();
    await openReader(page);
    await page.locator('.history-item[aria-current="true"]').waitFor();
    await page.locator('.history-item:not([aria-current])').first().click();
    await expect.poll(() => shown(page)).toEqual([question]);
    await closed(page);
    expect(page.url()).toBe(thread);
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual([second]);
    expect(page.url()).toBe(other);
    await page.goBack();
    await isStart(page);
  });
});
