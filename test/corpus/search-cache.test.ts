/** What identical searches found, over a real index file that a writer changes. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { createIndexWriter } from '../../src/corpus/index/write-index.ts';
import { createFullAccessCheck } from '../../src/corpus/search/full-access.ts';
import { createIndexReader } from '../../src/corpus/search/read-index.ts';
import { cacheSearches } from '../../src/corpus/search/search-cache.ts';
import { openDatabase } from '../../src/corpus/sqlite/database.ts';
import { createPrepare } from '../../src/corpus/sqlite/prepare.ts';
import type { CorpusQuery } from '../../src/engine/ports/corpus.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;
let opened: ReturnType<typeof openIndex>;
beforeEach(() => {
  opened = openIndex();
});
afterEach(() => opened.close());

function openIndex() {
  files += 1;
  const file = join(folder, `${files}.db`);
  const database = openDatabase(file, 'write');
  const writer = createIndexWriter(database);
  const reading = openDatabase(file, 'read');
  const reader = createIndexReader(reading);
  let searched = 0;
  const find = (query: CorpusQuery) => {
    searched += 1;
    return reader.search({ ...query, fresh: true });
  };
  const prepare = createPrepare(reading);
  return {
    database,
    reader,
    put: (source: string, key: string, text: string) =>
      writer.indexPages(source, [
        {
          key,
          hash: text,
          fetched_at: '2026-01-01T00:00:00.000Z',
          snapshot: { url: `http://site.example/${key}`, title: key, text },
        },
      ]),
    sweep: (source: string) => writer.sweep(source, []),
    remember: (keepMs?: number) => cacheSearches(find, prepare, createFullAccessCheck(prepare), keepMs),
    searched: () => searched,
    close() {
      reading.close();
      database.close();
    },
  };
}

const walrus: CorpusQuery = { text: 'How heavy is a walrus?', limit: 8, rules: everySource };
const textsOf = (passages: readonly { readonly text: string }[]) => passages.map(({ text }) => text);

describe('remembered searches', () => {
  it('searches once for identical queries, and again for one that differs in anything', () => {
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,200 kg.');
    opened.put('acc_3/url:http://site.example/seal', 'seal', 'A seal weighs 80 kg.');
    const search = opened.remember();
    expect(textsOf(search(walrus))).toEqual(['A walrus weighs 1,200 kg.']);
    expect(textsOf(search({ ...walrus }))).toEqual(['A walrus weighs 1,200 kg.']);
    expect(opened.searched()).toBe(1);
    const others: CorpusQuery[] = [
      { ...walrus, text: 'How old is a walrus?' },
      { ...walrus, limit: 9 },
      { ...walrus, rules: { only: [{ host: 'other.example', path: '' }], never: [] } },
      { ...walrus, rules: { only: [], never: [{ host: 'site.example', path: '' }] } },
      { ...walrus, owner: 'acc_1' },
      { ...walrus, owner: 'acc_2' },
      { ...walrus, sources: ['folder:/a'] },
    ];
    others.forEach((query, at) => {
      search(query);
      expect(opened.searched()).toBe(at + 2);
    });
  });

  it('searches once for all accounts while everybody may find every page', () => {
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,200 kg.');
    const search = opened.remember();
    for (const owner of [undefined, 'acc_1', 'acc_2'])
      expect(textsOf(search({ ...walrus, owner }))).toEqual(['A walrus weighs 1,200 kg.']);
    expect(opened.searched()).toBe(1);
  });

  it('never shows others what an account found in an index that has its sources alone', () => {
    opened.put('acc_1/url:http://site.example/walrus', 'walrus', 'A walrus weighs 1,200 kg.');
    const search = opened.remember();
    expect(textsOf(search({ ...walrus, owner: 'acc_1' }))).toEqual(['A walrus weighs 1,200 kg.']);
    for (const owner of [undefined, 'acc_2']) expect(search({ ...walrus, owner })).toEqual([]);
  });

  it('never shows an account what another found in its own sources', () => {
    opened.put('folder:/a', 'other', 'A seal weighs 80 kg.');
    opened.put('acc_1/url:http://site.example/walrus', 'walrus', 'A walrus weighs 1,200 kg.');
    const search = opened.remember();
    const owned = textsOf(search({ ...walrus, owner: 'acc_1' }));
    const theirs = textsOf(search({ ...walrus, owner: 'acc_2' }));
    expect(theirs).toEqual(textsOf(opened.reader.search({ ...walrus, owner: 'acc_2', fresh: true })));
    expect(theirs).not.toEqual(owned);
    expect(textsOf(search({ ...walrus, owner: 'acc_1' }))).toEqual(owned);
  });

  it('finds what was indexed, changed or removed meanwhile, by whichever connection', () => {
    const search = opened.remember();
    expect(search(walrus)).toEqual([]);
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,200 kg.');
    expect(textsOf(search(walrus))).toEqual(['A walrus weighs 1,200 kg.']);
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,300 kg.');
    expect(textsOf(search(walrus))).toEqual(['A walrus weighs 1,300 kg.']);
    opened.sweep('folder:/a');
    expect(search(walrus)).toEqual([]);
    // The same counts of pages, passages and words as before.
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,400 kg.');
    expect(textsOf(search(walrus))).toEqual(['A walrus weighs 1,400 kg.']);
  });

  it('keeps results while pages are pinned, which changes nothing that is searched', () => {
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,200 kg.');
    const search = opened.remember();
    const [passage] = search(walrus);
    createIndexWriter(opened.database).pin('s_1', [passage!.snapshot], '2026-01-01T00:00:00.000Z');
    search(walrus);
    expect(opened.searched()).toBe(1);
  });

  it('searches again for a query that asks for fresh results, and remembers those', () => {
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,200 kg.');
    const search = opened.remember();
    search(walrus);
    search({ ...walrus, fresh: true });
    expect(opened.searched()).toBe(2);
    search(walrus);
    expect(opened.searched()).toBe(2);
  });

  it('forgets a result after its time', async () => {
    opened.put('folder:/a', 'walrus', 'A walrus weighs 1,200 kg.');
    const search = opened.remember(1);
    search(walrus);
    const until = performance.now() + 20;
    while (performance.now() < until) await new Promise(setImmediate);
    search(walrus);
    expect(opened.searched()).toBe(2);
  });
});
