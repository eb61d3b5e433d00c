/** Threads that change while they are removed. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/identity.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import type { ThreadRecords } from '../../src/runs/records/thread-records.ts';
import { createRegistry } from '../../src/runs/registry.ts';
import type { Call, CallAccess } from '../../src/service/calls.ts';
import { createThreadCalls } from '../../src/service/threads/threads.ts';
import { runRecord } from '../contracts/run-records.ts';

const caller = { account_id: 'a', scopes: ['search'] } as unknown as Caller;
const access = { identify: async () => caller, takeFrom: async () => {} } as unknown as CallAccess;

describe('a removed thread', () => {
  it('takes with it a search that joins while its other searches are removed', async () => {
    const records = createMemoryRunRecords();
    const runs = createRegistry({ retentionMs: 1_000, records, onFault: () => {} });
    await records.save(runRecord('s1', 'a'));
    const threads = {
      async get() {
        await records.save(runRecord('s2', 'a'));
        return { list: [{ search_id: 's1' }] };
      },
      remove: async () => ['s1', 's2'],
    } as unknown as ThreadRecords;
    const calls = createThreadCalls({ access, runs, threads, largeRead: (_, __, read) => read() });
    expect(await calls.removeThread({ from: {} } as Call, 's1')).toEqual({ thread_id: 's1', deleted: true });
    expect([await records.get('a', 's1'), await records.get('a', 's2')]).toEqual([undefined, undefined]);
    await runs.close();
  });
});
