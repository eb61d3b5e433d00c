import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../../src/base/sqlite.ts';
import { matchAny, matchWithin, selectTerms } from '../../../src/corpus/search/fts-query.ts';

const Sqlite = loadSqlite();

const never = () => 1;

describe('a query', () => {
  it('makes a valid full-text expression of any text', () => {
    const database = new Sqlite(':memory:');
    database.exec("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'porter unicode61 remove_diacritics 2')");
    database.exec("INSERT INTO t VALUES ('some words of a page')");
    const search = database.prepare('SELECT rowid FROM t WHERE t MATCH ?');
    const syntax = fc.constantFrom(
      '"',
      '*',
      'NEAR(a b, 2)',
      'a AND',
      'x:',
      '{x y}:',
      '^a',
      '-',
      '\0',
      "'",
      '(',
      ' OR ',
    );
    const unit = fc.oneof(fc.string({ unit: 'binary' }), syntax, fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), fc.integer({ min: 0, max: 9 }), (units, most) => {
        const terms = selectTerms(units.join(' '), never);
        if (terms.length === 0) return;
        search.all(matchAny(terms));
        search.all(matchWithin(terms, (term) => term.length, most));
      }),
      { numRuns: 500 },
    );
    database.close();
  });

  it('leaves out stop words of a query, and keeps them when there is nothing else', () => {
    expect(selectTerms('How do I set a timeout?', never)).toEqual(['set', 'timeout']);
    expect(selectTerms('To be or not to be', never)).toEqual(['to', 'be', 'or', 'not']);
    expect(selectTerms('?! … 🧪', never)).toEqual([]);
  });

  it('keeps the 32 rarest words of a long query and drops those that no passage has', () => {
    const text = Array.from({ length: 6000 }, (_, n) => `word${n}`).join(' ');
    const count = (term: string) => (term.endsWith('7') ? 0 : Number(term.replace(/\D/g, '')) + 1);
    const terms = selectTerms(text, count);
    expect(terms).toHaveLength(32);
    expect(terms).not.toContain('word7');
    expect(terms).toContain('word0');
  });

  it('searches for an identifier and its parts, and for pairs of characters in scripts without spaces', () => {
    expect(selectTerms('headersTimeout', never)).toEqual(['headerstimeout', 'headers', 'timeout']);
    expect(selectTerms('better-sqlite3 node:fs', never)).toEqual(['better', 'sqlite3', 'sqlite', '3', 'node', 'fs']);
    expect(selectTerms('東京都', never)).toEqual(['東京', '京都']);
  });
});
