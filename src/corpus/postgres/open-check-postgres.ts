/** Facts that hold for an index until its next version, read once: the twin of ../search/open-check.ts. */
import { LRUCache } from 'lru-cache';
import type { ReadRows } from '../../base/postgres/read-rows.ts';
import { documentation, everybody } from '../../base/source-names.ts';
import type { Reach } from '../index/source-filter.ts';

/** How many owners to remember the answer for; set by hand. */
const maxOwners = 1_000;

export interface OpenCheck {
  /**
   * Whether every page is within reach in a version of the index. It only decides how to search: every statement that reads
   * passages checks by itself what may be found.
   */
  isOpenTo(reach: Reach, version: number): Promise<boolean>;
  /** Whether the index has documentation of installed packages in a version. */
  hasOwn(version: number): Promise<boolean>;
}

/** The check over a function that reads rows. Rejects as that does. */
export function createOpenCheck(read: ReadRows): OpenCheck {
  const openTo = new LRUCache<string, { version: number; isOpen: boolean }>({ max: maxOwners });
  let own: { version: number; exists: boolean } | undefined;

  return {
    async isOpenTo({ owner = everybody, sources }, version) {
      if (sources !== undefined) return false;
      const known = openTo.get(owner);
      if (known?.version === version) return known.isOpen;
      const [low, high] = [owner, documentation].sort();
      const [row] = await read(
        `select exists (select 1 from corpus_pages where owner > '' and owner < $1)
            or exists (select 1 from corpus_pages where owner > $1 and owner < $2)
            or exists (select 1 from corpus_pages where owner > $2)
            or ($3 <> '' and exists (select 1 from corpus_pages where owner = $1)
              and exists (select 1 from corpus_pages where owner = $2)) as is_closed`,
        [low, high, owner],
      );
      const isOpen = !row.is_closed;
      openTo.set(owner, { version, isOpen });
      return isOpen;
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
