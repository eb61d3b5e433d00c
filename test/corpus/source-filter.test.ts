import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows, parseSourceRule, type SourceRule } from '../../protocol/source-rules.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { checkPages, listPages, placeOf } from '../../src/corpus/index/source-filter.ts';

const Sqlite = loadSqlite();

const label = fc.constantFrom('a', 'b', 'www', 'docs', 'a-b', 'xn--nxasmq6b', '0');
const host = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
  fc.constantFrom('127.0.0.1', 'A.b.', '[2001:db8::1]', 'bücher.de'),
);
const path = fc
  .array(
    fc.constantFrom('a', 'A', 'b', '%2F', '..', '', 'a.b', 'a%20b', 'é', '0', '%', '%00', '%61', '%ff', 'b%2F..%2Fa'),
    { maxLength: 4 },
  )
  .map((parts) => parts.map((part) => `/${part}`).join(''));
const url = fc.oneof(
  fc.tuple(fc.constantFrom('https://', 'http://'), host, path).map((parts) => parts.join('')),
  path.map((at) => `file://${at || '/'}`),
);
const rule = fc
  .oneof(
    url,
    host,
    fc.tuple(host, path).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('.', '*.', 'https://*.'), host, path).map((parts) => parts.join('')),
  )
  .map(parseSourceRule)
  .filter((parsed): parsed is SourceRule => parsed !== undefined);
/** The address as one reads it who takes an encoded slash for a slash. */
function resolved(address: string): string {
  const url = new URL(address);
  url.pathname = url.pathname.replaceAll(/(?:\/|%2f)+/gi, '/');
  return url.href;
}
const rules = fc.record({ only: fc.array(rule, { maxLength: 3 }), never: fc.array(rule, { maxLength: 3 }) });

describe('the source filter', () => {
  it('accepts exactly the pages that the source rules allow, by the path with every ".." resolved', () => {
    const database = new Sqlite(':memory:');
    database.exec('CREATE TABLE pages (n INTEGER PRIMARY KEY, url TEXT, site TEXT, path TEXT)');
    const insert = database.prepare('INSERT INTO pages (url, site, path) VALUES (?, ?, ?)');
    fc.assert(
      fc.property(fc.array(url, { minLength: 1, maxLength: 12 }), rules, (urls, wanted) => {
        database.exec('DELETE FROM pages');
        const placed = urls.filter((address) => placeOf(address) !== undefined);
        for (const address of placed) insert.run(address, placeOf(address)?.site, placeOf(address)?.path);
        const run = (sql: string, values: readonly string[]) =>
          database
            .prepare(sql)
            .pluck()
            .all(...values);
        const check = checkPages(wanted);
        expect(run(`SELECT g.url FROM pages AS g WHERE ${check.sql} ORDER BY g.n`, check.values)).toEqual(
          placed.filter((address) => allows(wanted, resolved(address))),
        );
        const list = listPages(wanted.only);
        const only = { only: wanted.only, never: [] };
        expect(run(`SELECT url FROM pages WHERE n IN (${list.sql}) ORDER BY n`, list.values)).toEqual(
          wanted.only.length === 0 ? [] : placed.filter((address) => allows(only, resolved(address))),
        );
        // What it leaves out, no other check could bring back.
        const refused = placed.filter((address) => !allows(wanted, resolved(address)));
        expect(refused.filter((address) => allows(wanted, address))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    database.close();
  });

  it.each(['javascript:alert(1)', 'urn:a:b', 'https://me:secret@a.org/', 'not a url', ''])(
    'returns no place in the index for %j',
    (text) => {
      expect(placeOf(text)).toBeUndefined();
    },
  );

  it.each([
    ['*.example.org', ['https://example.org/', 'https://docs.example.org/a'], 'https://example.com/'],
    ['https://*.example.org/a', ['https://docs.example.org/a/b'], 'https://docs.example.org/b'],
    ['.gov', ['https://a.gov/', 'https://b.a.gov/c'], 'https://gov.example.org/'],
    ['.gov.uk', ['https://a.gov.uk/'], 'https://a.gov/'],
    ['under_score.example.org', ['https://under_score.example.org/'], 'https://example.org/'],
  ])('takes %s as everything below it', (entry, covered, other) => {
    const rules = { only: [], never: [parseSourceRule(entry)!] };
    expect(covered.filter((address) => allows(rules, address))).toEqual([]);
    expect(allows(rules, other)).toBe(true);
  });

  it.each([
    '/private',
    '/private/',
    '//private/./x',
    '/%70rivate/x',
    '/%70rivate/x%',
    '/%70rivate/%ff',
    '/%70rivat%65%2Fx%E2%82',
    '/private%2Fx',
    '/private/y%2F..%2Fx',
    '/private%2F.%2Fx',
  ])('covers the path %j by a rule for /private', (path) => {
    const rule = parseSourceRule('example.org/private')!;
    expect(allows({ only: [], never: [rule] }, `https://example.org${path}`)).toBe(false);
    expect(allows({ only: [rule], never: [] }, `https://example.org${path}`)).toBe(true);
  });

  it.each(['/', '/privately', '/public/private', '/%2570rivate', '/private%252Fx', '/priv%61te%'])(
    'does not cover the path %j by a rule for /private',
    (path) => {
      const rule = parseSourceRule('example.org/private')!;
      expect(allows({ only: [], never: [rule] }, `https://example.org${path}`)).toBe(true);
      expect(allows({ only: [rule], never: [] }, `https://example.org${path}`)).toBe(false);
    },
  );

  it.each([
    '/public%2F..%2Fprivate/x',
    '/public/%2E%2E%2fprivate',
    '/public%2F.%2F..%2F..%2Fprivate',
    '/private%2F..%2Fpublic',
    '/private/..%2Fpublic',
    '/private/x/%2e%2e%2F..%2Fpublic',
  ])(
    'excludes the path %j, which servers read in two ways, if one of them is /private, and includes it if both are',
    (path) => {
      const rule = parseSourceRule('example.org/private')!;
      const other = parseSourceRule('example.org/public')!;
      const page = `https://example.org${path}`;
      expect(allows({ only: [], never: [rule] }, page)).toBe(false);
      expect(allows({ only: [rule], never: [] }, page)).toBe(false);
      expect(allows({ only: [rule, other], never: [] }, page)).toBe(true);
    },
  );

  it('covers a path with letters that are not ASCII however both are written', () => {
    for (const entry of ['example.org/größe', 'example.org/gr%C3%B6%c3%9fe', 'example.org/gr%c3%b6ße/']) {
      const rules = { only: [], never: [parseSourceRule(entry)!] };
      for (const path of ['/größe', '/gr%C3%B6%C3%9Fe/%ff', '/gr%c3%b6ße%2Fa%'])
        expect(allows(rules, `https://example.org${path}`)).toBe(false);
    }
  });

  it.each([
    'example.org,',
    '"example.org"',
    'example.org)',
    '(example.org',
    '*.*.org',
    'a*.org',
    '*',
    '.',
    '*.',
    'a..org',
    'docs',
  ])('takes %j for no rule, as it would exclude nothing', (entry) => {
    expect(parseSourceRule(entry)).toBeUndefined();
  });
});
