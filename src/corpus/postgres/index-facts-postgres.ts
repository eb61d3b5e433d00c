/** Facts that hold for an index until its next version, read once: the twin of ../search/full-access.ts, and more. */
import { LRUCache } from 'lru-cache';
import type { ReadRows } from '../../base/postgres/read-rows.ts';
import { documentation, everybody } from '../../base/source-names.ts';
import type { PagesReach } from '../../engine/ports/corpus.ts';

/** How many owners to remember the answer for; set by hand. */
const maxOwners = 1_000;

export interface IndexFacts {
  /**
   * Whether every page is within reach in a version of the index. It only decides how to search: every statement that reads
   * passages checks by itself what may be found.
   */
  canReadAll(reach: PagesReach, version: number): Promise<boolean>;
  /** Whether the index has documentation of installed packages in a version. */
  hasOwn(version: number): Promise<boolean>;
}

/** Looks them up with `read`, and rejects as that does. */
export function createIndexFacts(read: ReadRows): IndexFacts {
  const fullAccess = new LRUCache<string, { version: number; readsAll: boolean }>({ max: maxOwners });
  let own: { version: number; exists: boolean } | undefined;

  return {
    async canReadAll({ owner = everybody, sources }, version) {
      if (sources !== undefined) return false;
      const known = fullAccess.get(owner);
      if (known?.version === version) return known.readsAll;
      const [low, high] = [owner, documentation].sort();
      const [row] = await read(
        `select exists (select 1 from corpus_pages where owner > '' and owner < $1)
            or exists (select 1 from corpus_pages where owner > $1 and owner < $2)
            or exists (select 1 from corpus_pages where owner > $2)
            or ($3 <> '' and exists (select 1 from corpus_pages where owner = $1)
              and exists (select 1 from corpus_pages where owner = $2)) as is_closed`,
        [low, high, owner],
      );
      const readsAll = !row.is_closed;
      fullAccess.set(owner, { version, readsAll });
      return readsAll;
    },

    async hasOwn(version) {
      if (own?.version !== version) {
        const [row] = await read('select exists (select 1 from corpus_pages where owner = $1) as found', [
          documentation,
        ]);
        own = { version, exists: row.found };
      }
      return own.exists;
    },
  };
}
