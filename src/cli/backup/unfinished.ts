/**
 * The folder of a backup that is being written. Its files have other names until all of them are copied and checked, so that one
 * that was interrupted is not taken for a backup, and a lock of SQLite's, which ends with its process, tells it from one
 * that is being written now.
 */
import { type Dirent, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/data-folder.ts';
import { openLock, takeLock } from '../../base/sqlite.ts';
import { databaseFiles, manifestName, partialSuffix, unfinishedName } from './manifest.ts';

/** Files that an interrupted backup may leave, with the journals of its copies. */
const leftovers: ReadonlySet<string> = new Set([
  unfinishedName,
  manifestName + partialSuffix,
  ...databaseFiles.flatMap((name) =>
    ['', '-journal', '-wal', '-shm'].map((companion) => name + partialSuffix + companion),
  ),
]);

export interface UnfinishedBackup {
  /** How many files of an interrupted backup were removed from the folder. */
  readonly removed: number;
  /** Gives the files with these names their final ones, the last one last. */
  complete(names: readonly string[]): void;
  /** Removes all files, after a failure. */
  discard(): void;
  /** Ends the lock. */
  close(): void;
}

/**
 * Makes the folder, which must be new, empty, or left by an interrupted backup, and locks it. Throws one sentence when it has other
 * files, or another backup is being written to it.
 */
export function beginBackup(folder: string): UnfinishedBackup {
  makeFolder(folder);
  refuseOthers(folder);
  const lock = lockFolder(folder);
  if (lock === undefined)
    throw new Error(`Expected a folder of its own; another backup is being written to ${folder}.`);
  const removeAll = () => {
    const names = readdirSync(folder).filter((name) => name !== unfinishedName);
    for (const name of names) rmSync(join(folder, name), { force: true });
    return names.length;
  };
  try {
    // Another one may have been completed in between.
    refuseOthers(folder);
    const removed = removeAll();
    return {
      removed,
      complete(names) {
        for (const name of names) renameSync(join(folder, name + partialSuffix), join(folder, name));
      },
      discard: removeAll,
      close() {
        rmSync(join(folder, unfinishedName), { force: true });
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The folders beside this one that interrupted backups have left, as a hint: none where they cannot be listed. */
export function interruptedBeside(folder: string): string[] {
  const parent = dirname(folder);
  return listed(parent)
    .filter((entry) => entry.isDirectory() && existsSync(join(parent, entry.name, unfinishedName)))
    .map(({ name }) => join(parent, name))
    .filter((other) => other !== folder && !isLocked(other));
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function refuseOthers(folder: string): void {
  const isOther = (name: string) => !leftovers.has(name);
  if (readdirSync(folder).some(isOther)) throw new Error(`Expected a new or an empty folder; ${folder} has files.`);
}

function isLocked(folder: string): boolean {
  try {
    const lock = lockFolder(folder);
    lock?.close();
    return lock === undefined;
  } catch {
    // The folder cannot be read.
    return true;
  }
}

/** Undefined if another process has locked it. */
function lockFolder(folder: string) {
  const lock = openLock(join(folder, unfinishedName));
  return takeLock(lock) ? lock : undefined;
}
