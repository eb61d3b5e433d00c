/** The database that loads on this Node. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSqlite, limitLog, loadSqlite } from '../../src/base/sqlite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the database', () => {
  it('has full-text search, and the same class each time', () => {
    const Sqlite = loadSqlite();
    expect(loadSqlite()).toBe(Sqlite);
    const database = new Sqlite(':memory:');
    database.exec("create virtual table words using fts5 (body); insert into words values ('a checked quote')");
    expect(database.prepare("select body from words where words match 'quote'").get()).toEqual({
      body: 'a checked quote',
    });
    database.close();
  });

  it('gives the room of a long log back when it is begun again', () => {
    const file = join(temporaryFolder(), 'some.db');
    const database = new (loadSqlite())(file);
    database.pragma('journal_mode = WAL');
    limitLog(database);
    database.exec('create table pages (content blob); insert into pages values (zeroblob(40000000))');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(40_000_000);
    database.pragma('wal_checkpoint(passive)');
    database.exec('insert into pages values (1)');
    expect(statSync(`${file}-wal`).size).toBeLessThan(17_000_000);
    database.close();
  });

  it.each([
    ['20.20.0', ['better-sqlite3']],
    ['22.0.0', ['./better-sqlite3-next', 'better-sqlite3-next', 'better-sqlite3']],
    ['26.1.0', ['./better-sqlite3-next', 'better-sqlite3-next', 'better-sqlite3']],
  ])('is tried on Node %s in the releases that this Node survives: %j', (version, expected) => {
    const tried: string[] = [];
    const refuse = (name: string) => {
      tried.push(name);
      throw new Error(`Cannot find module\n'${name}'`);
    };
    expect(() => chooseSqlite(refuse, version)).toThrow(/^No SQLite loads on Node [\d.]+ on \S+: .*\.$/);
    expect(tried).toEqual(expected);
  });

  const absent = () => Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
  const unbuilt = new Error('Could not locate the bindings file. Tried:\n → /a/build/better_sqlite3.node\n → /b');
  const tooNew = new Error("/lib/libc.so.6: version `GLIBC_2.34' not found\n (required by x.node)");

  it.each([
    ['20.20.0', {}, 'run `npm install better-sqlite3@12`, or use Node 22 or newer, where nothing has to be built.'],
    [
      '20.20.0',
      { 'better-sqlite3': unbuilt },
      'run `npm rebuild better-sqlite3 --ignore-scripts=false`, or use Node 22 or newer, where nothing has to be built ' +
        '(Could not locate the bindings file).',
    ],
    ['24.1.0', { 'better-sqlite3': unbuilt }, 'the packages were installed with an older Node, so run `npm ci` again.'],
    [
      '24.1.0',
      { './better-sqlite3-next': tooNew },
      /run `npm install better-sqlite3@12`, .* `GLIBC_2\.34' not found\)\.$/,
    ],
    [
      '24.1.0',
      { 'better-sqlite3-next': tooNew, 'better-sqlite3': unbuilt },
      /run `npm rebuild better-sqlite3 --ignore-scripts=false`, .*\)\.$/,
    ],
  ] as const)('says what to type on Node %s where %j are installed and do not load', (version, there, advice) => {
    const require = (name: string) => {
      throw (there as Record<string, Error>)[name] ?? absent();
    };
    expect(() => chooseSqlite(require, version)).toThrow(advice);
  });

  it('is the older release where the binary of the newer one does not load', () => {
    const Older = loadSqlite();
    const load = (name: string) => {
      if (name === 'better-sqlite3') return Older;
      throw new Error('GLIBC_2.34 not found');
    };
    expect(chooseSqlite(load, '24.0.0')).toBe(Older);
  });
});
