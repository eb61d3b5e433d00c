/** What a slip of the hand, a key pressed once too often or a browser without a clipboard must not do to a page. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  question,
  saying,
  slowly,
  startChatServer,
  waitForAnswer,
} from '../support/browser/chat.ts';
import { openDashboard } from '../support/browser/dashboard.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A point of the backdrop of every dialog. */
const corner = [5, 5] as const;

describe.skipIf(hasNoBrowser)('a slip', () => {
  const folder = temporaryFolder();
  let server: ChatServer;
  let browser: Browser;
  beforeAll(async () => {
    await writeFile(join(folder, 'pool.md'), '# The pool\n\nThe pool opens at 7.\n');
    server = await startChatServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  async function open(options: PageOptions = {}, url = server.app.url) {
    const { plaintext } = await server.app.accounts.createKey({ plan: 'pro', name: 'reader' });
    return openPage(browser, url, { key: plaintext, ...options });
  }
  const quickly = () => {
    server.model.script = slowly(1);
  };
  /** Long enough that it runs until the test has ended. */
  const endlessly = () => {
    server.model.script = slowly(30, 200);
  };
  const stop = (page: Page) => page.getByRole('button', { name: 'Stop' });
  const isRunning = async (page: Page) =>
    (await page.getByText('Stopped', { exact: true }).count()) === 0 && (await stop(page).isVisible());
  async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to);
    await page.mouse.up();
  }
  async function skip(page: Page) {
    await page.locator('.skip-link').focus();
    await page.keyboard.press('Enter');
  }
  const focused = (page: Page) => page.evaluate('document.activeElement.id || document.activeElement.tagName');
  async function share(page: Page): Promise<string> {
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    return page.getByLabel('Link', { exact: true }).inputValue();
  }

  it('of the mouse beside a dialog keeps a form and a key that is shown once; a click beside a form closes it', async () => {
    await using opened = await openDashboard(browser, server.app, '/keys');
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New key' }).click();
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('laptop');
    const box = (await name.boundingBox())!;
    const field = [box.x + 20, box.y + box.height / 2] as const;
    await drag(page, field, corner);
    expect(await name.inputValue()).toBe('laptop');
    await drag(page, corner, field);
    expect(await name.inputValue()).toBe('laptop');
    await page.mouse.click(...corner);
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'New key' }).click();
    await name.fill('laptop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = dialog.locator('code');
    await key.waitFor();
    const text = (await key.boundingBox())!;
    await drag(page, [text.x + 5, text.y + 5], corner);
    await page.mouse.click(...corner);
    expect(await key.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(opened.problems).toEqual([]);
  });

  it('into the skip link moves the focus only, and keeps a shared thread and its secret', async () => {
    quickly();
    await using opened = await open();
    const link = await share(opened.page);
    await using reader = await openPage(browser, server.app.url, { path: link.slice(server.app.url.length) });
    const heading = reader.page.getByRole('heading', { level: 1, name: question });
    await heading.waitFor();
    await skip(reader.page);
    await expect.poll(() => focused(reader.page)).toBe('main');
    expect(reader.page.url()).toBe(link);
    await reader.page.reload();
    await heading.waitFor();
    expect(reader.problems).toEqual([]);
  });

  it('into the skip link of the chat, or a change of the fragment, keeps the attached documents and a question', async () => {
    endlessly();
    await using opened = await open();
    const { page } = opened;
    await page.locator('input[type=file][multiple]').first().setInputFiles(join(folder, 'pool.md'));
    const attached = page.getByRole('list', { name: 'Attached documents' }).getByText('pool.md');
    await page.getByText('Answers come from these documents only.').waitFor();
    const url = page.url();
    await skip(page);
    await expect.poll(() => focused(page)).toBe('main');
    expect(page.url()).toBe(url);
    expect(await attached.isVisible()).toBe(true);
    await page.evaluate(`new Promise((told) => {
      addEventListener('hashchange', told, { once: true });
      location.hash = 'elsewhere';
    })`);
    expect(await attached.isVisible()).toBe(true);
    expect(opened.problems).toEqual([]);
  });

  it('with Escape in a field or in the list of threads ends only what is done there, not a running search', async () => {
    quickly();
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    endlessly();
    await ask(page, 'How tall is the lighthouse?');
    await stop(page).waitFor();
    await page.getByRole('button', { name: 'Edit question' }).first().click();
    const editor = page.getByRole('textbox', { name: 'Edit question' });
    await editor.press('Escape');
    await editor.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.title')).toBe('Edit question');
    await page.keyboard.press('Enter');
    await page.locator('.question-editor').getByRole('button', { name: 'Cancel' }).press('Escape');
    await editor.waitFor({ state: 'detached' });
    expect(await isRunning(page)).toBe(true);
    await page.getByLabel('Search threads').fill('heron');
    await page.getByLabel('Search threads').press('Escape');
    expect(await isRunning(page)).toBe(true);
    await page.getByLabel('Your question').press('Escape');
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(opened.problems).toEqual([]);
  });

  it('with Escape on a phone closes the list of threads, and the next one stops the search', async () => {
    endlessly();
    await using opened = await open(phone);
    const { page } = opened;
    await ask(page);
    await stop(page).waitFor();
    await page.getByRole('button', { name: 'Show threads' }).click();
    const list = page.getByRole('navigation', { name: 'Threads' });
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await isRunning(page)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText('Stopped', { exact: true }).waitFor();
  });

  it('on the Back button of a phone closes the list of threads, and leaves the thread only then', async () => {
    quickly();
    await using opened = await open(phone);
    const { page } = opened;
    await ask(page);
    await waitForAnswer(page);
    const thread = page.url();
    const list = page.getByRole('navigation', { name: 'Threads' });
    const show = () => page.getByRole('button', { name: 'Show threads' }).click();
    await show();
    await list.waitFor();
    await page.goBack();
    await list.waitFor({ state: 'detached' });
    expect(page.url()).toBe(thread);
    await page.getByRole('heading', { name: question }).waitFor();
    await page.goForward();
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('history.state')).toBe(null);
    await page.goBack();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await show();
    await list.getByRole('button', { name: question, exact: true }).click();
    await list.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: question }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });

  it('that clicks Send twice does not stop the search, and a double click on Stop sends nothing', async () => {
    endlessly();
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel('Your question').fill(question);
    const box = (await page.getByRole('button', { name: 'Ask', exact: true }).boundingBox())!;
    const at = [box.x + box.width / 2, box.y + box.height / 2] as const;
    const secondClick = async () => {
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
    };
    await page.mouse.click(...at);
    await stop(page).waitFor();
    const now = (await stop(page).boundingBox())!;
    await page.mouse.move(now.x + now.width / 2, now.y + now.height / 2);
    await secondClick();
    expect(await isRunning(page)).toBe(true);
    await page.getByLabel('Your question').fill('How tall is it?');
    await stop(page).click();
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
    await secondClick();
    expect(await page.getByLabel('Your question').inputValue()).toBe('How tall is it?');
    expect(await page.locator('.turn').count()).toBe(1);
  });

  it('is none on plain HTTP, where the page has no clipboard: each copy button copies, and says so if it could not', async () => {
    server.model.script = saying('```js\nlet a = 1;\n```\n\nThe Heron Point Lighthouse stands. [1]');
    // An address of this machine that browsers do not trust as they do 127.0.0.1.
    const url = server.app.url.replace('127.0.0.1', '0.0.0.0');
    await using opened = await open({}, url);
    const { page } = opened;
    expect(await page.evaluate('isSecureContext')).toBe(false);
    const search = page.getByLabel('Search threads');
    /** What the clipboard has, pasted into a field and taken away again. */
    const pasted = async () => {
      await search.press('Control+V');
      const text = await search.inputValue();
      await search.fill('');
      return text;
    };
    await ask(page);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Copy code' }).click();
    await page.getByText('Code copied.').waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Copy code');
    expect(await pasted()).toBe('let a = 1;');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Link', exact: true }).click();
    await page.getByText('Link copied.').waitFor();
    expect(await pasted()).toBe(page.url());
    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied.', { exact: true }).waitFor();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await page.keyboard.press('Escape');
    expect(await pasted()).toBe(link);
    await page.locator('.marker').first().click();
    await page.evaluate('document.execCommand = () => false');
    await page.getByRole('button', { name: 'Copy quote' }).click();
    await page.getByText('The browser blocked copying.').waitFor();
    expect(opened.problems).toEqual([]);
  });
});
