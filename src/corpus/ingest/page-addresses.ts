/**
 * Which address each page of a source gets. Several pages may declare one canonical URL: those with the same text are one page, and
 * of the others, the page that was asked for by that URL has it, or else the first one. The rest keep the addresses that they were
 * asked for by: otherwise each would replace the one before.
 */
import { createHash } from 'node:crypto';
import { snapshotId } from '../../base/snapshot-id.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';

export interface PageAddresses {
  /** Whether the page has to wait until the one that was asked for by its canonical URL is read. */
  mustWait(key: string, snapshot: Snapshot): boolean;
  /** The page under the address that it gets, now and in the rest of this indexing. */
  assign(key: string, snapshot: Snapshot): Snapshot;
}

/** For the pages of a source, by the URLs that they are asked for by. */
export function createPageAddresses(keys: readonly string[]): PageAddresses {
  const asked = new Set(keys);
  /** A digest of the text at each address. */
  const texts = new Map<string, string>();
  return {
    mustWait: (key, { url }) => url !== key && asked.has(url) && !texts.has(url),
    assign(key, snapshot) {
      const digest = createHash('sha256').update(snapshot.text).digest('base64');
      const held = texts.get(snapshot.url);
      if (snapshot.url === key || held === undefined || held === digest) {
        texts.set(snapshot.url, digest);
        return snapshot;
      }
      texts.set(key, digest);
      return { ...snapshot, id: snapshotId(key, snapshot.text), url: key };
    },
  };
}
