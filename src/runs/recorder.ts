/**
 * Saves ended searches. The pages that a search cites are pinned first, so no record ever names a page that may be
 * evicted. While the store cannot be reached, saving is retried with growing pauses. A store that stays away or refuses
 * a record is a fault; a refused record's pages are unpinned.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import { type CitedPages, citedBy } from './cited-pages.ts';
import type { RunRecord, RunRecords } from './run-records.ts';

export interface Recorder {
  record(record: RunRecord): Recording;
  /** Stops waiting for the store: what is not saved yet is tried one last time. */
  close(): void;
}

/** Neither promise rejects. */
export interface Recording {
  /** Resolves after the first attempt, successful or not. */
  readonly tried: Promise<void>;
  /** Resolves when the record is saved, or saving it was given up. */
  readonly done: Promise<void>;
}

/** Maximum pause between two attempts. Set by hand. */
const maxWaitMs = 15_000;

/** `onFault` receives every record that could not be saved and every failure to pin. */
export function createRecorder(settings: {
  readonly records: RunRecords;
  /** Pins what each search cites, before it is recorded. */
  readonly cited?: CitedPages | undefined;
  readonly onFault: (error: unknown) => void;
  /** How long a store may be away; 10 minutes by default. */
  readonly patienceMs?: number;
  /** The pause before the first retry, doubled after each; 1 s by default. */
  readonly waitMs?: number;
}): Recorder {
  const { records, cited, onFault, patienceMs = 600_000, waitMs = 1_000 } = settings;
  const closing = new AbortController();

  async function save(record: RunRecord, onTried: () => void): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (let wait = waitMs; ; wait = Math.min(2 * wait, maxWaitMs)) {
      const isLast = closing.signal.aborted || performance.now() > deadline;
      try {
        return await records.save(record);
      } catch (error) {
        if (isLast || !isAway(error)) throw error;
      } finally {
        onTried();
      }
      await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    record(record) {
      let onTried = () => {};
      const tried = new Promise<void>((resolve) => {
        onTried = resolve;
      });
      const snapshots = citedBy(record.terminal);
      const write = async () => {
        if (snapshots.length > 0) await cited?.pin(record.search_id, snapshots, record.ended_at).catch(onFault);
        try {
          await save(record, onTried);
        } catch (error) {
          onFault(error);
          // A store that became unreachable may have saved it nevertheless.
          if (snapshots.length > 0 && !isAway(error)) await cited?.unpin(record.search_id).catch(onFault);
        }
      };
      return { tried, done: write() };
    },
    close: () => closing.abort(),
  };
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'overloaded';
}
