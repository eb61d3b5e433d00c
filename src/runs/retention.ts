/**
 * Ended searches go after a while, and with them the marks that keep their pages. First the records, then the marks of
 * the same age: a process that dies in between leaves pages that are kept too long, which the next round finds, and
 * never a search whose pages are gone. Marks lie beside the pages, and machines that share the records have pages of their
 * own; going by age, each of them needs to know nothing of the others. Small steps with pauses, for nobody waits for this.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CitedPages } from './cited-pages.ts';
import type { RunRecords } from './run-records.ts';

export interface Retention {
  /** Removes what is too old now. Rejects when the store or the index fails. */
  round(): Promise<void>;
  /** Stops it, in the middle of a round too. */
  close(): Promise<void>;
}

const roundEveryMs = 3_600_000;
/** Some time after the start, which has enough to do. */
const firstRoundMs = 60_000;
const pauseMs = 50;

export function createRetention(settings: {
  readonly keepDays: number;
  readonly records: Pick<RunRecords, 'removeBefore'>;
  readonly cited: Pick<CitedPages, 'unpinBefore'>;
  readonly onFault: (error: unknown) => void;
  /** Rows of one step. 200 unless told. */
  readonly most?: number;
}): Retention {
  const { keepDays, records, cited, onFault, most = 200 } = settings;
  const closing = new AbortController();
  const { signal } = closing;
  const going = go();

  async function round(): Promise<void> {
    const before = new Date(Date.now() - keepDays * 86_400_000).toISOString();
    await inSteps(() => records.removeBefore(before, most));
    await inSteps(() => cited.unpinBefore(before, most));
  }

  /** Until a step leaves nothing. */
  async function inSteps(step: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted && (await step())) await sleep(pauseMs, undefined, { ref: false });
  }

  async function go(): Promise<void> {
    // Processes that start together do not all begin together.
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
      await going;
    },
  };
}
