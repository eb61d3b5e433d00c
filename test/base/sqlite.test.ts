/** The database that loads on this Node. */
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/base/sqlite.ts';

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
});
