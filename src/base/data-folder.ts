/** Makes the folder that the server keeps its files in, or says in one sentence why that cannot be. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from './config.ts';

/**
 * Creates the folder (mode 0700) and the folders above it where they are missing. Throws a ConfigError when it cannot be
 * created, is not a folder, or is not writable.
 */
export function makeDataFolder(path: string): void {
  const folder = resolve(path);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in its place' : message;
    throw new ConfigError(`DATA_DIR: expected a folder that can be created and written to; got ${folder} (${why}).`);
  }
}

/** One level at a time: Node's own recursion never ends below /proc, where a folder exists and can hold no other. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
