import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { snapshotId } from '../../../src/base/snapshot-id.ts';
import { createIndexWriter } from '../../../src/corpus/index/write-index.ts';
import { createPassageCounter } from '../../../src/corpus/search/count-passages.ts';
import { matchTerm, termsToCount } from '../../../src/corpus/search/fts-query.ts';
import { newestSchema, openDatabase } from '../../../src/corpus/sqlite/database.ts';
import { createPrepare } from '../../../src/corpus/sqlite/prepare.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

/** What is written of one word, and what people type for it. */
const spellings = [
  ['Ёлка', 'елка'],
  ['Йод', 'йод'],
  ['ΑΘΉΝΑ', 'αθηνα'],
  ['ΆΓΙΟΣ', 'αγιος'],
  ['Straße', 'Strasse'],
  ['Maßstäbe', 'massstabe'],
  ['Łódź', 'Lodz'],
  ['Đoković', 'dokovic'],
  ['Søren', 'soren'],
  ['Þingvellir', 'thingvellir'],
  ['Cœur', 'coeur'],
  ['हिन्दी', 'हिन्दी'],
  ['مُحَمَّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['1990s', '1990s'],
  ['mp3s', 'mp3s'],
  ['größere', 'grossere'],
  ['東京都', '東京都'],
  ['กรุงเทพ', 'กรุงเทพ'],
  ['cafés', 'café'],
] as const;

describe('the words of an index file', () => {
  const database = openDatabase(join(folder, 'words.db'), 'write');
  afterAll(() => database.close());
  const writer = createIndexWriter(database);
  for (const [at, [written]] of spellings.entries()) {
    const text = `# Page ${at}\n\nSomething says ${written} and ends.\n`;
    const url = `file:///${at}`;
    const snapshot = { id: snapshotId(url, text), url, title: `${at}`, text };
    writer.indexPages('s', [{ key: url, hash: url, snapshot, fetched_at: '2026-01-01T00:00:00.000Z' }]);
  }
  const prepare = createPrepare(database);
  const counter = createPassageCounter(database, prepare);
  counter.readLast();
  const found = (word: string) =>
    prepare('SELECT rowid - 1 FROM passage_words WHERE passage_words MATCH ?').pluck().all(matchTerm(word));

  it.each(spellings.map(([written, typed], at) => ({ written, typed, at })))(
    'find $written by $typed, and count as many passages as they find',
    ({ written, typed, at }) => {
      for (const word of [...termsToCount(written), ...termsToCount(typed)]) {
        expect([word, found(word)]).toEqual([word, expect.arrayContaining([at])]);
        expect([word, counter.count(word)]).toEqual([word, found(word).length]);
      }
    },
  );

  it('count for a single character of a script without spaces every passage with a pair that begins with it', () => {
    expect(found('東')).toHaveLength(1);
    expect(counter.count('東')).toBe(1);
  });

  it('are counted again after the last page was replaced by one with as many passages', () => {
    const changing = openDatabase(join(folder, 'changing.db'), 'write');
    const put = (text: string) => {
      const snapshot = { url: 'file:///a', title: 'Page', text };
      createIndexWriter(changing).indexPages('s', [
        { key: 'a', hash: text, snapshot, fetched_at: '2026-01-01T00:00:00.000Z' },
      ]);
    };
    put('It names the walrus.');
    const recount = createPassageCounter(changing, createPrepare(changing));
    const counts = () => [recount.readLast(), recount.count('walrus'), recount.count('seal')];
    expect(counts()).toEqual([1, 1, 0]);
    put('It names the seal.');
    expect(counts()).toEqual([1, 0, 1]);
    changing.close();
  });

  it('are found in an index that was made before accents of other scripts were left out, once it is opened', () => {
    const file = join(folder, 'old.db');
    const old = openDatabase(file, 'write');
    const oldWriter = createIndexWriter(old);
    const page = (url: string, text: string) => {
      const snapshot = { id: snapshotId(url, text), url, title: 'Page', text };
      return { key: url, hash: url, snapshot, fetched_at: '2026-01-01T00:00:00.000Z' };
    };
    oldWriter.indexPages('s', [page('file:///a', 'Наша ёлка.'), page('file:///b', 'Our fir, naïve.')]);
    // More than are read at a time.
    oldWriter.indexPages(
      's',
      Array.from({ length: 1_100 }, (_, n) => page(`file:///more/${n}`, `Ещё ${n}`)),
    );
    for (const [n, body] of ['Наша ёлка.', 'Our fir, naïve.'].entries()) {
      old.prepare('DELETE FROM passage_words WHERE rowid = ?').run(n + 1);
      old
        .prepare("INSERT INTO passage_words (rowid, title, headings, body) VALUES (?, 'page', '', ?)")
        .run(n + 1, body);
    }
    old.exec('DELETE FROM passage_words WHERE rowid > 2');
    // What has been added to the schema since.
    old.exec('ALTER TABLE pages DROP COLUMN published_at');
    old.pragma(`user_version = ${newestSchema - 2}`);
    old.close();

    const opened = openDatabase(file, 'write');
    const find = opened.prepare('SELECT rowid FROM passage_words WHERE passage_words MATCH ?').pluck();
    expect(['ёлка', 'елка', 'naïve', 'fir'].map((word) => find.all(matchTerm(word)))).toEqual([[1], [1], [2], [2]]);
    expect(find.all(matchTerm('еще'))).toHaveLength(1_100);
    opened.close();
  });
});
