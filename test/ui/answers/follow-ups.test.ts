/** Questions to ask next, below the last answer in the chat. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { ask, waitForAnswer } from '../../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const pool = `# The pool

## When does the pool open?

The pool opens at 7 o'clock on weekdays.

## How much is a ticket for the pool?

A ticket for the pool costs 4 euros.

## May dogs come to the pool?

Dogs may not come to the pool.
`;

describe.skipIf(hasNoBrowser)('questions to ask next', () => {
  const folder = temporaryFolder();
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    await writeFile(join(folder, 'pool.md'), pool);
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    await app.corpus.index({ kind: 'folder', path: folder });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  it('are buttons below the last answer alone, and a click asks one in the same thread', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page, 'When does the pool open?');
    await waitForAnswer(page);
    const next = page.getByRole('navigation', { name: 'Ask next' });
    const button = next.getByRole('button', { name: 'How much is a ticket for the pool?' });
    await button.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await next.isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'ask-next.png') });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    await expect
      .poll(() => page.getByRole('article').last().textContent())
      .toContain('A ticket for the pool costs 4 euros.');
    await expect.poll(() => page.getByRole('article').first().getByRole('navigation').count()).toBe(0);
    // Their button went, and so does this one.
    const isAtLast = () => page.evaluate(`document.activeElement === [...document.querySelectorAll('article')].at(-1)`);
    await expect.poll(isAtLast).toBe(true);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Ask again' }).last().press('Enter');
    await page.getByText('2 of 2').waitFor();
    await expect.poll(isAtLast).toBe(true);
    await page.getByRole('button', { name: 'New thread' }).press('Enter');
    await expect.poll(() => page.evaluate(`document.activeElement.localName`)).toBe('textarea');
    expect(
      await page
        .getByRole('article')
        .last()
        .getByRole('button', { name: /How much is a ticket/ })
        .count(),
    ).toBe(0);
  });

  it('are legible on a phone, in both themes', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, ...phone });
    const { page } = opened;
    await ask(page, 'May dogs come to the pool?');
    await waitForAnswer(page);
    await page.getByRole('navigation', { name: 'Ask next' }).waitFor();
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'ask-next-phone.png'), fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  it('are not there after an answer that was not found', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key });
    const { page } = opened;
    await ask(page, 'Who discovered the moons of Saturn?');
    await expect.poll(() => page.getByRole('article').getAttribute('aria-busy')).toBe('false');
    expect(await page.getByRole('navigation', { name: 'Ask next' }).count()).toBe(0);
  });
});
