/**
 * What becomes of a damaged index: its files are renamed, so that nothing in them is lost, and a new index is begun. Damage
 * may only show while the index is in use, when its file cannot be exchanged: the file is then marked as suspect, and
 * checked when it is opened next.
 */
import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { describeLoneLog, sizeOf } from '../../base/sqlite/damage.ts';
import { CorpusError } from '../corpus-error.ts';

export interface DamagedIndex {
  readonly reason: string;
  /** The new name of the file; undefined where there was nothing to keep, or another process has renamed it. */
  readonly kept_as: string | undefined;
}

/** Distinguishes a file from later ones of the same name; undefined without a file. */
export function identify(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Whether there is an index file without any content; SQLite takes it for a new one. */
export function isEmptied(file: string): boolean {
  return sizeOf(file) === 0;
}

/** Throws a CorpusError `corrupt` for a write-ahead log without its index, which SQLite would delete. */
export function refuseLoneLog(file: string): void {
  const lost = describeLoneLog(file);
  if (lost !== undefined) throw new CorpusError('corrupt', `The index ${file} is damaged (${lost}).`);
}

/**
 * Renames the index to `<file>.damaged-<time>`, and the files that SQLite keeps beside it accordingly. Returns the new name;
 * undefined when the file is no longer the one identified as `damaged`. Throws a CorpusError when it cannot be renamed.
 */
export function setAside(file: string, damaged: string | undefined): string | undefined {
  if (identify(file) !== damaged) return undefined;
  const keptAs = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  try {
    for (const part of ['', '-wal', '-shm']) {
      if (sizeOf(file + part) !== undefined) renameSync(file + part, keptAs + part);
    }
    return keptAs;
  } catch (error) {
    const why = (error as Error).message;
    throw new CorpusError('corrupt', `The index ${file} is damaged, and cannot be renamed (${why}).`);
  }
}

/** Marks the index to be checked when it is opened next; does nothing where the mark cannot be created. */
export function markSuspect(file: string): void {
  try {
    closeSync(openSync(`${file}.suspect`, 'a', 0o600));
  } catch {
    // What keeps it from being created is reported where it matters.
  }
}

/** Whether `markSuspect` was called since `clearSuspect`. */
export function isSuspect(file: string): boolean {
  return sizeOf(`${file}.suspect`) !== undefined;
}

/** Undoes `markSuspect`. */
export function clearSuspect(file: string): void {
  rmSync(`${file}.suspect`, { force: true });
}
