/**
 * Whether a search may start now, after its key was charged. Searches in flight are limited per process, per connection
 * and per key; per key over all processes that share a Redis, and per process while it does not answer. Past the process's
 * limit they wait for their turn: see turn-queue.ts.
 */
import { AppError } from '../../base/errors.ts';
import type { Caller } from '../identity.ts';
import { plans } from '../plans.ts';
import { createCounterMap } from './counter-map.ts';
import { createOverloadDetector, type OverloadDetector } from './overload-detector.ts';
import type { SharedPlaces } from './shared-places.ts';
import { createTurnQueue, type TurnState } from './turn-queue.ts';

export interface Permit {
  /** Whether the search was subject to throttling because of its plan. */
  readonly throttled: boolean;
  /** Must be called when the search has ended; a second call does nothing. */
  release(): void;
}

export interface Admission {
  /**
   * Resolves when the search may start. Rejects with `too_many_searches` for the key or connection, `overloaded` when the
   * queue is full or the wait exceeds 20 s, `server_shutdown` after `close`, or with the signal's reason.
   */
  admit(caller: Caller, place: { readonly connection?: string }, signal: AbortSignal): Promise<Permit>;
  /**
   * Counts a WebSocket or event stream of the key in this process alone; the returned function removes it. Throws
   * `too_many_searches` past the limit.
   */
  connect(caller: Caller): () => void;
  /** Reports that a service this server depends on answered "too many requests". */
  reportUpstreamLimit(retryAfterMs?: number): void;
  state(): TurnState;
  close(): void;
}

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
  const turns = createTurnQueue({ searches, queue, overload });
  const claimed = { key: createCounterMap(), connection: createCounterMap() };
  const connections = createCounterMap();
  let isClosed = false;

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

      try {
        if (shared !== undefined) {
          freeShared = await takeFrom(shared, caller.key_id, plan.searches_per_key);
          signal.throwIfAborted();
          if (isClosed) throw shutDown();
        }
        const { throttled, leave } = await turns.wait(caller, signal);
        const release = once(() => {
          forget();
          leave();
        });
        return { throttled, release };
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
    state: turns.state,

    close() {
      isClosed = true;
      overload.close();
      turns.close(shutDown);
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

function shutDown(): AppError {
  return new AppError('server_shutdown', 'The server is shutting down; reconnect.', { retry_after_ms: retrySoonMs });
}
