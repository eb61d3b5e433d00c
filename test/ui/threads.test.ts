/** Conversations in the chat: kept, found, renamed, pinned, shared and exported; questions edited into other versions. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import {
  ask,
  type ChatServer,
  question,
  saying,
  searchIdOf,
  slowly,
  startChatServer,
  textOf,
  waitForAnswer,
} from '../support/browser/chat.ts';
import { createDeferred } from '../support/deferred.ts';
import { goodModel } from '../support/servers/model-server.ts';

describe.skipIf(hasNoBrowser)('threads in the chat', () => {
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

  /** A new account each, so that a test has the list for itself. */
  async function open(options: PageOptions = {}) {
    const { plaintext } = await server.app.accounts.createKey({ plan: 'pro', name: 'reader' });
    return openPage(browser, server.app.url, { key: plaintext, ...options });
  }
  const listOf = (page: Page) => page.getByRole('navigation', { name: 'Threads' });
  const titles = (page: Page) => listOf(page).locator('.history-title').allTextContents();
  const choose = async (page: Page, thread: string, action: string) => {
    const row = listOf(page).getByRole('listitem').filter({ hasText: thread });
    await row.hover();
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  async function askAndWait(page: Page, prompt?: string) {
    await ask(page, prompt);
    await waitForAnswer(page);
  }

  it('reads a thread once for all of its questions when it is opened', async () => {
    await using opened = await open();
    const { page } = opened;
    for (const prompt of [question, 'And when was it first lit?', 'Of what is it built?'])
      await askAndWait(page, prompt);
    let reads = 0;
    page.on('request', (request) => {
      if (/\/v1\/threads\/s_[\w-]+$/.test(request.url()) && request.method() === 'GET') reads += 1;
    });
    await page.reload();
    await waitForAnswer(page);
    await expect.poll(() => page.locator('.turn[aria-busy="false"]').count()).toBe(3);
    await page.getByRole('button', { name: 'Share thread' }).waitFor();
    // For its questions, and for its menu.
    expect(reads).toBe(2);
  });

  it('keeps one entry a conversation, and opens it as a whole', async () => {
    await using opened = await open();
    const { page } = opened;
    await askAndWait(page);
    await askAndWait(page, 'And when was it first lit?');
    await expect.poll(() => titles(page)).toEqual([question]);
    await page.getByRole('button', { name: 'New thread' }).click();
    await askAndWait(page, 'What is the kettle API?');
    await expect.poll(() => titles(page)).toEqual(['What is the kettle API?', question]);
    await listOf(page).getByRole('button', { name: question, exact: true }).click();
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'Copy', exact: true }).first().waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('.question').allTextContents()).toEqual(['What is the kettle API?']);
    expect(opened.problems).toEqual([]);
  });

  it('lists a new thread while its first answer is written, and after another one was begun', async () => {
    server.model.script = slowly(30, 200);
    await using opened = await open();
    const { page } = opened;
    await ask(page);
    const entry = listOf(page).getByRole('button', { name: question, exact: true });
    await entry.waitFor();
    await expect.poll(() => entry.getAttribute('aria-current')).toBe('true');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'New thread' }).click();
    await expect.poll(() => page.locator('.turn').count()).toBe(0);
    await entry.click();
    await page.locator('.turn[aria-busy="true"]').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    server.model.script = slowly(1);
  });

  it('says that an answer was lost that the server has no more, and asks again', async () => {
    await using opened = await open();
    const { page } = opened;
    await askAndWait(page);
    const search_id = searchIdOf(page);
    // What the server says of a search whose end it did not live to store.
    await page.route(`**/v1/search/${search_id}`, (route) =>
      route.continue({ url: route.request().url().replace(search_id, 's_unknown') }),
    );
    await page.reload();
    await page.getByText('This answer was lost: the server stopped').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitForAnswer(page);
    await page.getByText('2 of 2', { exact: true }).waitFor();
  });

  it('lists no search of an API key that is not part of a thread', async () => {
    const { plaintext } = await server.app.accounts.createKey({ plan: 'pro', name: 'caller' });
    await server.app.post('/v1/search', { prompt: question }, { 'x-api-key': plaintext });
    await using opened = await openPage(browser, server.app.url, { key: plaintext });
    await opened.page.getByText('Your threads will appear here.').waitFor();
  });

  it('asks another version of an edited question, and keeps the earlier one with its follow-ups', async () => {
    await using opened = await open();
    const { page } = opened;
    const shown = () => page.locator('.question').allTextContents();
    await askAndWait(page);
    await askAndWait(page, 'How tall is it?');
    await askAndWait(page, 'Who paid for it?');
    await page.getByRole('button', { name: 'Edit question' }).nth(1).click();
    await page.getByRole('textbox', { name: 'Edit question' }).fill('How old is it?');
    await page.keyboard.press('Enter');
    await expect.poll(shown).toEqual([question, 'How old is it?']);
    await waitForAnswer(page);
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Earlier version' }).click();
    await expect.poll(shown).toEqual([question, 'How tall is it?', 'Who paid for it?']);
    await page.reload();
    await expect.poll(shown).toEqual([question, 'How tall is it?', 'Who paid for it?']);
    await page.getByRole('button', { name: 'Later version' }).press('Enter');
    await expect.poll(shown).toEqual([question, 'How old is it?']);
    const focused = () => page.evaluate('document.activeElement.title');
    await expect.poll(focused).toBe('Earlier version');
    await page.keyboard.press('Enter');
    await expect.poll(shown).toEqual([question, 'How tall is it?', 'Who paid for it?']);
    await expect.poll(focused).toBe('Later version');
    await page.keyboard.press('Enter');
    await expect.poll(shown).toEqual([question, 'How old is it?']);
    expect(await titles(page)).toEqual([question]);
    expect(opened.problems).toEqual([]);
  });

  it('keeps the further threads that it lists when one of them is renamed', async () => {
    const { plaintext } = await server.app.accounts.createKey({ plan: 'pro', name: 'reader' });
    // Greetings need no model.
    const greetings = ['Hello!', ...Array.from({ length: 31 }, () => 'Thanks!')];
    for (const prompt of greetings) {
      await server.app.post('/v1/search', { prompt, thread: true }, { 'x-api-key': plaintext });
    }
    await using opened = await openPage(browser, server.app.url, { key: plaintext });
    const { page } = opened;
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => titles(page)).toHaveLength(32);
    await choose(page, 'Hello!', 'Rename');
    await page.getByLabel('Title').fill('The oldest');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await expect.poll(async () => (await titles(page)).includes('The oldest')).toBe(true);
    expect(await titles(page)).toHaveLength(32);
    expect(opened.problems).toEqual([]);
  });

  it('says that a thread was deleted in another tab, and asks the question in a new one', async () => {
    await using opened = await open();
    const { page } = opened;
    await askAndWait(page);
    const deleted = page.url();
    const other = await page.context().newPage();
    await other.goto(deleted);
    await choose(other, question, 'Delete');
    await other.getByRole('button', { name: 'Delete', exact: true }).click();
    await other.getByText('Your threads will appear here.').waitFor();
    await ask(page, 'How tall is the lighthouse?');
    await page.getByText('This thread was deleted', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ask in a new thread' }).click();
    await expect.poll(() => page.locator('.question').allTextContents()).toEqual(['How tall is the lighthouse?']);
    await waitForAnswer(page);
    expect(page.url()).not.toBe(deleted);
    await expect.poll(() => titles(page)).toEqual(['How tall is the lighthouse?']);
  });

  it('finds, renames, pins and deletes threads', async () => {
    await using opened = await open();
    const { page } = opened;
    for (const prompt of [question, 'What is the kettle API?']) {
      await askAndWait(page, prompt);
      await page.getByRole('button', { name: 'New thread' }).click();
    }
    await expect.poll(() => titles(page)).toHaveLength(2);
    await choose(page, question, 'Rename');
    await page.getByLabel('Title').fill('My lighthouse');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await expect.poll(() => titles(page)).toContain('My lighthouse');
    await choose(page, 'My lighthouse', 'Pin');
    await page.getByRole('heading', { name: 'Pinned' }).waitFor();
    expect((await titles(page))[0]).toBe('My lighthouse');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('DESIGNED heron');
    await expect.poll(() => titles(page)).toEqual(['My lighthouse']);
    await page.getByLabel('Search threads').fill('zebra');
    await page.getByText('No threads match.').waitFor();
    await page.getByLabel('Search threads').fill('');
    await choose(page, 'What is the kettle API?', 'Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => titles(page)).toEqual(['My lighthouse']);
    expect(opened.problems).toEqual([]);
  });

  it('shows the title that the model writes', async () => {
    server.model.script = (call, count) =>
      call.prompt.includes('Write a title') ? { text: 'Heron Point’s designer' } : goodModel(call, count);
    await using opened = await open();
    await askAndWait(opened.page);
    await expect.poll(() => titles(opened.page)).toEqual(['Heron Point’s designer']);
    server.model.script = slowly(1);
  });

  it('shares a thread with a reader who has no account, until the link is revoked', async () => {
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await askAndWait(page);
    const text = await textOf(page);
    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Copy link' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await using reader = await openPage(browser, server.app.url, { path: link.slice(server.app.url.length) });
    await reader.page.getByRole('heading', { level: 1, name: question }).waitFor();
    expect(await textOf(reader.page)).toBe(text);
    await reader.page.locator('.marker').first().click();
    await reader.page.locator('.reader .cited').first().waitFor();
    await expectAccessible(reader.page);
    expect(await reader.page.getByRole('button', { name: /Edit|Ask/ }).count()).toBe(0);
    expect(reader.problems).toEqual([]);
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('button', { name: 'Create link' }).waitFor();
    await reader.page.reload();
    await reader.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await reader.page.getByText('It has expired, was revoked, or is incomplete.', { exact: true }).waitFor();
    await expectAccessible(reader.page);
    await reader.page.getByRole('link', { name: 'Go to the start page' }).click();
    await reader.page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });

  it('says in a shared thread, too, that an answer is incomplete', async () => {
    await using opened = await open();
    const { page } = opened;
    server.model.script = saying(
      'It stands on a reef. Its keeper collected stamps. Its cat was grey. Its boat leaked.',
    );
    await askAndWait(page);
    server.model.script = slowly(1);
    await page.locator('.turn').getByText('This answer is incomplete.', { exact: true }).waitFor();
    await page
      .getByRole('status')
      .getByText(/^Answer incomplete, /)
      .waitFor();
    await page.getByRole('button', { name: 'Share thread' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await using reader = await openPage(browser, server.app.url, { path: link.slice(server.app.url.length) });
    await reader.page.locator('.turn').getByText('This answer is incomplete.', { exact: true }).waitFor();
    expect(reader.problems).toEqual([]);
  });

  it.each(['/?thread=s_1', '/?search=s_1'])('asks for a sign-in to see what a link leads to: %s', async (path) => {
    await using opened = await openPage(browser, server.app.url, { path });
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: 'Sign in to see this answer' }).waitFor();
    await page.getByLabel('API key or sign-in link').fill(server.app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Not found in this account').waitFor();
  });

  it('exports a thread as Markdown with footnotes, and as JSON', async () => {
    await using opened = await open();
    const { page } = opened;
    await askAndWait(page);
    await askAndWait(page, 'And when was it first lit?');
    const exported = async (name: string) => {
      await page.getByRole('button', { name: 'Thread', exact: true }).click();
      const saving = page.waitForEvent('download');
      await page.getByRole('menuitem', { name }).click();
      const download = await saving;
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
    };
    const markdown = await exported('Export as Markdown');
    expect(markdown.name).toMatch(/^Who designed the Heron Point Lighthouse.*\.md$/);
    expect(markdown.text).toMatch(/^# Who designed.*\n\n## Who designed/);
    expect(markdown.text).toContain('## And when was it first lit?');
    const labels = [...markdown.text.matchAll(/^\[\^([\d-]+)\]:/gm)].map(([, label]) => label);
    expect(new Set(labels).size).toBe(labels.length);
    for (const [, label] of markdown.text.matchAll(/\[\^([\d-]+)\](?!:)/g)) expect(labels).toContain(label);
    const { searches } = JSON.parse((await exported('Export as JSON')).text);
    expect(searches).toHaveLength(2);
    expect(searches[1]).toMatchObject({ search_id: searchIdOf(page), state: 'completed' });
  });

  it('exports an opened thread once its answers are loaded, and says which could not be', async () => {
    server.model.script = saying('The lighthouse is lit at night. [1] Its keeper collected 400 stamps. [1]');
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await askAndWait(page);
    server.model.script = slowly(1);
    for (const [form, copied] of [
      ['Markdown', /stamps\. \*\[no source\]\*/],
      ['Plain text', /stamps\. \[no source\]/],
    ] as const) {
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name: form, exact: true }).click();
      await page.getByText('Copied.').first().waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(copied);
    }
    let held = createDeferred();
    await page.route(/\/v1\/search\/s_/, async (route) => {
      await held.promise;
      await route.continue();
    });
    const exporting = async () => {
      await page.reload();
      await page.getByRole('button', { name: 'Thread', exact: true }).click();
      const saving = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
      await page.locator('.toast').getByText('Continues once all answers are complete.').waitFor();
      return saving;
    };
    const saving = exporting();
    await page.locator('.toast').waitFor();
    held.resolve();
    const text = readFileSync(await (await saving).path(), 'utf8');
    expect(text).toContain('collected 400 stamps. *[no source]*');

    held = createDeferred();
    await page.unroute(/\/v1\/search\/s_/);
    await page.route(/\/v1\/search\/s_/, async (route) => {
      await held.promise;
      await route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'Not found.' } } });
    });
    const without = exporting();
    await page.locator('.toast').waitFor();
    held.resolve();
    await without;
    await page.locator('.toast').getByText('1 answer could not be loaded and is missing.').waitFor();
  });

  it('works by keyboard: to the box, the last question, the list of keys', async () => {
    await using opened = await open();
    const { page } = opened;
    await askAndWait(page);
    await page.locator('#main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('#main').focus();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowUp');
    expect(await page.getByLabel('Your question').inputValue()).toBe(question);
    server.model.script = slowly(40);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await expect.poll(async () => (await textOf(page)).length).toBeGreaterThan(5);
    await page.keyboard.press('Escape');
    await page.getByText('Stopped').waitFor();
    server.model.script = slowly(1);
  });

  it.each([
    ['light', { colorScheme: 'light' }],
    ['360 px wide, dark', { ...phone, colorScheme: 'dark' }],
  ] as [string, PageOptions][])(
    'has no accessibility violation in menus, dialogs and the editor, %s',
    async (_, look) => {
      await using opened = await open(look);
      const { page } = opened;
      await askAndWait(page);
      await page.getByRole('button', { name: 'Thread', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Share thread' }).click();
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.getByLabel('Link', { exact: true }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Edit question' }).click();
      await expectAccessible(page);
      expect(opened.problems).toEqual([]);
    },
  );
});
