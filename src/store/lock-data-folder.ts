/**
 * Keeps a second server away from a data folder. Without Redis a server counts calls, searches and connections in its own
 * memory, so two of them on one folder would allow everyone twice as much. Servers that share a Redis share the folder too.
 *
 * The lock is SQLite's own on an empty file: the kernel holds it for the open file, so it ends with its process however that
 * dies, needs no process id that another process could have by now, and is seen by containers that share the folder, and
 * over NFS wherever a database file could be shared at all. Commands such as `citewire index` do not take it.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataFolderRefused, makeDataFolder } from '../base/data-folder.ts';
import { openLock, takeLock } from '../base/sqlite.ts';

export interface DataFolderLock {
  /**
   * Names the folder, whichever process has it; undefined unless this one has it alone. Whatever an earlier process of the
   * folder held elsewhere, such as in a shared database, is then known to be abandoned.
   */
  readonly folder_id: string | undefined;
  /** Lets other servers use the folder. */
  release(): void;
}

/**
 * Locks the folder, which is created if it is missing: for this server alone, or with `isShared` together with others that
 * share it. Rejects with one sentence when another server has it. Where files cannot be locked, calls `onUnlocked` with the
 * reason and continues.
 */
export async function lockDataFolder(
  dataDir: string,
  isShared: boolean,
  onUnlocked: (reason: unknown) => void,
): Promise<DataFolderLock> {
  makeDataFolder(dataDir);
  const lock = openLock(join(dataDir, 'server.lock'));
  let isOwn = !isShared;
  let isTaken = false;
  try {
    isTaken = !takeLock(lock, isShared);
  } catch (error) {
    isOwn = false;
    onUnlocked(error);
  }
  if (isTaken) throw new Error(explain(resolve(dataDir), isShared));
  try {
    return { folder_id: isOwn ? folderId(dataDir) : undefined, release: () => void lock.close() };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Made by the first server that has the folder. */
function folderId(dataDir: string): string {
  const path = join(dataDir, 'server.id');
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (known !== '') return known;
  } catch {
    // There is none yet.
  }
  const made = randomUUID();
  try {
    writeFileSync(path, `${made}\n`, { mode: 0o600 });
  } catch (error) {
    throw dataFolderRefused(dataDir, error);
  }
  return made;
}

function explain(folder: string, isShared: boolean): string {
  if (isShared) {
    return `DATA_DIR: expected a folder that no server without REDIS_URL is using; one that runs now uses ${folder}.`;
  }
  const instead = 'stop it, choose another folder, or set REDIS_URL for both, so that they share their limits';
  return `DATA_DIR: expected a folder that no other server is using; one that runs now uses ${folder}: ${instead}.`;
}
