/** What the sources that an answer does not cite have about the question, under the answer in the chat. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextResult } from '../../../protocol/index.ts';
import { axeFindingsInBothThemes } from '../../support/browser/axe.ts';
import { hasNoBrowser, openBrowser, openPage, type PageOptions } from '../../support/browser/browser.ts';
import { ask, searchIdOf, waitForAnswer } from '../../support/browser/chat.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** So many pages have a sentence about ferries; only the first answers the question. */
const ferries = ['Aldmere', 'Brinholm', 'Corvik', 'Dunsund', 'Elvan'];
const filler = 'The harbour office is in the yellow house by the pier, and it sells maps of the coast. '.repeat(20);

describe.skipIf(hasNoBrowser)('more in the sources', () => {
  const folder = temporaryFolder();
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    for (const [at, place] of ferries.entries()) {
      const said = `The ferry to ${place} leaves at ${at + 7} o'clock and takes ${at + 2} hours.`;
      await writeFile(join(folder, `${place}.md`), `# ${place}\n\n${filler}\n\n${said}\n\n${filler}\n`);
    }
    app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    await app.corpus.index({ kind: 'folder', path: folder });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const open = (options: PageOptions = {}) => openPage(browser, app.url, { key: app.key, ...options });
  const resultOf = async (search_id: string) =>
    ((await (await app.get(`/v1/search/${search_id}`)).json()) as { result: TextResult }).result;

  it('lists the excerpts of the sources that are not cited, folded away, and opens one at its place by keyboard', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page, 'When does the ferry to Corvik leave?');
    await waitForAnswer(page);
    const { sources, citations } = await resultOf(searchIdOf(page));
    const rest = sources.filter(({ id, excerpt }) => excerpt && !citations.some(({ source_id }) => source_id === id));
    expect(rest.length).toBeGreaterThan(2);
    const more = page.getByRole('group').filter({ hasText: 'More in the sources' });
    const list = more.getByRole('list');
    expect(await list.isVisible()).toBe(false);
    await more.getByRole('heading', { name: 'More in the sources' }).waitFor();
    await more.locator('summary').focus();
    await page.keyboard.press('Enter');
    await list.waitFor();
    expect(await list.locator('blockquote').allTextContents()).toEqual(rest.map(({ excerpt }) => excerpt!.text));
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Tab');
    const { title, excerpt } = rest[0]!;
    const button = more.getByRole('button', { name: `View in source: ${title}` });
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const marked = page.locator('.reader .cited');
    await marked.first().waitFor();
    expect((await marked.allTextContents()).join('').replace(/\s+/g, ' ')).toBe(excerpt!.text);
    await expect.poll(() => isInView(page.locator('.reader .cited').first())).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(opened.problems).toEqual([]);
  });

  it('shows two passages at once, and survives a reload', async () => {
    await using opened = await open(phone);
    const { page } = opened;
    await ask(page, 'Who designed the Heron Point Lighthouse?');
    await waitForAnswer(page);
    const passages = page.locator('.more blockquote');
    const before = await passages.allTextContents();
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThanOrEqual(2);
    expect(await passages.first().isVisible()).toBe(true);
    await page.reload();
    await waitForAnswer(page);
    expect(await passages.allTextContents()).toEqual(before);
    const { wide, room } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      room: innerWidth,
    }));
    expect(wide).toBeLessThanOrEqual(room);
  });

  it('is absent where there is no answer: the nearest passages are there already', async () => {
    await using opened = await open();
    const { page } = opened;
    await ask(page, 'How much does the ferry ticket to Corvik cost in Norwegian money per horse?');
    await waitForAnswer(page);
    await page.getByRole('heading', { name: 'Nearest passages' }).waitFor();
    expect(await page.getByText('More in the sources').count()).toBe(0);
  });
});

function isInView(place: Locator): Promise<boolean> {
  return place.evaluate((node) => {
    const [inner, outer] = [node, node.closest('.reader-body')!].map((each) => each.getBoundingClientRect());
    return inner!.top >= outer!.top && inner!.bottom <= outer!.bottom;
  });
}
