/** One search provider called by processes that share a Redis: its quota, its pace and its circuit breaker are those of all together. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import type { WebSearch } from '../../src/engine/ports/web.ts';
import type { Pace } from '../../src/web/providers/adapter.ts';
import { createRedisFleetLimits } from '../../src/web/providers/fleet/redis-fleet-limits.ts';
import { createSearchProvider } from '../../src/web/providers/provider.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

const { signal } = new AbortController();
const query = { text: 'tides', limit: 10, rules: everySource };

describe.skipIf(!hasRedis)('a search provider over three processes', () => {
  let server: TestRedis;
  const closers: (() => void)[] = [];
  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
  afterAll(() => server.stop());

  let calls: number;
  let running: number;
  let mostRunning: number;
  let answer: () => Response | Promise<Response>;
  beforeEach(() => {
    [calls, running, mostRunning] = [0, 0, 0];
    answer = () => Response.json([]);
  });
  const fetchFake = (async () => {
    calls += 1;
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    try {
      return await answer();
    } finally {
      running -= 1;
    }
  }) as typeof fetch;

  async function startThree(options: { perMinute?: number; pace?: Pace } = {}): Promise<WebSearch[]> {
    const { pace, ...rest } = options;
    const prefix = freshPrefix();
    const fleets = [1, 2, 3].map(() => createRedisFleetLimits({ url: server.url, prefix }));
    closers.push(...fleets.map((fleet) => () => fleet.close()));
    // A count that is not shared succeeds, too: wait until each counts for the others.
    for (const fleet of fleets) await expect.poll(() => fleet.count('probe', 0)).toBe('full');
    const adapter = {
      name: 'shared',
      request: () => ({ url: 'http://provider.example/' }),
      parse: () => [],
      ...(pace === undefined ? {} : { pace }),
    };
    return fleets.map((fleet) => createSearchProvider(adapter, { fetch: fetchFake, fleet, ...rest }));
  }

  const searchAll = (providers: readonly WebSearch[], times: number) =>
    Promise.allSettled(
      Array.from({ length: times * providers.length }, (_, n) =>
        providers[n % providers.length]!.search(query, signal),
      ),
    );
  const reasons = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));

  it('is called as often a minute as one process may call it', async () => {
    const providers = await startThree({ perMinute: 7 });
    const refused = reasons(await searchAll(providers, 10));
    expect(calls).toBe(7);
    expect(refused).toHaveLength(23);
    expect(new Set(refused)).toEqual(new Set(['its quota of 7 calls a minute is used up.']));
  });

  it('gets one request at a time where it takes no more', async () => {
    const providers = await startThree({ pace: { intervalMs: 0, maxWaiting: 10 } });
    answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return Response.json([]);
    };
    expect(reasons(await searchAll(providers, 3))).toEqual([]);
    expect([calls, mostRunning]).toEqual([9, 1]);
  });

  it('gets its requests no closer together than it asks for', async () => {
    const providers = await startThree({ pace: { intervalMs: 150, maxWaiting: 10 } });
    const starts: number[] = [];
    answer = () => {
      starts.push(performance.now());
      return Response.json([]);
    };
    expect(reasons(await searchAll(providers, 1))).toEqual([]);
    // The clock of Redis starts before the request does, which a busy machine may delay.
    const whole = starts.at(-1)! - starts[0]!;
    expect(starts).toHaveLength(3);
    expect(whole).toBeGreaterThan(150);
  });

  it('is left alone by all when it asks one of them to wait', async () => {
    const providers = await startThree();
    answer = () => new Response('', { status: 429, headers: { 'retry-after': '60' } });
    await expect(providers[0]!.search(query, signal)).rejects.toThrow('it answered 429');
    answer = () => Response.json([]);
    await expect
      .poll(async () => reasons(await searchAll(providers.slice(1), 1)))
      .toEqual(Array(2).fill(expect.stringMatching(/^it failed recently and is not called for \d+ s\.$/)));
  });

  it('is left alone by all after three failures in a row, wherever they were', async () => {
    const providers = await startThree();
    answer = () => new Response('', { status: 500 });
    for (const provider of providers) await expect(provider.search(query, signal)).rejects.toThrow('it answered 500');
    await expect
      .poll(async () => reasons(await searchAll(providers, 1)).filter((why) => /not called/.test(why)).length)
      .toBe(3);
  });

  it('is called again as each process may while Redis is away', async () => {
    const providers = await startThree({ perMinute: 5 });
    server.pause();
    try {
      expect(reasons(await searchAll(providers, 5))).toEqual([]);
      expect(calls).toBe(15);
    } finally {
      server.resume();
    }
  });
});
