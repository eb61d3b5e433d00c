/**
 * The searches in flight in this process, and those that wait for one of them to end: in a bounded queue by priority, then in
 * order of arrival. When the queue is full, its last entry is refused.
 *
 * Throttled plans leave a quarter of the process free, so the others find capacity under any load. While the process is
 * overloaded, throttled plans get an eighth of it, one search per key, with a pause between starts. Plans that are not
 * throttled wait only for capacity.
 */
import { AppError } from '../../base/errors.ts';
import type { Caller } from '../identity.ts';
import { type Plan, plans } from '../plans.ts';
import { createCounterMap } from './counter-map.ts';
import type { OverloadDetector } from './overload-detector.ts';

export interface Turn {
  /** Whether the search was subject to throttling because of its plan. */
  readonly throttled: boolean;
  /** Must be called once, when the search has ended. */
  readonly leave: () => void;
}

export interface TurnState {
  readonly in_flight: number;
  readonly waiting: number;
  readonly overloaded: boolean;
}

export interface TurnQueue {
  /** Resolves when it is the search's turn. Rejects with `overloaded`, the error of `close`, or the signal's reason. */
  wait(caller: Caller, signal: AbortSignal): Promise<Turn>;
  state(): TurnState;
  /** Refuses what waits with this error. */
  close(error: () => AppError): void;
}

export interface TurnQueueOptions {
  /** Maximum searches in flight. */
  readonly searches: number;
  /** Maximum searches that wait. */
  readonly queue: number;
  readonly overload: Pick<OverloadDetector, 'overloaded' | 'onSample'>;
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

/** An empty queue. */
export function createTurnQueue({ searches, queue, overload }: TurnQueueOptions): TurnQueue {
  const priorities = [...new Set(Object.values(plans).map((plan) => plan.priority))].sort((a, b) => a - b);
  /** By priority, each in order of arrival. */
  const queues = new Map(priorities.map((priority) => [priority, new Set<Waiter>()]));
  const running = createCounterMap();
  let inFlight = 0;
  let throttledInFlight = 0;
  let nextThrottledAt = 0;
  let pacing: NodeJS.Timeout | undefined;

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
      startWaiting();
    };
  }

  return {
    wait: (caller, signal) =>
      new Promise((resolve, reject) => {
        const plan = plans[caller.plan];
        const waiters = queues.get(plan.priority)!;
        const isThrottledNow = plan.throttled && isOverloaded();
        let hasWaited = false;
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
            const throttled = hasWaited ? plan.throttled : isThrottledNow;
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
        // If it did not start immediately.
        hasWaited = true;
        trimQueue();
      }),

    state: () => ({ in_flight: inFlight, waiting: waiting(), overloaded: isOverloaded() }),

    close(error) {
      clearTimeout(pacing);
      for (const waiters of queues.values()) for (const waiter of waiters) waiter.refuse(error());
    },
  };
}

function atCapacity(): AppError {
  return new AppError('overloaded', 'The server is at capacity.', { retry_after_ms: 5_000 });
}
