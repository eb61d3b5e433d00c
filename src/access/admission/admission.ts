/**
 * Whether a search may start now, after its key was charged. Searches in flight are limited per process, per connection
 * and per key; per key over all processes that share a Redis, and per process while it does not answer. Past the
 * process's limit they wait in a bounded queue by priority, then in order of arrival. When the queue is full, its last
 * entry is refused.
 *
 * Throttled plans leave a quarter of the process free, so the others find capacity under any load. While the process is
 * overloaded, throttled plans get an eighth of it, one search per key, with a pause between starts. Plans that are not
 * throttled wait only for capacity.
 */
import { AppError } from '../../base/errors.ts';
import type { Caller } from '../identity.ts';
import { type Plan, plans } from '../plans.ts';
import { createCounterMap } from './counter-map.ts';
import { createOverloadDetector, type OverloadDetector } from './overload-detector.ts';
import type { SharedPlaces } from './shared-places.ts';

export interface Permit {
  /** Whether the search was subject to throttling because of its plan. */
  readonly throttled: boolean;
  readonly waited_ms: number;
  /** Must be called when the search has ended; a second call does nothing. */
  release(): void;
}

export interface AdmissionState {
  readonly in_flight: number;
  readonly waiting: number;
  readonly overloaded: boolean;
}

export interface Admission {
  /**
   * Resolves when the search may start. Rejects with `too_many_searches` for the key or connection, `overloaded` when the
   * queue is full or the wait exceeds 20 s, `server_shutdown` after `close`, or with the signal's reason.
   */
  admit(caller: Caller, place: { readonly connection?: string }, signal: AbortSignal): Promise<Permit>;
  /** Counts a WebSocket or event stream of the key; the returned function removes it. Throws `too_many_searches` past the limit. */
  connect(caller: Caller): () => void;
  /** Reports that a service this server depends on answered "too many requests". */
  reportUpstreamLimit(retryAfterMs?: number): void;
  state(): AdmissionState;
  close(): void;
}

interface Waiter {
  readonly caller: Caller;
  readonly plan: Plan;
  start(): void;
  refuse(error: AppError): void;
}

/** Below the shortest deadline of a search, 55 s. Set by hand. */
const maxWaitMs = 20_000;
/** The pause between two starts of throttled searches under overload. Set by hand. */
const paceMs = 200;
const retrySoonMs = 1_000;

