/** Makes folders, such as the one that the server keeps its files in, or says in one sentence why that cannot be. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from './config.ts';

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
    const { code, message } = error as NodeJS.ErrnoException;
    const why = reasons[code ?? ''] ?? message;
    throw new Error(`expected a folder that can be created and written to; got ${folder} (${why}).`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file is in its place',
  ENOTDIR: 'a file is in its place',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
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
