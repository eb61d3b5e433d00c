/**
 * Pages and models that attack the reader. Whatever a title, a quote, an address or an answer contains is shown as text: no
 * script runs, no request goes to another origin, no link has a dangerous scheme.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNoBrowser, openBrowser, openPage } from '../support/browser/browser.ts';
import { ask, type ChatServer, saying, startChatServer, textOf, waitForAnswer } from '../support/browser/chat.ts';

const attacks = [
  '<script>window.hacked = 1</script>',
  '<img src="http://evil.example/a.png" onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><a href="javascript:window.hacked=1">x</a></svg>',
  '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '<style>@import "http://evil.example/a.css"; body { display: none }</style>',
  '<base href="http://evil.example/"><meta http-equiv="refresh" content="0;url=http://evil.example/">',
  '[press](javascript:window.hacked=1) and [here](data:text/html,<script>parent.hacked=1</script>)',
  '[mixed](JaVa&#115;cript:window.hacked=1) <javascript:window.hacked=1>',
  '![picture](http://evil.example/b.png) ![](//evil.example/c.png "x")',
  '<a href="https://ok.example" onclick="window.hacked = 1" style="position:fixed;inset:0">over all</a>',
  '`<img src=x onerror=window.hacked=1>` ⸨0⸩ ⸨99⸩ &lt;script&gt;window.hacked=1&lt;/script&gt;',
  '[ref]: javascript:window.hacked=1\n\n[ref] <!-- <script>window.hacked=1</script> -->',
];
const title = 'The Grumbold "><script>window.hacked=1</script><img src=x onerror=window.hacked=1>';

describe.skipIf(hasNoBrowser)('hostile text', () => {
  let server: ChatServer;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    server = await startChatServer();
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'citewire-hostile-'));
    const fact = 'The Grumbold was built in 1912 by Anna Quist in the town of Zell.';
    await writeFile(join(folder, 'page.md'), `# ${title}\n\n${fact}\n\n${attacks.join('\n\n')}\n`);
    await server.app.corpus.index({ kind: 'folder', path: folder });
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Nothing of it is an element that acts, and nothing was done. */
  async function expectHarmless(page: Page, problems: readonly string[]): Promise<void> {
    const found = await page.evaluate(() => ({
      hacked: 'hacked' in window,
      elements: [...document.body.querySelectorAll('script, iframe, style, base, meta, object, embed, img, svg a')]
        .length,
      handlers: [...document.body.querySelectorAll('*')].flatMap((node) =>
        [...node.attributes].filter(
          ({ name }) => name.startsWith('on') || (name === 'style' && node.closest('.prose')),
        ),
      ).length,
      links: [...document.body.querySelectorAll('a')].map(({ href }) => new URL(href).protocol),
    }));
    expect(found).toMatchObject({ hacked: false, elements: 0, handlers: 0 });
    expect(found.links.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
    expect(problems).toEqual([]);
  }

  it('shows markup of a page as text: in its title, its quote, and the page itself', async () => {
    server.model.script = saying('The Grumbold was built in 1912 by Anna Quist in the town of Zell. [1]');
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const { page, problems } = opened;
    await ask(page, 'Who built the Grumbold?');
    await waitForAnswer(page);
    await page.locator('.source-title').filter({ hasText: 'Grumbold' }).waitFor();
    await page.locator('.marker').first().hover();
    await page.getByRole('tooltip').waitFor();
    await expectHarmless(page, problems);
    await page.locator('.marker').first().click();
    await page.locator('.reader .cited').first().waitFor();
    expect(await page.locator('.reader-body').textContent()).toContain('<script>');
    for (const link of await page
      .locator('.reader-body')
      .getByText(/press|here|mixed|over all/)
      .all()) {
      await link.click({ trial: true }).catch(() => {});
    }
    await expectHarmless(page, problems);
  });

  it.each(attacks)('shows markup of a model as text: %s', async (attack) => {
    server.model.script = saying(
      `The Grumbold was built in 1912. [1] ${attack}\n\n${attack}\n\n- ${attack}\n\nAnd that is all of it.`,
    );
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const { page, problems } = opened;
    await ask(page, 'When was the Grumbold built?');
    await waitForAnswer(page);
    expect(await textOf(page)).toContain('And that is all of it.');
    await expectHarmless(page, problems);
  });

  it('treats markup in a link to a search as an unknown search', async () => {
    const path = `/?search=${encodeURIComponent('"><img src=x onerror=window.hacked=1>')}`;
    await using opened = await openPage(browser, server.app.url, { key: server.app.key, path });
    await opened.page.getByText('Not found in this account').waitFor();
    expect(await opened.page.evaluate(() => 'hacked' in window)).toBe(false);
  });

  it('shows markup in a question as text', async () => {
    await using opened = await openPage(browser, server.app.url, { key: server.app.key });
    const prompt = `${attacks[0]} ${attacks[1]}`;
    await ask(opened.page, prompt);
    await waitForAnswer(opened.page);
    expect(await opened.page.locator('.question').textContent()).toBe(prompt);
    await expectHarmless(opened.page, opened.problems);
  });
});
