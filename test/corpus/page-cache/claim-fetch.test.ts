/** Claims that a process has made in the index file before the clock was set back. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIndexWriter } from '../../../src/corpus/index/write-index.ts';
import { openDatabase } from '../../../src/corpus/sqlite/database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const url = 'http://a.example/';
const hourMs = 3_600_000;

describe('a claim in an index file', () => {
  it('passes to another process if it was made before the clock was set back, and only then', () => {
    const database = openDatabase(join(folder, 'back.db'), 'write');
    const writer = createIndexWriter(database);
    expect(writer.claimFetch(url, 'first', 5_000)).toBe(true);
    expect(writer.claimFetch(url, 'second', 5_000)).toBe(false);
    database.prepare('UPDATE taken SET until = ?').run(Date.now() + hourMs);
    expect(writer.claimFetch(url, 'second', 5_000)).toBe(true);
    expect(writer.claimFetch(url, 'first', 5_000)).toBe(false);
    database.close();
  });

  it('is removed, if it was made before the clock was set back, when another one is released', () => {
    const database = openDatabase(join(folder, 'ended.db'), 'write');
    const writer = createIndexWriter(database);
    const taken = () => database.prepare('SELECT reading FROM taken').pluck().all();
    writer.claimFetch(url, 'dead', 5_000);
    database.prepare('UPDATE taken SET until = ?').run(Date.now() + hourMs);
    writer.claimFetch('http://b.example/', 'living', 5_000);
    writer.claimFetch('http://c.example/', 'ended', 5_000);
    writer.releaseFetch('http://c.example/', 'ended');
    expect(taken()).toEqual(['living']);
    database.close();
  });
});
