import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFolder } from '../../../src/corpus/ingest/list-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'citewire-copies-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function listed(names: readonly string[]) {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), 'A text.');
  }
  const { files, skipped } = listFolder(folder, 'file:///manual/');
  return { keys: files.map(({ key }) => key), skipped: Object.fromEntries(skipped) };
}

describe('the files of a folder', () => {
  it('are without the text and the PDF of a page beside them', () => {
    expect(listed(['git-blame.html', 'git-blame.txt', 'git-blame.pdf', 'notes.txt', 'sub/git-blame.txt'])).toEqual({
      keys: ['git-blame.html', 'notes.txt', 'sub/git-blame.txt'],
      skipped: { 'copies of pages': 2 },
    });
  });

  it('are without the texts that the sources of many pages include', () => {
    const pages = Array.from({ length: 10 }, (_, n) => `page-${n}`);
    const names = pages.flatMap((name) => [`${name}.html`, `${name}.txt`]);
    listed(names);
    writeFileSync(join(folder, 'page-3.txt'), '= Page\n\ninclude::{build}/options.txt[]\n');
    expect(listed(['options.txt', 'notes.txt'])).toEqual({
      keys: ['notes.txt', ...pages.map((name) => `${name}.html`)],
      skipped: { 'copies of pages': 11 },
    });
  });

  it('are with texts of their own beside many pages', () => {
    const pages = Array.from({ length: 12 }, (_, n) => `page-${n}`);
    const texts = ['diary.txt', 'letter.txt', 'list.txt'];
    const { keys, skipped } = listed([...pages.flatMap((name) => [`${name}.md`, `${name}.txt`]), ...texts]);
    expect(keys).toEqual([...texts, ...pages.map((name) => `${name}.md`)].sort());
    expect(skipped).toEqual({ 'copies of pages': 12 });
  });

  it("are without the sources of Sphinx's pages, but with a folder of that name elsewhere", () => {
    const { keys, skipped } = listed(['html/objects.inv', 'html/a.html', 'html/_sources/a.rst.txt', '_sources/b.txt']);
    expect(keys).toEqual(['_sources/b.txt', 'html/a.html']);
    expect(skipped._sources).toBe(1);
  });
});
