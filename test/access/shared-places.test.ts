/** The limit on the searches of a key, over processes that share a Redis. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Admission, createAdmission, type Permit } from '../../src/access/admission/admission.ts';
import { createRedisPlaces } from '../../src/access/admission/redis-places.ts';
import type { Caller } from '../../src/access/identity.ts';
import { connectRedis } from '../../src/base/redis/redis.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

const ttlMs = 900;

function caller(key_id: string): Caller {
  return { key_id, account_id: `acc_${key_id}`, plan: 'pro', scopes: [] };
}

describe.skipIf(!hasRedis)('searches in flight over three processes', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  interface Process {
    readonly admission: Admission;
    /** Renews nothing any more, as if it were killed. */
    die(): void;
  }

  async function startThree() {
    const prefix = freshPrefix();
    const processes = await Promise.all(
      [1, 2, 3].map(async (): Promise<Process> => {
        const redis = connectRedis(server.url);
        while (redis.status !== 'ready') await sleep(5);
        const places = createRedisPlaces({ redis, prefix, ttlMs });
        const admission = createAdmission({ shared: places });
        return {
          admission,
          die() {
            admission.close();
            places.close();
            redis.disconnect();
          },
        };
      }),
    );
    return {
      processes: processes as [Process, Process, Process],
      [Symbol.dispose]() {
        for (const each of processes) each.die();
      },
    };
  }

  const signal = new AbortController().signal;
  const admit = ({ admission }: Process, key_id: string) => admission.admit(caller(key_id), {}, signal);

  /** How many of 30 searches start, ten at each process. */
  async function startThirty(processes: readonly Process[], key_id: string): Promise<Permit[]> {
    const tries = Array.from({ length: 30 }, (_, n) => admit(processes[n % processes.length]!, key_id));
    const settled = await Promise.allSettled(tries);
    for (const each of settled) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'too_many_searches', status: 429 });
    }
    return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  it('start up to the limit of the plan, and again when one of them ends', async () => {
    using three = await startThree();
    const permits = await startThirty(three.processes, 'one');
    expect(permits).toHaveLength(8);
    expect(await startThirty(three.processes, 'another')).toHaveLength(8);
    permits[0]!.release();
    permits[0]!.release();
    await expect.poll(() => admit(three.processes[0], 'one').then(Boolean, () => false)).toBe(true);
    await expect(admit(three.processes[1], 'one')).rejects.toMatchObject({ code: 'too_many_searches' });
  });

  it('keep their places for as long as they run, also in a Redis that was emptied', async () => {
    using three = await startThree();
    expect(await startThirty(three.processes, 'one')).toHaveLength(8);
    await sleep(2 * ttlMs);
    await expect(admit(three.processes[0], 'one')).rejects.toMatchObject({ code: 'too_many_searches' });
    const admin = connectRedis(server.url);
    while (admin.status !== 'ready') await sleep(5);
    await admin.flushall();
    admin.disconnect();
    await sleep(ttlMs);
    await expect(admit(three.processes[0], 'one')).rejects.toMatchObject({ code: 'too_many_searches' });
  });

  it('give up the places of a process that died', async () => {
    using three = await startThree();
    const [dying, ...others] = three.processes;
    for (let n = 0; n < 8; n += 1) await admit(dying, 'one');
    dying.die();
    await expect(admit(others[0], 'one')).rejects.toMatchObject({ code: 'too_many_searches' });
    await expect.poll(() => admit(others[0], 'one').then(Boolean, () => false)).toBe(true);
  });

  it('are limited in each process while Redis does not answer', async () => {
    using three = await startThree();
    server.pause();
    try {
      expect(await startThirty(three.processes, 'one')).toHaveLength(3 * 8);
    } finally {
      server.resume();
    }
  });
});
