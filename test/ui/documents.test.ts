/** Documents in the chat: chosen or dropped, uploaded, indexed, and then the only sources of what is asked. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindingsInBothThemes } from '../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions, phone } from '../support/browser/browser.ts';
import { ask, waitForAnswer } from '../support/browser/chat.ts';
import { makePdf } from '../support/make-pdf.ts';
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
    await page.getByText('Images need a model that sees them').first().waitFor();
    await ask(page, 'How many passengers does the ferry Corvus carry?');
    await page.getByText('at most 33 passengers').first().waitFor();
    await page.getByRole('button', { name: 'New thread' }).click();
    await expect.poll(() => rowOf(page, 'notes.md').count()).toBe(0);
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
