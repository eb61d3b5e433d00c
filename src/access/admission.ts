/**
 * Whether a search may start now, once its key has paid for it. Searches in flight are limited for the process, the key
 * and the connection (per process: what keys share between processes is the limiter). Past the process's limit they wait
 * in a bounded queue: plans of a better rank first, each rank in the order of arrival; what is too much for the queue is
 * refused from its end.
 *
 * Throttled plans leave a quarter of the process free, so the others find room whatever floods in. While the process is
 * overloaded they get an eighth of it, one search a key, a little apart. Plans that are not throttled never wait for
 * anything but room.
 */
import { AppError } from '../base/errors.ts';
import { createCounterMap } from './counter-map.ts';
import type { Caller } from './identity.ts';
import { createOverloadDetector, type OverloadDetector } from './overload-detector.ts';
import { type Plan, plans } from './plans.ts';

export interface Permit {
  /** Whether the search was held back, or could have been, because of its plan. */
  readonly throttled: boolean;
  readonly waited_ms: number;
  /** To be called when the search has ended; a second call does nothing. */
  release(): void;
}

export interface AdmissionState {
  readonly in_flight: number;
  readonly waiting: number;
  readonly overloaded: boolean;
}

export interface Admission {
  /**
   * Rejects with `too_many_searches` (429) for the key or connection, `overloaded` (503) when the queue is full or the
   * wait too long, `server_shutdown` after `close`, or with the signal's reason.
   */
  admit(caller: Caller, place: { readonly connection?: string }, signal: AbortSignal): Promise<Permit>;
  /** Counts a connection of the key; the function returned counts it out. Throws `too_many_searches` past the limit. */
  connect(caller: Caller): () => void;
  /** Tells that a service this server relies on said "too many requests". */
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

const maxWaitMs = 20_000;
const paceMs = 200;
const retrySoonMs = 1_000;

export function createAdmission(
  options: {
    /** Searches in flight in this process. */
    readonly searches?: number;
    /** Searches that wait for one of those to end. */
    readonly queue?: number;
    readonly load?: OverloadDetector;
  } = {},
): Admission {
  const { searches = 1_024, queue = 1_024, load = createOverloadDetector() } = options;
  const ranks = [...new Set(Object.values(plans).map((plan) => plan.priority))].sort((a, b) => a - b);
  const lines = new Map(ranks.map((rank) => [rank, new Set<Waiter>()]));
  const claimed = { key: createCounterMap(), connection: createCounterMap() };
  const running = createCounterMap();
  const connections = createCounterMap();
  let inFlight = 0;
  let throttledInFlight = 0;
  let nextThrottledAt = 0;
  let pacing: NodeJS.Timeout | undefined;
  let isClosed = false;

  const waiting = () => [...lines.values()].reduce((sum, line) => sum + line.size, 0);
  const isOverloaded = () => load.overloaded() || waiting() * 2 > queue;
  const partOf = (part: number) => Math.max(1, Math.floor(searches * part));
  load.onSample(startWaiting);

  function mayStart({ caller, plan }: Waiter): boolean {
    if (inFlight >= searches) return false;
    if (!plan.throttled) return true;
    if (!isOverloaded()) return throttledInFlight < partOf(3 / 4);
    if (throttledInFlight >= partOf(1 / 8) || running.get(caller.key_id) > 0) return false;
    const earlyMs = nextThrottledAt - performance.now();
    if (earlyMs > 0) pacing ??= setTimeout(startPaced, earlyMs);
    return earlyMs <= 0;
  }

  function startPaced(): void {
    pacing = undefined;
    startWaiting();
  }

  function startWaiting(): void {
    for (const line of lines.values()) {
      for (const waiter of line) {
        if (inFlight >= searches) return;
        if (mayStart(waiter)) waiter.start();
      }
    }
  }

  function trimQueue(): void {
    while (waiting() > queue) {
      const worst = [...lines.values()].findLast((line) => line.size > 0)!;
      [...worst].at(-1)!.refuse(full());
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

  /** Resolves when it is this search's turn, with how to end it. */
  function queueUp(
    caller: Caller,
    plan: Plan,
    signal: AbortSignal,
  ): Promise<{ throttled: boolean; leave: () => void }> {
    return new Promise((resolve, reject) => {
      const line = lines.get(plan.priority)!;
      let throttled = plan.throttled && isOverloaded();
      const settle = () => {
        line.delete(waiter);
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
      const timer = setTimeout(() => waiter.refuse(full()), maxWaitMs);
      signal.addEventListener('abort', abandon, { once: true });
      line.add(waiter);
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
      const places = [{ of: 'key', name: caller.key_id, most: plan.searches_per_key }] as Place[];
      if (connection !== undefined) {
        places.push({ of: 'connection', name: connection, most: plan.searches_per_connection });
      }
      for (const { of, name, most } of places) if (claimed[of].get(name) >= most) throw tooMany(most, of);
      for (const { of, name } of places) claimed[of].add(name);
      const forget = () => {
        for (const { of, name } of places) claimed[of].remove(name);
      };

      const since = performance.now();
      try {
        const { throttled, leave } = await queueUp(caller, plan, signal);
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
      const most = plans[plan].connections_per_key;
      if (connections.get(key_id) >= most) {
        const message = `At most ${most} connections may be open for this key; close one first.`;
        throw new AppError('too_many_searches', message, { retry_after_ms: retrySoonMs });
      }
      connections.add(key_id);
      return once(() => connections.remove(key_id));
    },

    reportUpstreamLimit: load.reportUpstreamLimit,
    state: () => ({ in_flight: inFlight, waiting: waiting(), overloaded: isOverloaded() }),

    close() {
      isClosed = true;
      clearTimeout(pacing);
      load.close();
      for (const line of lines.values()) for (const waiter of line) waiter.refuse(shutDown());
    },
  };
}

interface Place {
  readonly of: 'key' | 'connection';
  readonly name: string;
  readonly most: number;
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

function tooMany(most: number, of: Place['of']): AppError {
  const message = `At most ${most} searches may be in flight on this ${of}; wait for one to end.`;
  return new AppError('too_many_searches', message, { retry_after_ms: retrySoonMs });
}

function full(): AppError {
  return new AppError('overloaded', 'The server has as many searches as it can hold.', { retry_after_ms: 5_000 });
}

function shutDown(): AppError {
  return new AppError('server_shutdown', 'The server is going down; connect again.', { retry_after_ms: retrySoonMs });
}
