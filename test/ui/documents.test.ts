/** Documents in the chat: chosen or dropped, uploaded, indexed, and then the only sources of what is asked. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexedSourceList } from '../../protocol/index.ts';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import { ask, waitForAnswer } from '../support/browser/chat.ts';
import { makePdf } from '../support/documents/make-pdf.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const passengers = (ferry: string, count: number) => `The ferry ${ferry} carries at most ${count} passengers.`;

describe.skipIf(hasNoBrowser)('documents in the chat', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    browser = await openBrowser();
    const pages = [[passengers('Aurelia', 214), 'Dogs travel free of charge.']];
    await writeFile(join(folder, 'handbook.pdf'), makePdf({ title: 'Ferry handbook', pages }));
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7 of nothing');
    await writeFile(join(folder, 'large.txt'), Buffer.alloc(25_000_000, 'a'));
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const open = (options: PageOptions = {}) => openPage(browser, app.url, { key: app.key, ...options });
  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Attached documents' }).getByRole('listitem').filter({ hasText: name });
  const ready = (page: Page) => page.getByText('Answers come from these documents only.').waitFor();

  it('tells a new user how to ask a PDF, and answers from it alone, follow-ups too, until it is removed', async () => {
    await fetch(`${app.url}/v1/sources/files?name=other.md`, {
      method: 'POST',
      headers: { 'x-api-key': app.key },
      body: `# Ferries\n\n${passengers('Boreas', 90)}`,
    });
    await using opened = await open(phone);
    const { page, problems } = opened;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'choose one' }).click();
    await (await chooser).setFiles(join(folder, 'handbook.pdf'));
    await ready(page);
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);

    await ask(page, 'How many passengers does the ferry carry?');
    await waitForAnswer(page);
    await page.getByText('at most 214 passengers').first().waitFor();
    await page.getByText('Asked of handbook.pdf only').waitFor();
    expect(await page.getByText('90 passengers').count()).toBe(0);
    await ask(page, 'How many passengers does the ferry Boreas carry?');
    await waitForAnswer(page);
    expect(await page.getByText('90 passengers').count()).toBe(0);

    await page.getByRole('button', { name: 'Remove handbook.pdf' }).click();
    await ask(page, 'How many passengers does the ferry Boreas carry?');
    await page.getByText('at most 90 passengers').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('takes documents that are dropped anywhere on the page; an image stays an image of the question', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    await drag(page, 'dragover', [['notes.md', 'text/markdown', '# Notes']]);
    await page.getByText('Drop documents to ask about them').waitFor();
    await drag(page, 'drop', [
      ['notes.md', 'text/markdown', `# Notes\n\n${passengers('Corvus', 33)}`],
      ['photo.png', 'image/png', 'not really'],
    ]);
    await ready(page);
    expect(await rowOf(page, 'photo.png').count()).toBe(0);
    await page.getByText('Images need a vision model').first().waitFor();
    await ask(page, 'How many passengers does the ferry Corvus carry?');
    await page.getByText('at most 33 passengers').first().waitFor();
    await page.getByRole('button', { name: 'New thread' }).click();
    await expect.poll(() => rowOf(page, 'notes.md').count()).toBe(0);
  });

  it('belong to their thread: another one is asked without them, and they are back with theirs', async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await ask(page, 'Who designed the Heron Point Lighthouse?');
    await waitForAnswer(page);
    await page.getByRole('button', { name: 'New thread' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    await (await chooser).setFiles(join(folder, 'handbook.pdf'));
    await ready(page);
    await ask(page, 'How many passengers does the ferry carry?');
    await waitForAnswer(page);
    const threads = page.getByRole('navigation', { name: 'Threads' });
    await threads
      .getByRole('button', { name: 'Who designed the Heron Point Lighthouse?', exact: true })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Who designed the Heron Point Lighthouse?' }).waitFor();
    expect(await rowOf(page, 'handbook.pdf').count()).toBe(0);
    await threads
      .getByRole('button', { name: 'How many passengers does the ferry carry?', exact: true })
      .first()
      .click();
    await rowOf(page, 'handbook.pdf').waitFor();
    await page.reload();
    await ready(page);
    await ask(page, 'Are dogs free?');
    // It may wait until the answer before it has been read.
    await expect.poll(() => page.getByText('Asked of handbook.pdf only').count()).toBe(2);
    await waitForAnswer(page);
    expect(problems).toEqual([]);
  });

  it('are said to be empty where they are', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    const chosen = { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) };
    await page.locator('input[type=file][multiple]').first().setInputFiles(chosen);
    await rowOf(page, 'nothing.txt').getByText('The file is empty.').waitFor();
  });

  it('keep the lines of a text file in the page of the source, and the quote is marked there', async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await page.getByLabel('Your question').waitFor();
    const lines = ['The flour for the ferry Gannet comes from Kaiser.', 'The eggs come from Hollis.'];
    const buffer = Buffer.from(`Shopping for Saturday\n\n${lines.join('\n')}\n`);
    const chosen = { name: 'shopping.txt', mimeType: 'text/plain', buffer };
    await page.locator('input[type=file][multiple]').first().setInputFiles(chosen);
    await ready(page);
    await ask(page, 'Where does the flour for the ferry Gannet come from?');
    await waitForAnswer(page);
    await page.locator('.marker').first().click();
    await page.locator('.reader mark.cited').filter({ hasText: 'Kaiser' }).first().waitFor();
    expect(await page.locator('.page-text').allInnerTexts()).toEqual([expect.stringContaining(lines.join('\n'))]);
    expect(problems).toEqual([]);
  });

  it('are said to be gone where they were removed from the sources, and are not asked then', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel('Your question').waitFor();
    const buffer = Buffer.from(`# Ferries\n\n${passengers('Egret', 17)}`);
    const chosen = { name: 'egret.md', mimeType: 'text/markdown', buffer };
    await page.locator('input[type=file][multiple]').first().setInputFiles(chosen);
    await ready(page);
    await ask(page, 'How many passengers does the ferry Egret carry?');
    await waitForAnswer(page);
    const { items } = (await (await app.get('/v1/sources')).json()) as IndexedSourceList;
    const { source_id } = items.find(({ address }) => address?.endsWith('/egret.md'))!;
    await fetch(`${app.url}/v1/sources/${source_id}`, { method: 'DELETE', headers: { 'x-api-key': app.key } });
    await page.reload();
    await rowOf(page, 'egret.md').getByText('It was removed from your sources.').waitFor();
    expect(await page.getByText('Answers come from these documents only.').count()).toBe(0);
    await ask(page, 'How many passengers does the ferry Boreas carry?');
    await expect.poll(() => page.locator('.turn').count()).toBe(2);
    await waitForAnswer(page);
    expect(await page.getByText('Asked of egret.md only').count()).toBe(1);
  });

  it('are what the questions on the first page are about, as soon as they are there', async () => {
    await using own = await startTestApp({ MEDIAWIKI_URL: 'off' });
    for (const { source } of await own.corpus.sources()) await own.corpus.forget(source);
    await using opened = await openPage(browser, own.url, { key: own.key });
    const { page } = opened;
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    const proposed = page.getByRole('list', { name: 'Example questions' }).getByRole('button');
    expect(await proposed.count()).toBe(0);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const text = '# The boat house\n\n## Who looks after the boats?\n\nMaren Lind looks after the boats.\n';
    await (await chooser).setFiles({ name: 'boats.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
    await ready(page);
    await proposed.getByText('Who looks after the boats?').click();
    await waitForAnswer(page);
    await page.locator('.prose').getByText('Maren Lind').first().waitFor();
    expect(await page.getByText('Asked of boats.md only').count()).toBe(1);
  });

  it('hide the questions about others', async () => {
    await using opened = await open();
    const { page } = opened;
    const proposed = page.getByRole('list', { name: 'Example questions' }).getByRole('button');
    await proposed.first().waitFor();
    const before = await proposed.allTextContents();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const buffer = Buffer.from(`# Ferries\n\n${passengers('Heron', 17)}`);
    await (await chooser).setFiles({ name: 'heron.md', mimeType: 'text/markdown', buffer });
    await ready(page);
    await expect.poll(async () => (await proposed.allTextContents()).some((each) => before.includes(each))).toBe(false);
  });

  it('are named as files are, even by endless names', async () => {
    await using opened = await open(phone);
    const { page } = opened;
    const name = `Ferry handbook für ${'alle '.repeat(20)}.md`;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    const buffer = Buffer.from(`# Ferries\n\n${passengers('Delphin', 61)}`);
    await (await chooser).setFiles({ name, mimeType: 'text/markdown', buffer });
    await ready(page);
    await ask(page, 'How many passengers does the ferry Delphin carry?');
    await waitForAnswer(page);
    expect(await page.locator('.source-domain').first().textContent()).toBe(name);
    await page.locator('.source').first().click();
    const site = page.locator('.reader-site');
    expect(await site.textContent()).toContain(name);
    const right = (box: { x: number; width: number } | null) => box!.x + box!.width;
    const actions = await page.locator('.reader-actions').boundingBox();
    expect(right(await site.boundingBox())).toBeLessThanOrEqual(actions!.x);
    expect(await site.locator('.reader-site-name').evaluate((node) => node.scrollWidth > node.clientWidth)).toBe(true);
    expect(right(actions)).toBeLessThanOrEqual(360);
  });

  it('says why a document failed in the language of the page', async () => {
    await using opened = await open({ locale: 'fr' });
    const { page } = opened;
    await page.locator('input[type=file][multiple]').first().setInputFiles(join(folder, 'broken.pdf'));
    await page.getByRole('listitem').getByText('La page est endommagée').waitFor();
  });

  it('says why a document failed, and asks without it', async () => {
    await using opened = await open();
    const { page } = opened;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    await (await chooser).setFiles(['broken.pdf', 'large.txt'].map((name) => join(folder, name)));
    await rowOf(page, 'large.txt').getByText('Too large: 25 MB. Files may have 21 MB at most.').waitFor();
    await rowOf(page, 'broken.pdf').getByText('could not be read').waitFor();
    expect(await page.getByText('Answers come from these documents only.').count()).toBe(0);
    await ask(page, 'How many passengers does the ferry Boreas carry?');
    await waitForAnswer(page);
    expect(await page.getByText(/^Asked of/).count()).toBe(0);
  });
});

/** What a browser sends to a page while files are dragged over it, and when they are dropped. */
async function drag(page: Page, type: 'dragover' | 'drop', files: readonly (readonly [string, string, string])[]) {
  await page.evaluate(
    ([name, all]) => {
      const dataTransfer = new DataTransfer();
      for (const [file, mime, text] of all) dataTransfer.items.add(new File([text], file, { type: mime }));
      document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [type, files] as const,
  );
}
