/** The database that loads on this Node. */
import { describe, expect, it } from 'vitest';
import { chooseSqlite, loadSqlite } from '../../src/base/sqlite.ts';

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
    expect(() => chooseSqlite(refuse, version)).toThrow(
      /^No build of SQLite loads on Node [\d.]+ on \S+: use Node 22 or newer on .* `npm rebuild better-sqlite3`, .*\. Tried .*\.$/,
    );
    expect(tried).toEqual(expected);
  });

  it('is to be installed where only a package without the older release is', () => {
    const refuse = (name: string) => {
      throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => chooseSqlite(refuse, '20.20.0')).toThrow(/`npm install better-sqlite3@12`/);
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
