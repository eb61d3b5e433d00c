/** Ratings of searches that are removed, or not stored, in the meantime. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access/identity.ts';
import type { FeedbackRecords } from '../../src/runs/records/feedback-records.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { createRegistry } from '../../src/runs/registry.ts';
import type { BodyCall, CallAccess } from '../../src/service/calls.ts';
import { createFeedbackCalls } from '../../src/service/feedback.ts';
import { runRecord } from '../contracts/run-records.ts';

const caller = { account_id: 'a', scopes: ['search'] } as unknown as Caller;
const access = { identify: async () => caller, takeFrom: async () => {} } as unknown as CallAccess;
const call = { from: {}, body: async () => ({ rating: 'up' }) } as unknown as BodyCall;

/** Calls about one search that has ended; `put` may remove it. */
async function createCalls(put: (remove: () => Promise<void>) => Promise<boolean>) {
  const records = createMemoryRunRecords();
  await records.save(runRecord('s1', 'a'));
  const runs = createRegistry({ retentionMs: 1_000, records, onFault: () => {} });
  const feedback = { put: () => put(() => records.remove('a', 's1')) } as unknown as FeedbackRecords;
  return createFeedbackCalls({ access, runs, feedback });
}

describe('a rating', () => {
  it('is refused with 404 when the search is removed before the rating is kept', async () => {
    const calls = await createCalls(async (remove) => {
      await remove();
      return false;
    });
    await expect(calls.giveFeedback(call, 's1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused with 503 while its search is not stored', async () => {
    const calls = await createCalls(async () => false);
    await expect(calls.giveFeedback(call, 's1')).rejects.toMatchObject({ code: 'overloaded' });
  });
});
