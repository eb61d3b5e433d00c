/**
 * Makes folders, such as the one that the server keeps its files in, or says in one sentence why that cannot be; and says what is
 * wrong with one in which a restore was killed, which a start would take for a new one.
 */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandName } from './own-package.ts';
import { ConfigError } from './settings/config-error.ts';

/** Makes the folder of DATA_DIR, as `makeFolder` does. Throws a ConfigError with one sentence when it cannot. */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${(error as Error).message}`);
  }
}

/**
 * Creates the folder (mode 0700) and those above it where they are missing. Throws an Error with one sentence when it cannot be
 * created, is not a folder, or is not writable.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  try {
    makeWithParents(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refusalOf(folder, error);
  }
}

/** What to throw where DATA_DIR cannot be written to. */
export function dataFolderRefused(path: string, error: unknown): ConfigError {
  return new ConfigError(`DATA_DIR: ${refusalOf(resolve(path), error).message}`);
}

function refusalOf(folder: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = reasons[code ?? ''] ?? message;
  return new Error(`expected a folder that can be created and written to; got ${folder} (${why}).`, { cause: error });
}

/** SQLite needs more than one block of a disk to begin. Set by hand: the size of the index of its log. */
const minFreeBytes = 32 * 1024;

/**
 * Whether the disk of this folder has no space, or takes no more files. SQLite reports some of these as a disk that fails.
 * `stat` is how that is read.
 */
export function isDiskFull(folder: string, stat: typeof readSpace = readSpace): boolean {
  try {
    const { bavail, bsize, files, ffree } = stat(folder);
    return bavail * bsize < minFreeBytes || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

const readSpace = (folder: string): { bavail: number; bsize: number; files: number; ffree: number } =>
  statfsSync(folder);

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file is in its place',
  ENOTDIR: 'a file is in its place',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'it is on a read-only file system',
};

/** One level at a time: Node's own recursion never ends below /proc, where a folder exists and can hold no other. */
function makeWithParents(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeWithParents(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Ends the name of a database that waits to take the place of another. */
export const restoringSuffix = '.restoring';

/**
 * What is wrong with a folder that has no database where one waits to take its place, as one sentence; undefined if nothing is.
 */
export function describeHalfRestored(dataDir: string): string | undefined {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  const missing = names
    .filter((name) => name.endsWith(restoringSuffix))
    .map((name) => name.slice(0, -restoringSuffix.length))
    .find((name) => !names.includes(name));
  return missing && `${join(dataDir, missing)} is missing, because a restore was stopped before its end.`;
}

/** What helps. */
export const restoreAgain = `Run "${commandName} restore <folder>" again; the files that it had put away are in the folder before-restore-… of DATA_DIR.`;
