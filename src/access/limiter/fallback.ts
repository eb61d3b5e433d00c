/**
 * A limiter that never fails and never waits long: the shared one while it answers, else a local log with the limit
 * divided by the number of processes last seen, at least one call each.
 *
 * A key that the shared log refused stays refused until the time it returned, whatever fails meanwhile.
 *
 * The first failure switches to the local log, so no second caller waits for a stalled backend. The local log already has
 * the calls that this process was allowed. What it allows meanwhile is added to the shared log before switching back, and
 * everything is added if the shared log was lost. So one process never allows more than the limit in any trailing window
 * across both switches. Switching back takes two good answers 250 ms apart, and after each failure that follows within a minute
 * good answers for longer: one whose answers take about as long as callers wait would be left and used again all the time.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Limit } from '../plans.ts';
import { decide, type Limiter, type RateDecision } from './limiter.ts';
import { createMemoryLimiter } from './memory.ts';
import type { SharedLimiter } from './redis.ts';

export type LimiterState = 'shared' | 'local';

export interface FallbackLimiter extends Limiter {
  state(): LimiterState;
}

/** A call that this process allowed without the shared log. */
interface LocalCall {
  readonly keyId: string;
  readonly limit: Limit;
  readonly time: number;
}

/** Such calls of one key, to be added to the shared log. */
interface Debt {
  readonly id: string;
  readonly keyId: string;
  readonly limit: Limit;
  readonly times: number[];
}

/** All set by hand: probes while starting, while recovering and while all is well; parallel writes; failed probes. */
const startProbeMs = 20;
const probeMs = 250;
const watchMs = 2_000;
const settleConcurrency = 64;
const probesBeforeReconnect = 3;
/** A failure so soon after switching back is a relapse; how long good answers are then needed, twice as long each time. Set by hand. */
const relapseWithinMs = 60_000;
const firstCalmMs = 10_000;
const maxCalmMs = 60_000;

