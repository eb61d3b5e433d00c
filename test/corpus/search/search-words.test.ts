/** A folder is also asked in other words for those of a question; a large index is not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { everySource } from '../../../protocol/index.ts';
import { type OpenCorpus, openCorpus } from '../../../src/corpus/corpus.ts';
import type { OtherWords } from '../../../src/corpus/search/search-words.ts';

const { signal } = new AbortController();
const folder = mkdtempSync(join(tmpdir(), 'citewire-other-words-'));
const opened: OpenCorpus[] = [];

afterAll(async () => {
  for (const corpus of opened) await corpus.close();
  rmSync(folder, { recursive: true });
});

/** A corpus of notes that nobody asks about, and of `pages` by their names. */
async function openFolder(name: string, notes: number, pages: Record<string, string>, otherWords?: OtherWords) {
  const path = join(folder, name);
  mkdirSync(path);
  for (let n = 0; n < notes; n++) writeFileSync(join(path, `note-${n}.md`), `# Note ${n}\n\nThe meeting was short.\n`);
  for (const [page, text] of Object.entries(pages)) writeFileSync(join(path, page), text);
  const corpus = await openCorpus({ file: join(folder, `${name}.db`), otherWords });
  opened.push(corpus);
  await corpus.index({ kind: 'folder', path });
  return (text: string, limit = 4) => corpus.search({ text, limit, rules: everySource }, signal);
}

const animals: OtherWords = (question) => (/pets/.test(question) ? 'dogs cats' : '');
const rules = { 'rules.md': '# Rules\n\nDogs stay outside.\n' };

describe('other words for those of a question', () => {
  it('find in a folder what it does not say in the words of the question', async () => {
    const find = await openFolder('house', 80, rules, animals);
    expect((await find('May pets come along?')).map(({ title }) => title)).toEqual(['Rules']);
    expect(await find('May guests come along?')).toEqual([]);
    const findByWords = await openFolder('house-by-words', 80, rules);
    expect(await findByWords('May pets come along?')).toEqual([]);
  });

  it('add to what has the words of the question, and cover nothing of it', async () => {
    const pages = { ...rules, 'shop.md': '# Shop\n\nFood for pets is by the door.\n' };
    const find = await openFolder('shop', 80, pages, animals);
    const found = await find('Where is food for pets?');
    expect(found.map(({ title, coverage }) => [title, coverage! > 0])).toEqual([
      ['Shop', true],
      ['Rules', false],
    ]);
  });

  it('leave no more passages than were asked for, each once', async () => {
    const pages = Object.fromEntries(
      ['pets', 'dogs', 'cats', 'dogs and pets'].map((word, n) => [`${n}.md`, `# Page ${n}\n\nAbout ${word}.\n`]),
    );
    const find = await openFolder('limits', 80, pages, animals);
    expect((await find('pets', 9)).map(({ title }) => title).sort()).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3']);
    expect(await find('pets', 2)).toHaveLength(2);
  });

  it('are not looked for in a large index', async () => {
    const asked: string[] = [];
    const find = await openFolder('archive', 2_001, rules, (question) => {
      asked.push(question);
      return 'dogs';
    });
    expect(await find('Who was at the meeting?')).toHaveLength(4);
    expect(asked).toEqual([]);
    expect(await find('May pets come along?')).toEqual([]);
  });
});
