/**
 * Keeps the documentation of the installed packages apart from other sources. It fills an index that has nothing else; a question
 * about one's own documents must not be answered from it, nor refused because of it. So it leaves before the first page of
 * another source is written. Another process may be indexing it at that time: that one looks for other sources between its writes
 * and at the end, and gives way, so whichever order they write in, it is gone in the end. A source of one account changes nothing
 * for the others: its searches leave this documentation out (see `checkReach` in source-filter.ts).
 */
import { documentation, everybody, ownerOfSource } from '../../base/source-names.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CallWorker } from '../worker-rpc.ts';

export interface YieldRule {
  /** Whether this source is the one that leaves, and another is there. */
  mustYield(): Promise<boolean>;
  /** Call before a page is written: removes the source that leaves, once, unless it is this one. */
  removeDefaultDocs(): Promise<void>;
  /** How many pages that removed. */
  removedPages(): number;
}

/** For indexing the source `name` (see `sourceName` in ingest.ts). Both functions reject as `write` does. */
export function createYieldRule(name: string, write: CallWorker<IndexWriter>, signal: AbortSignal): YieldRule {
  const mayStay = ownerOfSource(name) !== documentation;
  const isEverybodys = ownerOfSource(name) === everybody;
  let pages = 0;
  let removing: Promise<void> | undefined;

  async function removePackages(): Promise<void> {
    for (const other of await write('otherSources', name)) {
      if (ownerOfSource(other) === documentation) pages += await sweep(other, [], write, signal);
    }
  }

  return {
    mustYield: async () =>
      !mayStay && (await write('otherSources', name)).some((other) => ownerOfSource(other) === everybody),
    async removeDefaultDocs() {
      if (!mayStay || !isEverybodys) return;
      removing ??= removePackages();
      await removing;
    },
    removedPages: () => pages,
  };
}

/** Removes the pages of the source `name` (see `sourceName`) whose keys are not in `keys`; returns how many. */
export async function sweep(
  name: string,
  keys: readonly string[],
  write: CallWorker<IndexWriter>,
  signal: AbortSignal,
): Promise<number> {
  let pages = 0;
  for (let removed = -1; removed !== 0; pages += removed) {
    signal.throwIfAborted();
    removed = await write('sweep', name, keys);
  }
  return pages;
}
