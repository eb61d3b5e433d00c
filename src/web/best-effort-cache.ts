/**
 * A cache that never fails whoever reads a page: what it cannot give is fetched, what it cannot take is forgotten, and it
 * is waited for only so long. Trouble is told when it begins and when it ends, looking up and keeping apart, since a full
 * disk still gives what it holds.
 */
import type { PageCache } from './page-cache.ts';

/** `trouble` is undefined when that part of the cache works again. */
export type OnCacheTrouble = (part: 'lookup' | 'keeping', trouble: Error | undefined) => void;

const longestMs = 2_000;

export function createBestEffortCache(cache: PageCache, onTrouble: OnCacheTrouble = () => {}): PageCache {
  const failing = { lookup: false, keeping: false };

  async function attempt<Value>(part: keyof typeof failing, work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      const value = await inTime(work());
      if (failing[part]) onTrouble(part, undefined);
      failing[part] = false;
      return value;
    } catch (error) {
      if (!failing[part]) onTrouble(part, error instanceof Error ? error : new Error(String(error)));
      failing[part] = true;
      return undefined;
    }
  }

  return {
    get: (url) => attempt('lookup', () => cache.get(url)),
    put: (url, cached) => attempt('keeping', () => cache.put(url, cached)),
    snapshot: (id) => attempt('lookup', () => cache.snapshot(id)),
  };
}

/** What comes later is still done, but not waited for. */
async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page cache took longer than ${longestMs} ms.`)), longestMs);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