/** Resolves once the shared limiter answers, or after `startMs` without it. Owns and closes `shared`. */
export async function openFallbackLimiter(options: {
  readonly shared: SharedLimiter;
  /** Called on every change of state, and once at the start. */
  readonly onChange?: (state: LimiterState, cause?: unknown) => void;
  readonly startMs?: number;
  /** How long good answers are needed after the first relapse; by default ten seconds. */
  readonly calmMs?: number;
  /** A monotonic clock for the local log, milliseconds. */
  readonly now?: () => number;
}): Promise<FallbackLimiter> {
  const { shared, onChange = () => {}, startMs = 1_000, calmMs = firstCalmMs, now = () => performance.now() } = options;
  const local = createMemoryLimiter({ now });
  const owed = new Set<LocalCall>();
  const unpaid = new Set<Debt>();
  const full = new LRUCache<string, { readonly limit: Limit; readonly until: number }>({ max: 10_000 });
  const closing = new AbortController();
  let state = 'local' as LimiterState;
  let nodes = 1;
  let epoch: string | undefined;
  let returnedAt = Number.NEGATIVE_INFINITY;
  let neededMs = 0;

  function failOver(cause: unknown): void {
    if (state === 'local' || closing.signal.aborted) return;
    state = 'local';
    onChange(state, cause);
    const isRelapse = performance.now() - returnedAt < relapseWithinMs;
    neededMs = isRelapse ? Math.min(neededMs === 0 ? calmMs : 2 * neededMs, maxCalmMs) : 0;
    void recover(Math.max(2, Math.ceil(neededMs / probeMs)));
  }

  async function probe(): Promise<void> {
    const found = await shared.probe();
    nodes = found.nodes;
    if (epoch !== undefined && epoch !== found.epoch) {
      owed.clear();
      unpaid.clear();
      for (const { times, ...key } of local.logs()) for (const time of times) owed.add({ ...key, time });
    }
    epoch = found.epoch;
  }

  async function recover(goodProbes: number, hurryUntil = 0): Promise<void> {
    let good = 0;
    const everyMs = () => (performance.now() < hurryUntil ? startProbeMs : probeMs);
    for (let failed = 0; good < goodProbes; ) {
      try {
        await probe();
        if (++good === goodProbes) for (let round = 0; round < 3 && owed.size > 0; round++) await settle();
        failed = 0;
      } catch {
        good = 0;
        if (++failed % probesBeforeReconnect === 0 && everyMs() === probeMs) shared.reconnect();
      }
      if (closing.signal.aborted) return;
      if (good < goodProbes) await sleep(everyMs(), undefined, { signal: closing.signal }).catch(() => {});
    }
    state = 'shared';
    if (goodProbes > 1) returnedAt = performance.now();
    onChange(state);
    // Under load some calls are added between the last round and this line.
    await settle().catch(failOver);
  }

  /** Adds to the shared log what was allowed without it. A debt that may not have been added keeps its id for a retry. */
  async function settle(): Promise<void> {
    for (const debt of debtsOf(owed)) unpaid.add(debt);
    owed.clear();
    for (const debts of inParts([...unpaid])) {
      const paid = await Promise.allSettled(debts.map(pay));
      const failed = paid.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  }

  async function pay(debt: Debt): Promise<void> {
    const ages = debt.times.map((time) => now() - time).filter((age) => age < debt.limit.window_s * 1000);
    if (ages.length > 0) await shared.add(debt.id, debt.keyId, debt.limit, ages);
    unpaid.delete(debt);
  }

  function owe(call: LocalCall): void {
    owed.add(call);
    for (const oldest of owed) {
      if (now() - oldest.time < oldest.limit.window_s * 1000) break;
      owed.delete(oldest);
    }
  }

  function share(limit: Limit): Limit {
    return { ...limit, limit: Math.max(1, Math.floor(limit.limit / nodes)) };
  }

  function takeLocally(call: LocalCall): RateDecision {
    const known = full.get(nameOf(call));
    if (known !== undefined && known.until > now() && known.limit.limit >= call.limit.limit) {
      return decide(call.limit, false, call.limit.limit, known.until - now());
    }
    const decision = local.takeNow(call.keyId, share(call.limit));
    if (decision.allowed) owe(call);
    return { ...decision, limit: call.limit.limit };
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(watchMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (state === 'local' || closing.signal.aborted) continue;
      try {
        await probe();
        await settle();
      } catch (error) {
        failOver(error);
      }
    }
  }

  const started = recover(1, performance.now() + startMs);
  await Promise.race([started, sleep(startMs, undefined, { ref: false })]);
  if (state === 'local') onChange(state, new Error(`Redis did not answer within ${startMs} ms of the start`));
  void watch();

  return {
    state: () => state,

    async take(keyId, limit) {
      const call = { keyId, limit, time: now() };
      if (state === 'local') return takeLocally(call);
      try {
        const decision = await shared.take(keyId, limit, (late) => {
          if (late.allowed) owed.delete(call);
        });
        if (decision.allowed) local.count(keyId, limit);
        else full.set(nameOf(call), { limit, until: now() + decision.retry_after_ms });
        return decision;
      } catch (error) {
        failOver(error);
        return takeLocally(call);
      }
    },

    async peek(keyId, limit) {
      if (state === 'shared') {
        try {
          return await shared.peek(keyId, limit);
        } catch (error) {
          failOver(error);
        }
      }
      return { ...local.peekNow(keyId, share(limit)), limit: limit.limit };
    },

    async close() {
      closing.abort();
      await shared.close();
      await local.close();
    },
  };
}

function debtsOf(calls: Iterable<LocalCall>): Iterable<Debt> {
  const debts = new Map<string, Debt>();
  for (const { keyId, limit, time } of calls) {
    const name = nameOf({ keyId, limit });
    const debt = debts.get(name) ?? { id: randomUUID(), keyId, limit, times: [] };
    debt.times.push(time);
    debts.set(name, debt);
  }
  return debts.values();
}

function* inParts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let i = 0; i < items.length; i += settleConcurrency) yield items.slice(i, i + settleConcurrency);
}

function nameOf({ keyId, limit }: Pick<LocalCall, 'keyId' | 'limit'>): string {
  return `${limit.bucket}:${keyId}`;
}
