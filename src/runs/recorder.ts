/**
 * Saves ended searches. A search is shown as ended only once it is kept: its record is saved, and before that the pages
 * that it cites are pinned, so no record ever names a page that may be evicted.
 *
 * A store that is unreachable or full must not keep answers from their callers. They wait for it a few seconds, or not at all
 * while it is known to be unreachable, and are then shown with a sentence that says that they are not stored. One record is tried
 * again with growing pauses; once the store takes it, all others follow. Too many of them, a record that the store refuses
 * and those left when the process ends are given up, which is a fault.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import { type CitedPages, citedBy } from './cited-pages.ts';
import type { RunRecord, RunRecords } from './records/run-records.ts';

export interface Recorder {
  record(record: RunRecord): Recording;
  /** Ended searches that are not saved yet, and those that were given up. */
  unsaved(): { readonly waiting: number; readonly lost: number };
  /** Resolves when no search waits to be saved. */
  idle(): Promise<void>;
  /** Stops waiting for the store: what is not saved yet is tried one last time. */
  close(): void;
}

/** Neither promise rejects. */
export interface Recording {
  /** Resolves with undefined once the record is saved; when that fails or takes too long, with a sentence that says so. */
  readonly kept: Promise<string | undefined>;
  /** Resolves when the record is saved, or saving it was given up. */
  readonly done: Promise<void>;
}

/** A store that is unreachable: why, and a promise that resolves when it is worth trying again. */
interface Outage {
  readonly why: string;
  readonly over: Promise<void>;
}

/** Longer than a commit takes on a busy disk or during a quick failover, shorter than callers' patience. Set by hand. */
const defaultAnswerMs = 3_000;
/** As many as ended runs whose logs are kept; a waiting record holds no more memory than one of them. Set by hand. */
const defaultMaxWaiting = 2_000;
/** Maximum pause between two attempts. Set by hand. */
const maxPauseMs = 5_000;

/** `onFault` receives every record that could not be saved and every failure to pin. */
export function createRecorder(settings: {
  readonly records: Pick<RunRecords, 'save'>;
  /** Pins what each search cites, before it is recorded. */
  readonly cited?: CitedPages | undefined;
  readonly onFault: (error: unknown) => void;
  /** Called with the reason when the store cannot take records, and with undefined when it can again. */
  readonly onOutage?: ((why: string | undefined) => void) | undefined;
  /** How long a search waits for its record before it is shown as ended anyway; 3 s by default. */
  readonly answerMs?: number;
  /** Maximum number of records that wait for the store; 2,000 by default. */
  readonly maxWaiting?: number;
  /** The pause before the first retry, doubled after each; 1 s by default. */
  readonly pauseMs?: number;
}): Recorder {
  const { records, cited, onFault, onOutage = () => {}, pauseMs = 1_000 } = settings;
  const { answerMs = defaultAnswerMs, maxWaiting = defaultMaxWaiting } = settings;
  const closing = new AbortController();
  /** The `done` of the records that wait for the store. */
  const waiting = new Set<Promise<void>>();
  let lost = 0;
  let outage: Outage | undefined;

  /**
   * Resolves with the state that is stored instead, if another process saved another. Rejects if the record was not saved,
   * or if its pages could not be pinned because they are unreachable.
   */
  async function attempt(record: RunRecord): Promise<RunRecord['state'] | undefined> {
    const snapshots = citedBy(record.terminal);
    let pinFault: unknown;
    const pinned =
      snapshots.length === 0
        ? undefined
        : cited?.pin(record.search_id, snapshots, record.ended_at).catch((error) => {
            pinFault = error;
          });
    let otherState: RunRecord['state'] | undefined;
    try {
      otherState = await records.save(record, pinned);
    } catch (error) {
      await pinned;
      // A store that became unreachable may have saved it nevertheless.
      if (snapshots.length > 0 && !isAway(error)) await cited?.unpin(record.search_id).catch(onFault);
      throw error;
    }
    if (pinFault === undefined) return otherState;
    // What both calls need may have come back between them. If the pages are still out of reach, the record is saved
    // once more with them.
    await cited?.pin(record.search_id, snapshots, record.ended_at).catch((error) => {
      if (isAway(error)) throw error;
      onFault(error);
    });
    return otherState;
  }

  /** Tries this record until the store takes or refuses it, or the process ends. */
  async function untilBack(record: RunRecord): Promise<void> {
    for (let pause = pauseMs; !closing.signal.aborted; pause = Math.min(2 * pause, maxPauseMs)) {
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      const failure = await attempt(record).catch((error: unknown) => error);
      if (!isAway(failure)) return;
    }
  }

  function beginOutage(record: RunRecord, why: string): Outage {
    onOutage(why);
    const over = untilBack(record).finally(() => {
      outage = undefined;
      // At the end of the process the store may still be unreachable.
      if (!closing.signal.aborted) onOutage(undefined);
    });
    return { why, over };
  }

  /** `show` is called with why the search is not stored, or with undefined once it is; only the first call counts. */
  async function save(record: RunRecord, show: (why: string | undefined) => void): Promise<void> {
    for (;;) {
      while (outage !== undefined) {
        show(`${outage.why} ${untilThen}`);
        await outage.over;
      }
      try {
        const otherState = await attempt(record);
        return show(otherState && `Another server took this one for dead: the search is stored as ${otherState}.`);
      } catch (error) {
        if (closing.signal.aborted || !isAway(error)) throw error;
        outage ??= beginOutage(record, (error as AppError).message);
      }
    }
  }

  return {
    record(record) {
      let show: (why: string | undefined) => void = () => {};
      const kept = new Promise<string | undefined>((resolve) => {
        show = resolve;
      });
      const giveUp = (cause: unknown) => {
        lost += 1;
        show('The search could not be stored.');
        onFault(new Error(`search ${record.search_id} is not stored`, { cause }));
      };
      if (waiting.size >= maxWaiting) {
        giveUp(new Error(`${maxWaiting} others are waiting for the store`));
        return { kept, done: Promise.resolve() };
      }
      const late = setTimeout(
        // The database may be waited for, or the index, which pins what is cited.
        () => show(`The search could not be stored within ${answerMs / 1000} s; the server keeps trying.`),
        answerMs,
      );
      const done = save(record, show)
        .catch(giveUp)
        .finally(() => {
          clearTimeout(late);
          waiting.delete(done);
        });
      waiting.add(done);
      return { kept, done };
    },
    unsaved: () => ({ waiting: waiting.size, lost }),
    async idle() {
      while (waiting.size > 0) await Promise.all(waiting);
    },
    close: () => closing.abort(),
  };
}

const untilThen = 'The search is not stored yet; the server keeps trying.';

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'overloaded';
}
