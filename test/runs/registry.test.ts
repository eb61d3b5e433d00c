/** Runs that several callers share by an idempotency key, and what becomes of runs when their readers leave. */
import { expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { createRegistry } from '../../src/runs/registry.ts';
import type { Run } from '../../src/runs/run.ts';
import { accountOf, startScriptedRun } from '../support/scripted-run.ts';

it('starts a run for the second of two idempotent requests when the first left before there was one', async () => {
  const onFault = (error: unknown) => {
    throw error;
  };
  const runs = createRegistry({ retentionMs: 0, records: createMemoryRunRecords(), onFault });
  const idempotency = { key: 'k', hash: 'h' };
  const state = { state: () => 'running', isEnding: () => false };
  const run = { search_id: 's_second', done: new Promise(() => {}), ...state } as unknown as Run;
  const left = new AppError('internal', 'The client left before the answer.');
  const first = runs.startIdempotent('acc', idempotency, () => Promise.reject(left));
  const second = runs.startIdempotent('acc', idempotency, async () => run);
  const third = runs.startIdempotent('acc', idempotency, () => Promise.reject(new Error('it is shared')));
  await expect(first).rejects.toBe(left);
  expect(await second).toEqual({ run, deduplicated: false });
  expect(await third).toEqual({ run, deduplicated: true });
  await runs.close();
});

it('starts a run for a request that is repeated while the run of the first is being cancelled', async () => {
  const runs = createRegistry({ retentionMs: 0, records: createMemoryRunRecords(), onFault: () => {} });
  const idempotency = { key: 'k', hash: 'h' };
  const { account_id } = accountOf;
  const start = async () => (await startScriptedRun(runs, { idempotency })).run;
  const { run } = await runs.startIdempotent(account_id, idempotency, start);
  expect(await runs.startIdempotent(account_id, idempotency, start)).toEqual({ run, deduplicated: true });
  run.cancel('client');
  const [second, third] = await Promise.all([0, 1].map(() => runs.startIdempotent(account_id, idempotency, start)));
  expect(await run.done).toMatchObject({ type: 'search.cancelled' });
  expect(second!.run.search_id).not.toBe(run.search_id);
  expect(third!.run.search_id).toBe(second!.run.search_id);
  expect([second, third].map((each) => each!.deduplicated).sort()).toEqual([false, true]);
  expect(second!.run.state()).toBe('running');
  await runs.close();
});

it('cancels a run that its readers leave, unless it may finish', async () => {
  const runs = createRegistry({ retentionMs: 0, records: createMemoryRunRecords(), onFault: () => {} });
  const options = { onDisconnect: 'grace', grace_ms: 0 } as const;
  const [left, kept, other] = await Promise.all([
    startScriptedRun(runs, options),
    startScriptedRun(runs, options),
    startScriptedRun(runs, { ...options, account_id: accountOf.other }),
  ]);
  runs.attach(left.run)();
  expect(await left.run.done).toMatchObject({ type: 'search.cancelled', by: 'disconnect' });
  const leave = [kept, other].map(({ run }) => runs.attach(run));
  runs.letFinish(accountOf.account_id);
  for (const each of leave) each();
  expect(await other.run.done).toMatchObject({ type: 'search.cancelled', by: 'disconnect' });
  await kept.complete();
  expect(await kept.run.done).toMatchObject({ type: 'search.completed' });
  await runs.close();
});
