import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../../../src/base/sqlite.ts';
import { stem } from '../../../../src/base/text/stems/stemmer.ts';

const Sqlite = loadSqlite();

const packages = [
  'commander/Readme.md',
  'better-sqlite3/README.md',
  'zod/README.md',
  'ioredis/README.md',
  'pino/README.md',
];
const endings =
  'relational conditional rationalization hopefulness sensibility operator feudalism triplicate formative electricity' +
  ' revival allowance adjustable irritant replacement adoption hoping hopping fleeing agreed controlling roll studies';

describe('stem', () => {
  it('leaves words alone that have other characters than a to z, and very long ones', () => {
    for (const word of ['naïve', 'utf8s', 'Running', `${'long'.repeat(20)}ing`]) expect(stem(word)).toBe(word);
  });

  it("returns the stems of SQLite's porter tokenizer for the words of real documentation", () => {
    const texts = packages.map((name) =>
      readFileSync(new URL(`../../../../node_modules/${name}`, import.meta.url), 'utf8'),
    );
    const words = [...new Set(`${texts.join(' ')} ${endings}`.toLowerCase().match(/[a-z]+/g))];
    const database = new Sqlite(':memory:');
    database.exec("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'porter unicode61')");
    database.exec("CREATE VIRTUAL TABLE v USING fts5vocab (t, 'instance')");
    const insert = database.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)');
    words.forEach((word, at) => {
      insert.run(at, word);
    });
    const stems = database.prepare('SELECT doc, term FROM v').all() as { doc: number; term: string }[];
    expect(words.length).toBeGreaterThan(1500);
    for (const { doc, term } of stems) expect([words[doc], stem(words[doc] ?? '')]).toEqual([words[doc], term]);
    database.close();
  });
});
