/**
 * Writes ended searches down. The pages that a search cites are marked first, so that no record ever names a page that
 * may go. A store that is away for a moment is waited for, longer each time; one that stays away, or refuses a record, is
 * a fault. A record that was refused needs no marks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import { type CitedPages, citedBy } from './cited-pages.ts';
import type { RunRecord, RunRecords } from './run-records.ts';

export interface Recorder {
  record(record: RunRecord): Recording;
  /** From now on the store is not waited for: what could not be saved is tried once more. */
  close(): void;
}

/** Neither promise rejects. */
export interface Recording {
  /** Resolves when the store was asked once: it is saved then, or the store is away. */
  readonly tried: Promise<void>;
  /** Resolves when it is saved, or given up. */
  readonly done: Promise<void>;
}

const longestWaitMs = 15_000;

export function createRecorder(settings: {
  readonly records: RunRecords;
  /** Told what each search cites, before it is recorded. */
  readonly cited?: CitedPages | undefined;
  readonly onFault: (error: unknown) => void;
  /** How long a store may be away. 10 minutes unless told. */
  readonly patienceMs?: number;
  /** How long the first wait for it is; each is twice the one before. A second unless told. */
  readonly waitMs?: number;
}): Recorder {
  const { records, cited, onFault, patienceMs = 600_000, waitMs = 1_000 } = settings;
  const closing = new AbortController();

  async function save(record: RunRecord, onTried: () => void): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (let wait = waitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
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
          // A store that went away may have kept it all the same.
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
