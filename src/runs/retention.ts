/**
 * Removes old searches, threads that were not continued since, the pins on the pages they cite, and pages that nothing needs: first
 * the records, then the pins of the same age. A process that dies in between leaves pages that are pinned too long, which the next
 * round finds, and never a search without its pages. Pins are stored with the pages, and machines that share the records have their own pages;
 * because removal goes by age, they need not know of each other. It works in small steps with pauses, because nothing waits for
 * it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs } from '../base/values/day.ts';
import type { CitedPages } from './cited-pages.ts';
import type { RunRecords } from './records/run-records.ts';
import type { ThreadRecords } from './records/thread-records.ts';

export interface Retention {
  /** Removes everything that is too old now. Rejects when the store or the index fails. */
  round(): Promise<void>;
  /** Stops after the current step. */
  close(): Promise<void>;
}

/** Set by hand: a search is kept at most an hour longer than its days. */
const roundEveryMs = 3_600_000;
/** Keeps the first round out of the start-up. Set by hand. */
const firstRoundMs = 60_000;
/** Lets other writers in between two steps. Set by hand. */
const pauseMs = 50;

/** Starts removing, a round every hour. Faults of a round go to `onFault`, and the next round tries again. */
export function createRetention(settings: {
  /** Days to keep searches and threads; undefined keeps them forever. */
  readonly keepDays: number | undefined;
  readonly records: Pick<RunRecords, 'removeBefore'>;
  readonly threads: Pick<ThreadRecords, 'removeThreadsBefore'>;
  readonly cited: Pick<CitedPages, 'unpinBefore'>;
  readonly onFault: (error: unknown) => void;
  /** Rows per step; 200 by default. */
  readonly batchSize?: number;
}): Retention {
  const { keepDays, records, threads, cited, onFault, batchSize = 200 } = settings;
  const closing = new AbortController();
  const { signal } = closing;
  const rounds = runRounds();

  async function round(): Promise<void> {
    // No search ended before the empty string.
    const before = keepDays === undefined ? '' : new Date(Date.now() - keepDays * dayMs).toISOString();
    if (keepDays !== undefined) {
      await inSteps(() => records.removeBefore(before, batchSize));
      await inSteps(() => threads.removeThreadsBefore(before, batchSize));
    }
    await inSteps(() => cited.unpinBefore(before, batchSize));
  }

  /** Repeats the step until nothing remains. */
  async function inSteps(step: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted && (await step())) await sleep(pauseMs, undefined, { ref: false });
  }

  async function runRounds(): Promise<void> {
    // The jitter keeps processes that start together from running their rounds together.
    const first = firstRoundMs * (1 + Math.random());
    for (let wait = first; !signal.aborted; wait = roundEveryMs) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await round().catch(onFault);
    }
  }

  return {
    round,
    async close() {
      closing.abort();
      await rounds;
    },
  };
}
