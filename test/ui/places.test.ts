/** What stays in its place on the page of the chat: the answers that were scrolled to, the question box, and what is beside them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import { ask, type ChatServer, slowly, startChatServer, waitForAnswer } from '../support/browser/chat.ts';
import { createDeferred } from '../support/deferred.ts';

describe.skipIf(hasNoBrowser)('in its place stays', () => {
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

  const open = (options: PageOptions = {}) => openPage(browser, server.app.url, { key: server.app.key, ...options });
  const scrolledTo = (page: Page) => page.getByRole('main').evaluate((main) => Math.round(main.scrollTop));

  it('what is read, after a reload, after a visit to the dashboard, and after another thread', async () => {
    await using opened = await open({ viewport: { width: 1_300, height: 500 } });
    const { page, problems } = opened;
    for (const prompt of ['Who designed the Heron Point Lighthouse?', 'And when was it first lit?']) {
      await ask(page, prompt);
      await waitForAnswer(page);
    }
    await page.mouse.move(600, 200);
    await page.mouse.wheel(0, -5_000);
    await expect.poll(() => scrolledTo(page)).toBe(0);
    await page.mouse.wheel(0, 230);
    await expect.poll(() => scrolledTo(page)).toBe(230);
    await page.reload();
    await waitForAnswer(page);
    await expect.poll(() => scrolledTo(page)).toBe(230);
    await page.goto(`${server.app.url}/dashboard`);
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.goBack();
    await waitForAnswer(page);
    await expect.poll(() => scrolledTo(page)).toBe(230);
    await page.getByRole('button', { name: 'New thread' }).click();
    await ask(page, 'What is the kettle API?');
    await waitForAnswer(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('.turn[aria-busy="false"]').count()).toBe(2);
    await expect.poll(() => scrolledTo(page)).toBe(230);
    expect(problems).toEqual([]);
  });

  it.each([{ viewport: { width: 1_300, height: 900 } }, phone])(
    'the question box, when suggestions appear below it',
    async (options) => {
      await using opened = await open({ path: '/not-found', ...options });
      const { page } = opened;
      const isAsked = createDeferred();
      const isReleased = createDeferred();
      await page.route('**/v1/suggestions*', async (route) => {
        isAsked.resolve();
        await isReleased.promise;
        await route.continue();
      });
      await page.goto(server.app.url);
      await isAsked.promise;
      const box = page.locator('.composer');
      await box.waitFor();
      const before = (await box.boundingBox())!;
      isReleased.resolve();
      await page.locator('.first-steps, .examples').first().waitFor();
      expect((await box.boundingBox())!.y).toBe(before.y);
    },
  );

  it('the answer in a window that becomes narrow: the list of threads does not cover it', async () => {
    await using opened = await open({ viewport: { width: 1_300, height: 800 } });
    const { page } = opened;
    const list = page.getByRole('navigation', { name: 'Threads' });
    await list.waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await list.waitFor({ state: 'detached' });
    await ask(page);
    await waitForAnswer(page);
  });

  it('a message on a phone above the buttons of the question box', async () => {
    await using opened = await open({ ...phone, viewport: { width: 390, height: 800 } });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('toolbar', { name: 'Answer actions' }).getByRole('button').first().click();
    const item = page.getByRole('menuitem').first();
    if (await item.isVisible()) await item.click();
    const toast = (await page.locator('.toast').first().boundingBox())!;
    const box = (await page.locator('.composer').boundingBox())!;
    expect(toast.y + toast.height).toBeLessThanOrEqual(box.y);
  });
});
