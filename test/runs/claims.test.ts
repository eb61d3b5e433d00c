/** Claims on idempotency keys where Redis fails in between. */
import { expect, it } from 'vitest';
import { createIdempotentStart } from '../../src/runs/idempotency.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { createClaims } from '../../src/runs/redis/claims.ts';
import type { RunCommands } from '../../src/runs/redis/commands.ts';
import type { Run } from '../../src/runs/run.ts';
import type { SharedRuns } from '../../src/runs/shared-runs.ts';

it('starts a search whose key was that of a cancelled one although Redis fails before the key is taken over', async () => {
  const idempotency = { key: 'k', hash: 'h' };
  const held = JSON.stringify({ hash: 'h', process: 'other', search_id: 's_cancelled' });
  const replies = [held];
  const swapClaim = async () => replies.shift() ?? Promise.reject(new Error('Redis does not answer'));
  const { claim } = createClaims({ swapClaim } as unknown as RunCommands, 'here');
  const startIdempotent = createIdempotentStart({
    records: createMemoryRunRecords(),
    shared: { claim } as unknown as SharedRuns,
    find: async () => ({ state: () => 'cancelled', isEnding: () => false }) as unknown as Run,
    recorded: async () => {},
    ended: async () => {},
  });
  const run = { search_id: 's_new' } as unknown as Run;
  expect(await startIdempotent('a', idempotency, async () => run)).toEqual({ run, deduplicated: false });
  expect(replies).toEqual([]);
});
