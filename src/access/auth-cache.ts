/**
 * What is remembered of a key or a session, so that a call costs no query. Memory is trusted for 10 s, so a revocation or
 * suspension bites within that everywhere, and at once where its announcement arrives. When the store fails, or is not
 * quick, what was remembered holds for 30 s in all. Only what exists is remembered.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../base/errors.ts';
import type { Account } from './access-records.ts';
import type { Revocations } from './revocations.ts';

const trustedMs = 10_000;
const staleMs = 30_000;
/** How long a call waits for the store where memory could still answer. */
const quickMs = 250;

export interface AuthCacheOptions<Found> {
  readonly read: (id: string) => Promise<Found | undefined>;
  readonly revocations: Revocations;
  /** What cannot be checked while the store fails: "API keys". */
  readonly what: string;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** The reads, remembered. They reject with `overloaded` where the store fails and memory does not help. */
export function createAuthCache<Found extends { readonly account: Account }>(
  options: AuthCacheOptions<Found>,
): (id: string) => Promise<Found | undefined> {
  const { read, revocations, what, now } = options;
  const remembered = new LRUCache<string, { readonly found: Found; readonly read_at: number }>({ max: 10_000 });
  const reading = new Map<string, Promise<Found | undefined>>();
  // A read that began before an announcement may end after it with what was true before.
  let announced = 0;

  revocations.onAnnounced((accountId) => {
    announced++;
    reading.clear();
    for (const [id, { found }] of remembered.entries()) if (found.account.id === accountId) remembered.delete(id);
  });

  async function readAnew(id: string): Promise<Found | undefined> {
    const before = announced;
    const found = await read(id);
    if (found === undefined) remembered.delete(id);
    else if (announced === before) remembered.set(id, { found, read_at: now() });
    return found;
  }

  function begin(id: string): Promise<Found | undefined> {
    const pending = readAnew(id).finally(() => {
      if (reading.get(id) === pending) reading.delete(id);
    });
    reading.set(id, pending);
    return pending;
  }

  /** One read of the store at a time for each id, however many ask; behind an announcement another. */
  return async (id) => {
    const known = remembered.get(id);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.read_at;
    if (known !== undefined && age < trustedMs) return known.found;
    const pending = reading.get(id) ?? begin(id);
    try {
      return await (known !== undefined && age < staleMs ? quickOr(known.found, pending) : pending);
    } catch (error) {
      if (known !== undefined && age < staleMs) return known.found;
      const message = `The server cannot check ${what} at the moment.`;
      throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause: error });
    }
  };
}

/** What is pending, if it comes quickly; else what is known. */
function quickOr<Found>(known: Found, pending: Promise<Found>): Promise<Found> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(known), quickMs);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
