/** Readings that a process has taken in the index file, and then the clock was set back. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/corpus/database.ts';
import { createIndexWriter } from '../../../src/corpus/index/write-index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const url = 'http://a.example/';
const hourMs = 3_600_000;

describe('a reading that is taken in an index file', () => {
  it('can be taken by another if it was taken before the clock was set back, and only then', () => {
    const database = openDatabase(join(folder, 'back.db'), 'write');
    const writer = createIndexWriter(database);
    expect(writer.takeReading(url, 'first', 5_000)).toBe(true);
    expect(writer.takeReading(url, 'second', 5_000)).toBe(false);
    database.prepare('UPDATE taken SET until = ?').run(Date.now() + hourMs);
    expect(writer.takeReading(url, 'second', 5_000)).toBe(true);
    expect(writer.takeReading(url, 'first', 5_000)).toBe(false);
    database.close();
  });

  it('is removed, if it was taken before the clock was set back, when another one ends', () => {
    const database = openDatabase(join(folder, 'ended.db'), 'write');
    const writer = createIndexWriter(database);
    const taken = () => database.prepare('SELECT reading FROM taken').pluck().all();
    writer.takeReading(url, 'dead', 5_000);
    database.prepare('UPDATE taken SET until = ?').run(Date.now() + hourMs);
    writer.takeReading('http://b.example/', 'living', 5_000);
    writer.takeReading('http://c.example/', 'ended', 5_000);
    writer.endReading('http://c.example/', 'ended');
    expect(taken()).toEqual(['living']);
    database.close();
  });
});