/** The limits default to 1,024 each, set by hand. */
export function createAdmission(
  options: {
    /** Maximum searches in flight in this process. */
    readonly searches?: number;
    /** Maximum searches that wait for one of those to end. */
    readonly queue?: number;
    readonly overload?: OverloadDetector;
    /** Searches in flight in all processes, if there are others. */
    readonly shared?: SharedPlaces | undefined;
  } = {},
): Admission {
  const { searches = 1_024, queue = 1_024, overload = createOverloadDetector(), shared } = options;
  const priorities = [...new Set(Object.values(plans).map((plan) => plan.priority))].sort((a, b) => a - b);
  /** By priority, each in order of arrival. */
  const queues = new Map(priorities.map((priority) => [priority, new Set<Waiter>()]));
  const claimed = { key: createCounterMap(), connection: createCounterMap() };
  const running = createCounterMap();
  const connections = createCounterMap();
  let inFlight = 0;
  let throttledInFlight = 0;
  let nextThrottledAt = 0;
  let pacing: NodeJS.Timeout | undefined;
  let isClosed = false;

  const waiting = () => [...queues.values()].reduce((sum, waiters) => sum + waiters.size, 0);
  const isOverloaded = () => overload.overloaded() || waiting() * 2 > queue;
  const share = (part: number) => Math.max(1, Math.floor(searches * part));
  overload.onSample(startWaiting);

  function mayStart({ caller, plan }: Waiter): boolean {
    if (inFlight >= searches) return false;
    if (!plan.throttled) return true;
    if (!isOverloaded()) return throttledInFlight < share(3 / 4);
    if (throttledInFlight >= share(1 / 8) || running.get(caller.key_id) > 0) return false;
    const earlyMs = nextThrottledAt - performance.now();
    if (earlyMs > 0) pacing ??= setTimeout(startPaced, earlyMs);
    return earlyMs <= 0;
  }

  function startPaced(): void {
    pacing = undefined;
    startWaiting();
  }

  function startWaiting(): void {
    for (const waiters of queues.values()) {
      for (const waiter of waiters) {
        if (inFlight >= searches) return;
        if (mayStart(waiter)) waiter.start();
      }
    }
  }

  function trimQueue(): void {
    while (waiting() > queue) {
      const lowest = [...queues.values()].findLast((waiters) => waiters.size > 0)!;
      [...lowest].at(-1)!.refuse(atCapacity());
    }
  }

  function occupy(caller: Caller, plan: Plan): () => void {
    inFlight++;
    running.add(caller.key_id);
    if (plan.throttled) {
      throttledInFlight++;
      nextThrottledAt = performance.now() + paceMs;
    }
    return () => {
      inFlight--;
      running.remove(caller.key_id);
      if (plan.throttled) throttledInFlight--;
    };
  }

  /** Resolves when it is this search's turn, with the function that frees its place. */
  function waitForTurn(
    caller: Caller,
    plan: Plan,
    signal: AbortSignal,
  ): Promise<{ throttled: boolean; leave: () => void }> {
    return new Promise((resolve, reject) => {
      const waiters = queues.get(plan.priority)!;
      let throttled = plan.throttled && isOverloaded();
      const settle = () => {
        waiters.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
      };
      const waiter: Waiter = {
        caller,
        plan,
        start() {
          settle();
          resolve({ throttled, leave: occupy(caller, plan) });
        },
        refuse(error) {
          settle();
          reject(error);
        },
      };
      const abandon = () => {
        settle();
        reject(signal.reason);
      };
      const timer = setTimeout(() => waiter.refuse(atCapacity()), maxWaitMs);
      signal.addEventListener('abort', abandon, { once: true });
      waiters.add(waiter);
      startWaiting();
      throttled = plan.throttled;
      trimQueue();
    });
  }

  return {
    async admit(caller, { connection }, signal) {
      signal.throwIfAborted();
      if (isClosed) throw shutDown();
      const plan = plans[caller.plan];
      const places = [{ of: 'key', name: caller.key_id, limit: plan.searches_per_key }] as Place[];
      if (connection !== undefined) {
        places.push({ of: 'connection', name: connection, limit: plan.searches_per_connection });
      }
      for (const { of, name, limit } of places) if (claimed[of].get(name) >= limit) throw tooMany(limit, of);
      for (const { of, name } of places) claimed[of].add(name);
      let freeShared: (() => void) | undefined;
      const forget = () => {
        freeShared?.();
        for (const { of, name } of places) claimed[of].remove(name);
      };

      const since = performance.now();
      try {
        if (shared !== undefined) {
          freeShared = await takeFrom(shared, caller.key_id, plan.searches_per_key);
          signal.throwIfAborted();
          if (isClosed) throw shutDown();
        }
        const { throttled, leave } = await waitForTurn(caller, plan, signal);
        const release = once(() => {
          leave();
          forget();
          startWaiting();
        });
        return { throttled, waited_ms: performance.now() - since, release };
      } catch (error) {
        forget();
        throw error;
      }
    },

    connect({ key_id, plan }) {
      const limit = plans[plan].connections_per_key;
      if (connections.get(key_id) >= limit) {
        const message = `At most ${limit} connections and event streams may be open for this key; close one first.`;
        throw new AppError('too_many_searches', message, { retry_after_ms: retrySoonMs });
      }
      connections.add(key_id);
      return once(() => connections.remove(key_id));
    },

    reportUpstreamLimit: overload.reportUpstreamLimit,
    state: () => ({ in_flight: inFlight, waiting: waiting(), overloaded: isOverloaded() }),

    close() {
      isClosed = true;
      clearTimeout(pacing);
      overload.close();
      for (const waiters of queues.values()) for (const waiter of waiters) waiter.refuse(shutDown());
    },
  };
}

/** A place among the searches of all processes; while these cannot be asked, the limit is that of this process. */
async function takeFrom(shared: SharedPlaces, key_id: string, limit: number): Promise<() => void> {
  const free = await shared.take(key_id, limit).catch(() => () => {});
  if (free === undefined) throw tooMany(limit, 'key');
  return free;
}

interface Place {
  readonly of: 'key' | 'connection';
  readonly name: string;
  readonly limit: number;
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

function tooMany(limit: number, of: Place['of']): AppError {
  const message = `At most ${limit} searches may be in flight on this ${of}; wait for one to end.`;
  return new AppError('too_many_searches', message, { retry_after_ms: retrySoonMs });
}

function atCapacity(): AppError {
  return new AppError('overloaded', 'The server is at capacity.', { retry_after_ms: 5_000 });
}

function shutDown(): AppError {
  return new AppError('server_shutdown', 'The server is shutting down; reconnect.', { retry_after_ms: retrySoonMs });
}
