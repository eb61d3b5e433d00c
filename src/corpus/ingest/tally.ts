/** Counts what becomes of the pages of a source while it is indexed. */
import type { Outcome } from '../index/read-page-file.ts';
import type { Failure } from './list-files.ts';

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  /** While it is indexed, this list grows: keep its length, or a copy. */
  readonly failed: readonly Failure[];
  /** Pages of which only the beginning was read, because they are too long. Like `failed`, it grows. */
  readonly truncated: readonly string[];
  /** Of a folder: how many of its files and folders were left out on purpose, for each reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Pages of a source of kind `packages` that left the index because this one arrived. */
  readonly replaced: number;
  /** Whether this source, of kind `packages`, left the index or stayed out because there is another one. */
  readonly gaveWay: boolean;
}

export type Tally = ReturnType<typeof createTally>;

/** `onProgress` is called after each change. */
export function createTally(onProgress: ((progress: IndexProgress) => void) | undefined) {
  const counts = { done: 0, total: 0, added: 0, updated: 0, unchanged: 0, removed: 0 };
  const failed: Failure[] = [];
  const truncated: string[] = [];
  /** Keys of everything found, even if unreadable: a page that could not be read this time is kept. */
  const keys: string[] = [];
  let skipped: ReadonlyMap<string, number> = new Map();
  const progress = (): IndexProgress => ({ ...counts, failed, truncated, skipped, replaced: 0, gaveWay: false });
  const notify = () => onProgress?.(progress());
  return {
    keys,
    /** The counts at this moment, with lists that stay as they are. */
    progress: (): IndexProgress => ({ ...progress(), failed: [...failed], truncated: [...truncated] }),
    changed: () => counts.added + counts.updated + counts.removed > 0,
    expect(total: number) {
      counts.total = total;
      notify();
    },
    skip(reasons: ReadonlyMap<string, number>) {
      skipped = reasons;
    },
    /** Notes keys of what was found and is not to be read, whose pages stay. */
    keep(found: readonly string[]) {
      for (const key of found) keys.push(key);
    },
    fail(failures: readonly Failure[]) {
      if (failures.length === 0) return;
      counts.done += failures.length;
      for (const failure of failures) failed.push(failure);
      notify();
    },
    cut(source: string) {
      truncated.push(source);
    },
    count(outcome: Outcome, source: string) {
      counts.done++;
      // A file that was read and has nothing in it any more takes its old text out of the index.
      if (outcome.was !== 'failed' || outcome.isEmpty !== true) keys.push(outcome.key);
      if (outcome.was === 'failed') failed.push({ source, reason: outcome.reason });
      else counts[outcome.was]++;
      notify();
    },
    remove(pages: number) {
      counts.removed += pages;
      if (pages > 0) notify();
    },
  };
}
