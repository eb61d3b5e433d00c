/** Accessibility of the chat: axe finds no violation in any state, theme and width. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import { ask, type ChatServer, slowly, startChatServer, waitForAnswer } from '../support/browser/chat.ts';
import { evidenceIn, goodModel, type Script } from '../support/servers/model-server.ts';

const looks: [string, PageOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['360 px wide', phone],
];

describe.skipIf(hasNoBrowser).each(looks)('the chat, %s,', (_, options) => {
  let server: ChatServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startChatServer();
    server.model.script = slowly(2);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  it('has no accessibility violation and no horizontal overflow in any state', async () => {
    await using opened = await openPage(browser, server.app.url, options);
    const { page } = opened;
    await page.getByLabel('API key').waitFor();
    await expectAccessible(page);
    await page.getByLabel('API key').fill(server.app.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Your question').waitFor();
    const firstSteps = page.getByRole('region', { name: 'First steps' });
    await firstSteps.waitFor();
    expect(await firstSteps.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Ask your own documents',
      'Call it from programs',
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Hide first steps' }).click();
    await expectAccessible(page);
    await page.reload();
    await page.getByLabel('Your question').waitFor();
    expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sources' }).click();
    await page.getByRole('radio', { name: 'Only these' }).check();
    await page.getByLabel('Sites and pages').fill('example.org');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove example.org' }).click();
    await page.getByRole('radio', { name: 'Any source' }).check();
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByRole('radio', { name: 'Structured data' }).check();
    await expectAccessible(page);
    await page.getByRole('radio', { name: 'Text', exact: true }).check();
    await ask(page);
    await waitForAnswer(page);
    await page.locator('.timeline-line').click();
    await expectAccessible(page);
    await page.locator('.marker').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.reader .cited').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close source page' }).click();
    const list = page.getByRole('button', { name: 'Show threads' });
    if ((await list.count()) > 0) await list.click();
    await page.getByRole('navigation', { name: 'Threads' }).getByRole('listitem').first().waitFor();
    await expectAccessible(page);
    expect(opened.problems).toEqual([]);
  });

  it('underlines a sentence that lost its citation with dots, says so in words, and has no accessibility violation', async () => {
    await using opened = await openPage(browser, server.app.url, { ...options, key: server.app.key });
    const { page } = opened;
    const write: Script = (call) => {
      const { n } = evidenceIn(call).find(({ text }) => text.includes('designed by'))!;
      const said = ['was', 'was not'].map(
        (verb) => `The Heron Point Lighthouse ${verb} designed by Ingrid Solvay. [${n}]`,
      );
      const claims = [...said, `The keeper **collected** stamps. [${n}]`, 'Nothing is cited here.'];
      return { text: `STATUS: answered\n\n${claims.join('\n\n')}` };
    };
    server.model.script = (call, count) => (call.kind === 'write' ? write(call, count) : goodModel(call, count));
    await ask(page);
    await waitForAnswer(page);
    server.model.script = slowly(2);
    const lost = page.locator('.prose .uncited');
    expect((await lost.allTextContents()).join('')).toMatch(/ not .*The keeper collected stamps\.$/);
    expect(await lost.first().evaluate((node) => getComputedStyle(node).textDecorationStyle)).toBe('dotted');
    expect(await page.locator('.prose .no-source').allInnerTexts()).toEqual([
      expect.stringMatching(/^ ?no source\s*\. Not cited: its source says otherwise\.$/),
      expect.stringMatching(/^ ?no source\s*\. Not cited: its source does not say this\.$/),
    ]);
    // Not one word with the last of the sentence.
    expect((await page.locator('.prose .no-source').first().textContent())?.startsWith(' ')).toBe(true);
    expect(await page.locator('.prose .claim.uncited, .prose .claim .uncited').count()).toBe(0);
    await expectAccessible(page);
    await page.reload();
    await lost.first().waitFor();
    expect(await page.locator('.prose .no-source').count()).toBe(2);
    expect(opened.problems).toEqual([]);
  });

  it('opens every menu within the window', async () => {
    await using opened = await openPage(browser, server.app.url, { ...options, key: server.app.key, locale: 'de' });
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Ihre Frage' }).fill('Who designed the Heron Point Lighthouse?');
    await page.keyboard.press('Enter');
    await page.locator('.turn[aria-busy="false"]').waitFor();
    for (const name of ['Unterhaltung', 'Sprache']) {
      await page.getByRole('button', { name, exact: true }).click();
      const outside = await page.getByRole('menu', { name }).evaluate(
        (menu) =>
          [menu, ...menu.children].filter((node) => {
            const { left, right, top, bottom } = node.getBoundingClientRect();
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
          }).length,
      );
      expect([name, outside]).toEqual([name, 0]);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('button', { name, exact: true }).evaluate((node) => node.matches(':focus'))).toBe(
        true,
      );
    }
  });

  it('gives the focus back when a dialog, a list or a page closes, and never to what is covered', async () => {
    await using opened = await openPage(browser, server.app.url, { ...options, key: server.app.key });
    const { page } = opened;
    const focused = (what: Locator) => expect.poll(() => what.evaluate((node) => node.matches(':focus'))).toBe(true);
    await ask(page);
    await waitForAnswer(page);
    const menu = page.getByRole('button', { name: 'Thread', exact: true });
    for (const [name, first] of [
      ['Rename', page.getByLabel('Title')],
      ['Share', page.getByLabel('The link works for')],
      ['Delete', page.getByRole('dialog').getByRole('button', { name: 'Close' })],
    ] as const) {
      await menu.click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await focused(first);
      await page.keyboard.press('Escape');
      await focused(menu);
    }
    const share = page.getByRole('button', { name: 'Share thread' });
    await share.click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await focused(page.getByRole('button', { name: 'Copy link' }));
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    await page.keyboard.press('Escape');
    await focused(share);
    const list = page.getByRole('button', { name: 'Show threads' });
    if ((await list.count()) > 0) {
      await list.click();
      await focused(page.getByRole('navigation', { name: 'Threads' }));
      expect(await page.getByRole('banner').evaluate((node) => node.matches('[inert]'))).toBe(true);
      await page.keyboard.press('Escape');
      await focused(list);
    }
    await using shared = await openPage(browser, server.app.url, {
      ...options,
      path: link.slice(server.app.url.length),
    });
    await shared.page.locator('.marker').first().click();
    await shared.page.locator('.reader .cited').first().waitFor();
    const covered = await shared.page.locator('main[inert], header[inert]').count();
    expect(covered).toBe(options.viewport === undefined ? 0 : 2);
    expect(shared.problems).toEqual([]);
  });

  it('announces the state of a search to screen readers, not every word of its answer', async () => {
    await using opened = await openPage(browser, server.app.url, { ...options, key: server.app.key });
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver(() => {
        for (const node of document.querySelectorAll('.turn [role="status"]')) {
          const text = node.textContent ?? '';
          if (text !== '' && said.at(-1) !== text) said.push(text);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    server.model.script = (call, count) => {
      if (call.kind !== 'write') return goodModel(call, count);
      const { n } = evidenceIn(call).find(({ text }) => text.includes('designed by'))!;
      return { text: `STATUS: answered\n\nThe Heron Point Lighthouse was designed by Ingrid Solvay. [${n}]` };
    };
    await ask(page);
    await waitForAnswer(page);
    server.model.script = slowly(2);
    const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
    expect(said.at(-1)).toMatch(/^Answer complete, 9 words, 1 citation\.$/);
    expect(said.length).toBeLessThanOrEqual(6);
    expect(await page.locator('.prose').evaluateAll((nodes) => nodes.some((node) => node.closest('[aria-live]')))).toBe(
      false,
    );
  });
});
