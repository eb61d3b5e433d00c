/** Requests that are repeated under one idempotency key after an upgrade. */
import { expect, it } from 'vitest';
import { createIdempotentStart } from '../../src/runs/idempotency.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import type { Run } from '../../src/runs/run.ts';
import { runRecord } from '../contracts/run-records.ts';

it('gives the run of a request that an earlier version hashed, and refuses another request', async () => {
  const records = createMemoryRunRecords();
  await records.save(runRecord('s_before', 'a', { idempotency: { key: 'k', hash: 'earlier' }, state: 'completed' }));
  const startIdempotent = createIdempotentStart({
    records,
    shared: undefined,
    find: async (_, search_id) => ({ search_id }) as unknown as Run,
    recorded: async () => {},
    ended: async () => {},
  });
  const never = () => Promise.reject(new Error('it was begun before'));
  const repeated = await startIdempotent('a', { key: 'k', hash: 'now', earlierHash: 'earlier' }, never);
  expect(repeated).toMatchObject({ deduplicated: true, run: { search_id: 's_before' } });
  const other = { key: 'k', hash: 'other', earlierHash: 'other too' };
  await expect(startIdempotent('a', other, never)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
});
