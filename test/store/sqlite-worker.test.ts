/** What becomes of the statements after one whose worker ended, as of one that ran out of memory. */
import { expect, it } from 'vitest';
import { createWorkerPool } from '../../src/base/processes/worker-pool.ts';
import type { SqliteReply } from '../../src/store/sqlite/sqlite-worker.ts';
import type { EndableCall } from '../support/scripts/endable-sqlite-worker.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

async function open(name: string) {
  const worker = new URL('../support/scripts/endable-sqlite-worker.ts', import.meta.url);
  const pool = createWorkerPool<EndableCall, SqliteReply>({
    worker,
    workers: 1,
    data: { file: `${folder}/${name}.db` },
  });
  const query = (sql: string, isInTransaction = false) =>
    pool.run({ kind: 'query', sql, parameters: [], isInTransaction });
  await pool.run({ kind: 'open' });
  await pool.run({ kind: 'log ahead' });
  await query('create table words (word text)');
  return {
    query,
    async endWorker() {
      await expect(pool.run({ kind: 'end' })).rejects.toThrow('worker exited');
    },
    [Symbol.asyncDispose]: () => pool.close(),
  };
}

it('opens the database again in the worker that replaces one', async () => {
  await using database = await open('again');
  await database.query("insert into words values ('kept')");
  await database.endWorker();
  expect(await database.query('select word from words')).toEqual({ rows: [{ word: 'kept' }] });
  expect(await database.query('pragma synchronous')).toEqual({ rows: [{ synchronous: 2 }] });
});

it('writes nothing of a transaction whose worker ended in the middle', async () => {
  await using database = await open('transaction');
  await database.query('begin immediate');
  await database.query("insert into words values ('one')", true);
  await database.endWorker();
  const failure = { code: '', message: expect.stringContaining('transaction') };
  expect(await database.query("insert into words values ('two')", true)).toEqual({ failure });
  expect(await database.query('commit', true)).toEqual({ failure });
  expect(await database.query('select word from words')).toEqual({ rows: [] });
});
