/** Texts that are longer than a screen, or written from right to left, in questions and answers. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, phone } from '../../support/browser/browser.ts';
import { ask, type ChatServer, question, saying, startChatServer, waitForAnswer } from '../../support/browser/chat.ts';

describe.skipIf(hasNoBrowser)('unusual texts', () => {
  let server: ChatServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  it.each([{ viewport: { width: 1280, height: 800 } }, phone])(
    'shows the first lines of a question of 10,000 characters, and all of it on demand',
    async (options) => {
      const pasted = `${question} ${'The keeper wrote it into the log. '.repeat(300)}${'x'.repeat(300)}`;
      await using opened = await openPage(browser, server.app.url, { ...options, key: server.app.key });
      const { page } = opened;
      await ask(page, pasted);
      await waitForAnswer(page);
      const heading = page.locator('.question');
      const height = async () => (await heading.boundingBox())!.height;
      const cut = await height();
      expect(cut).toBeLessThan(220);
      expect(await heading.textContent()).toBe(pasted.trim());
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show all' }).click();
      expect(await height()).toBeGreaterThan(3 * cut);
      await page.getByRole('button', { name: 'Show less' }).click();
      expect(await height()).toBe(cut);
    },
  );

  it.each([{ viewport: { width: 1280, height: 800 } }, phone])(
    'breaks a word of a question that is longer than a line',
    async (options) => {
      await using opened = await openPage(browser, server.app.url, { ...options, key: server.app.key });
      const { page } = opened;
      await ask(page, `${question} ${'w'.repeat(400)}`);
      await waitForAnswer(page);
      const heading = (await page.locator('.question').boundingBox())!;
      const edit = (await page.getByRole('button', { name: 'Edit question' }).boundingBox())!;
      expect(heading.x + heading.width).toBeLessThanOrEqual(edit.x);
    },
  );

  it('leaves the screen to the answer where that is low, as at a large zoom', async () => {
    const viewport = { width: 640, height: 400 };
    await using opened = await openPage(browser, server.app.url, { viewport, key: server.app.key });
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    await page.locator('.prose').evaluate((answer) => answer.scrollIntoView({ block: 'start' }));
    const answer = (await page.locator('.prose').boundingBox())!;
    const composer = (await page.locator('.composer').boundingBox())!;
    expect(composer.y).toBeGreaterThanOrEqual(Math.min(answer.y + answer.height, viewport.height));
  });

  it('shows a question of usual length in full', async () => {
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    await ask(opened.page);
    await opened.page.getByRole('heading', { name: question }).waitFor();
    expect(await opened.page.getByRole('button', { name: 'Show all' }).count()).toBe(0);
  });

  it('prints all of code, tables and a long question, in dark colours on white paper', async () => {
    const line = '0123456789 '.repeat(30);
    const cells = (text: string) => `| ${Array.from({ length: 12 }, () => text).join(' | ')} |`;
    const table = [cells('Head'), cells('---'), cells('wwwwwwwwwwwwwwwwwwww')].join('\n');
    server.model.script = saying(`It stands. [1]\n\n\`\`\`text\n${line}\n\`\`\`\n\n${table}`);
    const viewport = { width: 720, height: 1000 };
    await using opened = await openPage(browser, server.app.url, { viewport, key: server.app.key });
    const { page } = opened;
    await page.evaluate("localStorage.setItem('citewire.theme', 'dark')");
    await page.reload();
    await ask(page, `${question} ${'The keeper wrote it into the log. '.repeat(60)}`);
    await waitForAnswer(page);
    await page.locator('.prose table').waitFor();
    await page.emulateMedia({ media: 'print' });
    const overflows = await page
      .locator('.prose pre, .prose .table, .question, html')
      .evaluateAll((all) => all.map((each) => [each.tagName, each.scrollWidth - each.clientWidth]));
    expect(overflows.filter(([, by]) => Number(by) > 0)).toEqual([]);
    const lost = await page
      .locator('.question')
      .evaluate((element) => getComputedStyle(element).display === '-webkit-box' || element.scrollHeight < 100);
    expect(lost).toBe(false);
    for (const name of ['Copy code', 'Show all']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    const colours = await page.locator('html').evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [color, backgroundColor].map((each) => each.match(/\d+/g)!.slice(0, 3).map(Number));
    });
    expect(Math.max(...colours[0]!)).toBeLessThan(100);
    expect(Math.min(...colours[1]!)).toBeGreaterThan(200);
  });

  it('writes each part of the page from the side where its language begins', async () => {
    const hebrew = 'המגדלור נבנה בשנת 1912.';
    server.model.script = saying(`${hebrew} [1]\n\n- ראשון\n- שני\n\nThe lighthouse was built in 1912. [1]`);
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const { page } = opened;
    const typed = 'מי תכנן את Heron Point Lighthouse?';
    await page.getByLabel('Your question').fill(typed);
    const directionOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    expect(await directionOf('.composer > textarea')).toBe('rtl');
    await page.keyboard.press('Enter');
    await waitForAnswer(page);
    expect(await directionOf('.question')).toBe('rtl');
    // It begins at the right of its line.
    const line = (await page.locator('.question').boundingBox())!;
    const edit = (await page.getByRole('button', { name: 'Edit question' }).boundingBox())!;
    expect(edit.x - line.x - line.width).toBeLessThan(20);
    const directions = await page
      .locator('.prose > div')
      .evaluateAll((blocks) => blocks.map((block) => [block.textContent, getComputedStyle(block).direction]));
    expect(directions).toEqual([
      [expect.stringContaining('המגדלור'), 'rtl'],
      [expect.stringContaining('ראשון'), 'rtl'],
      [expect.stringContaining('The lighthouse'), 'ltr'],
    ]);
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    // Its bullets are at the right.
    const [list, item] = [await box('.prose ul'), await box('.prose li')];
    expect(item.x + item.width).toBeLessThan(list.x + list.width - 10);
    expect(await directionOf('.history-title')).toBe('rtl');
    expect(opened.problems).toEqual([]);
  });
});
