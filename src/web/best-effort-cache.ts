/**
 * A page cache whose failures never fail a read: a failed lookup is a miss, a failed write is dropped, and neither is awaited for
 * more than two seconds, or a quarter of one while the calls before it failed. If a fetch cannot be claimed, the page is read
 * without a claim: a page may then be read twice. Trouble is reported when it begins and when it ends, separately for lookups and
 * writes, because a full disk can still be read.
 */
import type { PageCache, ReleaseClaim } from './page-cache.ts';

/** `trouble` is undefined when that part of the cache works again. */
export type OnCacheTrouble = (part: 'lookup' | 'keeping', trouble: Error | undefined) => void;

/** Max. time that one call of the cache is awaited, and while it is failing; set by hand. */
const maxWaitMs = 2_000;
const maxWaitFailingMs = 250;

/** Wraps a cache so that its calls never reject. */
export function createBestEffortCache(cache: PageCache, onTrouble: OnCacheTrouble = () => {}): PageCache {
  const failing = { lookup: false, keeping: false };

  async function attempt<Value>(part: keyof typeof failing, work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      const value = await inTime(work(), failing[part] ? maxWaitFailingMs : maxWaitMs);
      if (failing[part]) onTrouble(part, undefined);
      failing[part] = false;
      return value;
    } catch (error) {
      if (!failing[part]) onTrouble(part, error instanceof Error ? error : new Error(String(error)));
      failing[part] = true;
      return undefined;
    }
  }

  async function claimInTime(claiming: Promise<ReleaseClaim | 'taken'>): Promise<ReleaseClaim | 'taken'> {
    const release = await attempt('keeping', () => claiming);
    if (release !== undefined) return release;
    // What is granted too late for its reader is returned.
    const giveBack = (late: ReleaseClaim | 'taken') => void (late !== 'taken' && late());
    claiming.then(giveBack, () => {});
    return () => {};
  }

  return {
    get: (url) => attempt('lookup', () => cache.get(url)),
    put: (url, cached) => attempt('keeping', () => cache.put(url, cached)),
    snapshot: (id) => attempt('lookup', () => cache.snapshot(id)),
    ...(cache.claim === undefined ? {} : { claim: (url) => claimInTime(cache.claim!(url)) }),
  };
}

/** Rejects after `limitMs`; the work itself is not stopped. */
async function inTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page cache took longer than ${limitMs} ms.`)), limitMs);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
