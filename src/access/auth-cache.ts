/**
 * Caches keys and sessions, so a call costs no query. An entry is fresh for 10 s, so a revocation or suspension takes
 * effect everywhere within that time, and immediately where its announcement arrives. When the store fails or is slow, an
 * entry may be used for 30 s in all. Only existing keys and sessions are cached.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../base/errors.ts';
import type { Account } from './access-records.ts';
import type { Revocations } from './revocations.ts';

/** Set by hand; 30 s is promised in the documentation of keys. */
const freshMs = 10_000;
const staleMs = 30_000;
/** How long a call waits for the store while a stale entry could still answer. Set by hand. */
const slowReadMs = 250;

export interface AuthCacheOptions<Found> {
  readonly read: (id: string) => Promise<Found | undefined>;
  readonly revocations: Revocations;
  /** What cannot be checked while the store fails, for the error message: "API keys". */
  readonly what: string;
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
}

/** The cached `read`. Rejects with `overloaded` when the store fails and no usable entry is cached. */
export function createAuthCache<Found extends { readonly account: Account }>(
  options: AuthCacheOptions<Found>,
): (id: string) => Promise<Found | undefined> {
  const { read, revocations, what, now } = options;
  const cache = new LRUCache<string, { readonly found: Found; readonly read_at: number }>({ max: 10_000 });
  const reading = new Map<string, Promise<Found | undefined>>();
  // A read that started before an announcement may finish after it with outdated data, which must not be cached.
  let announcements = 0;

  revocations.onAnnounced((accountId) => {
    announcements++;
    reading.clear();
    for (const [id, { found }] of cache.entries()) if (found.account.id === accountId) cache.delete(id);
  });

  async function readAndCache(id: string): Promise<Found | undefined> {
    const before = announcements;
    const found = await read(id);
    if (found === undefined) cache.delete(id);
    else if (announcements === before) cache.set(id, { found, read_at: now() });
    return found;
  }

  function startRead(id: string): Promise<Found | undefined> {
    const pending = readAndCache(id).finally(() => {
      if (reading.get(id) === pending) reading.delete(id);
    });
    reading.set(id, pending);
    return pending;
  }

  /** Concurrent calls for one id share a read, except across an announcement. */
  return async (id) => {
    const known = cache.get(id);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.read_at;
    if (known !== undefined && age < freshMs) return known.found;
    const pending = reading.get(id) ?? startRead(id);
    try {
      return await (known !== undefined && age < staleMs ? pendingOrStale(pending, known.found) : pending);
    } catch (error) {
      if (known !== undefined && age < staleMs) return known.found;
      const message = `The server cannot check ${what} at the moment.`;
      throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause: error });
    }
  };
}

/** The pending read if it is quick, else the stale value. */
function pendingOrStale<Found>(pending: Promise<Found>, stale: Found): Promise<Found> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(stale), slowReadMs);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
