/**
 * Removes old searches, threads that were not continued since, the pins on the pages they cite, and pages that nothing needs: first
 * the records, then the pins of the same age. A process that dies in between leaves pages that are pinned too long, which the next
 * round finds, and never a search without its pages. Pins are stored with the pages, and machines that share the records have their own pages;
 * because removal goes by age, they need not know of each other. It works in small steps with pauses, because nothing waits for
 * it.
 *
 * A clock that is far ahead would remove everything. If it leaps while the server runs, nothing is removed for a day, in which it may be
 * corrected. A server that starts long after the newest search waits only for its next round: nobody may have asked in between, and a
 * machine that is switched off each night must remove what is old as well.
 */
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RefusalRecords } from '../access/usage/refusals.ts';
import { dayMs } from '../base/values/day.ts';
import { isoTime } from '../base/values/iso-time.ts';
import type { CitedPages } from './cited-pages.ts';
import type { RunRecords } from './records/run-records.ts';
import type { ThreadRecords } from './records/thread-records.ts';

export interface Retention {
  /** Removes everything that is too old now, by the clock as it is. Rejects when the store or the index fails. */
  round(): Promise<void>;
  /** The same, unless the clock may be wrong. */
  cautiousRound(): Promise<void>;
  /** Stops after the current step. */
  close(): Promise<void>;
}

/** Set by hand: a search is kept at most an hour longer than its days. */
const roundEveryMs = 3_600_000;
/** Keeps the first round out of the start-up. Set by hand. */
const firstRoundMs = 60_000;
/** Lets other writers in between two steps. Set by hand. */
const pauseMs = 50;
/** How long a clock that has leapt is doubted. Set by hand. */
const leapDoubtMs = dayMs;
/** How long the clock is doubted at a start: past the first round, and over before the next one. Set by hand. */
const startDoubtMs = roundEveryMs / 2;
/**
 * How long after the newest search was due to be removed a start is doubted. A server that runs once in this time has removed that search,
 * so only one that was off for longer waits. Set by hand.
 */
const longOffMs = 30 * dayMs;

/** Starts removing, a cautious round every hour. Faults of a round go to `onFault`, and the next round tries again. */
export function createRetention(settings: {
  /** Days to keep searches and threads; undefined keeps them forever. */
  readonly keepDays: number | undefined;
  readonly records: Pick<RunRecords, 'removeBefore' | 'newestEnd'>;
  readonly threads: Pick<ThreadRecords, 'removeThreadsBefore'>;
  readonly refusals: Pick<RefusalRecords, 'removeRefusalsBefore'>;
  readonly cited: Pick<CitedPages, 'unpinBefore'>;
  readonly onFault: (error: unknown) => void;
  /** Called when the clock begins to be doubted: with the time that was expected, ms since 1970, and for how long nothing is removed, ms. */
  readonly onDoubt?: (expected: number, waitMs: number) => void;
  /** Rows per step; 200 by default. */
  readonly batchSize?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** A monotonic clock that counts the time in which the machine sleeps, milliseconds. */
  readonly elapsed?: () => number;
}): Retention {
  const { keepDays, records, threads, refusals, cited, onFault, onDoubt, batchSize = 200 } = settings;
  const { now = () => Date.now(), elapsed = () => 1000 * uptime() } = settings;
  const closing = new AbortController();
  const { signal } = closing;
  const rounds = runRounds();

  async function round(): Promise<void> {
    // No search ended before the empty string.
    const before = keepDays === undefined ? '' : isoTime(now() - keepDays * dayMs);
    if (keepDays !== undefined) {
      await inSteps(() => records.removeBefore(before, batchSize));
      await inSteps(() => threads.removeThreadsBefore(before, isoTime(now()), batchSize));
      await inSteps(() => refusals.removeRefusalsBefore(before, batchSize));
    }
    await inSteps(() => cited.unpinBefore(before, batchSize));
  }

  /** The last time that was believed, and when that was by the monotonic clock. */
  let believed: { readonly time: number; readonly at: number } | undefined;
  let doubtedSince: number | undefined;

  /** Whether the time is plausible: little more than that of the round before and what has passed since. */
  async function isPlausible(days: number): Promise<boolean> {
    if (believed === undefined) {
      const newest = await records.newestEnd();
      const expected = newest === undefined ? now() : Date.parse(newest);
      if (isDoubted(expected, days * dayMs + longOffMs, startDoubtMs)) return false;
    } else {
      const expected = believed.time + elapsed() - believed.at;
      if (isDoubted(expected, Math.max(dayMs, (days * dayMs) / 2), leapDoubtMs)) return false;
    }
    believed = { time: now(), at: elapsed() };
    doubtedSince = undefined;
    return true;
  }

  /** Whether the time is later than expected by more than `slack`, and not for `ms` already. */
  function isDoubted(expected: number, slack: number, ms: number): boolean {
    if (now() - expected <= slack) return false;
    if (doubtedSince === undefined) onDoubt?.(expected, ms);
    doubtedSince ??= elapsed();
    return elapsed() - doubtedSince < ms;
  }

  async function cautiousRound(): Promise<void> {
    if (keepDays === undefined || (await isPlausible(keepDays))) await round();
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
      if (!signal.aborted) await cautiousRound().catch(onFault);
    }
  }

  return {
    round,
    cautiousRound,
    async close() {
      closing.abort();
      await rounds;
    },
  };
}
