/** A Redis that loses its memory, or stops for a while, ends no run of a living process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import type { Run } from '../../src/runs/run.ts';
import { expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { accountOf, readFrames, type ScriptedRun, startScriptedRun } from '../support/scripted-run.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';
import { findElsewhere, type RunProcess, startRunProcess } from './run-process.ts';

const { account_id } = accountOf;
const leaseMs = 1_000;

/** What happens to Redis while runs go on. */
const faults: Record<string, (redis: TestRedis) => Promise<unknown>> = {
  'is emptied': empty,
  'is emptied three times within a lease': async (redis) => {
    for (let n = 0; n < 3; n += 1) {
      await empty(redis);
      await sleep(leaseMs / 4);
    }
  },
  'is killed and starts empty': async (redis) => {
    await redis.kill();
    await redis.start();
  },
  'is away for two leases and starts empty': async (redis) => {
    await redis.kill();
    await sleep(2 * leaseMs);
    await redis.start();
  },
  'does not answer for two leases': async (redis) => {
    redis.pause();
    await sleep(2 * leaseMs);
    redis.resume();
  },
};

describe.skipIf(!hasRedis)('runs of living processes', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  async function startThree() {
    const records = createMemoryRunRecords();
    const prefix = freshPrefix();
    const start = () => startRunProcess(redis.url, prefix, records, { leaseMs });
    const processes: [RunProcess, RunProcess, RunProcess] = await Promise.all([start(), start(), start()]);
    return {
      processes,
      async [Symbol.asyncDispose]() {
        for (const each of processes) await each.close();
      },
    };
  }

  for (const [what, happens] of Object.entries(faults)) {
    it(`go on, and are read elsewhere to the same end, when Redis ${what}`, async () => {
      await using three = await startThree();
      const { processes } = three;
      const scripted = await Promise.all(
        Array.from({ length: 12 }, (_, n) => startScriptedRun(processes[n % 3]!.runs)),
      );
      for (const { say } of scripted) await say('Before. ');
      const there = await Promise.all(
        scripted.map(async ({ run }, n) => {
          const reader = processes[(n + 1) % 3]!;
          const remote = await findElsewhere(reader, run.search_id);
          reader.runs.attach(remote);
          return remote;
        }),
      );
      const isTalking = talk(scripted.slice(0, 6));
      // By now every process may judge the others.
      await sleep(1.2 * leaseMs);
      await happens(redis);
      await sleep(2.5 * leaseMs);
      await isTalking.stop();
      for (const { say, complete } of scripted) {
        await say('After.');
        await complete();
      }
      for (const [n, { run }] of scripted.entries()) {
        expect(await there[n]!.done).toEqual(await run.done);
        expect((await run.done).type).toBe('search.completed');
        expectLawful(readFrames(there[n]!.log));
        expect(stateAfter(readFrames(there[n]!.log))).toEqual(stateAfter(readFrames(run.log)));
      }
    });
  }

  it('are reported as unknown for the moment, never as missing, until they are in Redis again', async () => {
    await using three = await startThree();
    const [home, witness, asker] = three.processes;
    const seen = new Set<string>();
    for (let n = 0; n < 5; n += 1) {
      const { run, complete } = await startScriptedRun(home.runs);
      await findElsewhere(witness, run.search_id);
      await empty(redis);
      const asked = async () => {
        const state = await look(asker, run);
        seen.add(state);
        return state;
      };
      await expect.poll(asked, { interval: 5 }).toBe('running');
      await complete();
    }
    expect([...seen]).not.toContain('missing');
  });

  it('are missing at once in a Redis that has lost nothing', async () => {
    await using three = await startThree();
    expect(await look(three.processes[0]!, { search_id: 's_AAAAAAAAAAAAAAAAAAAAAA' })).toBe('missing');
  });

  it('keep their idempotency keys', async () => {
    await using three = await startThree();
    const [home, away] = three.processes;
    const idempotency = { key: 'kept', hash: 'h' };
    const begin = async () => (await startScriptedRun(home.runs, { idempotency })).run;
    const { run } = await home.runs.startIdempotent(account_id, idempotency, begin);
    await empty(redis);
    await expect.poll(() => look(away, run)).toBe('running');
    const never = () => Promise.reject(new Error('expected the run of the first request'));
    const again = await away.runs.startIdempotent(account_id, idempotency, never);
    expect(again).toMatchObject({ deduplicated: true, run: { search_id: run.search_id } });
    expect(await away.runs.hasResumable(account_id)).toBe(true);
    run.cancel('client');
  });
});

async function empty({ url }: TestRedis): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}

/** What a process says of a run. */
async function look({ runs }: RunProcess, { search_id }: Pick<Run, 'search_id'>): Promise<string> {
  try {
    const { run } = await runs.find(account_id, search_id);
    return run?.state() ?? 'missing';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

/** Lets the runs stream until it is stopped. */
function talk(runs: readonly ScriptedRun[]): { stop(): Promise<void> } {
  let isStopped = false;
  const talking = Promise.all(
    runs.map(async ({ say }, n) => {
      for (let word = 0; !isStopped; word += 1) {
        await say(`word ${word} `);
        await sleep(5 + n);
      }
    }),
  );
  return {
    async stop() {
      isStopped = true;
      await talking;
    },
  };
}
