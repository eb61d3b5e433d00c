/** DATA_DIR: whether files can be written there, which only trying tells, and the space that is left. */

import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeHalfRestored, restoreAgain } from '../../base/data-folder.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

/** Bytes that are written to try it; set by hand, more than a file system may have left in reserve blocks of a file. */
const trialBytes = 64 * 1024;
/** Free bytes below which there is a warning; set by hand: an index of ten thousand pages takes about as much. */
const lowBytes = 500 * 1024 * 1024;

/** Tries the folder, or the one above it that it would be created in. */
export const checkDataFolder: Check = async ({ config: { dataDir } }) => {
  const folder = nearestFolder(dataDir);
  const isMissing = folder !== dataDir;
  const trial = join(folder, `.citewire-doctor-${process.pid}`);
  try {
    if (!statSync(folder).isDirectory()) throw new Error('a file is in its place');
    writeTrial(trial);
  } catch (error) {
    const fix = fixes[(error as NodeJS.ErrnoException).code ?? ''] ?? 'Make it a folder of the user who runs Citewire.';
    return problem(`${folder} cannot be written to: ${reasonOf(error)}.`, fix);
  } finally {
    rmSync(trial, { force: true });
  }
  const half = describeHalfRestored(folder);
  if (half !== undefined) return problem(half, restoreAgain);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const what = isMissing ? `${dataDir} will be created by the first start` : `${dataDir} can be written to`;
  const said = `${what}; ${inUnits(free)} are free.`;
  return free < lowBytes ? warning(said, 'Free some space: a full disk makes searches fail.') : ok(said);
};

const fixes: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space, or set DATA_DIR to a folder on a larger disk.',
  EDQUOT: 'Free some space, or have the quota of this user raised.',
  EROFS: 'Set DATA_DIR to a folder on a disk that is not read-only.',
  EACCES: 'Give the folder to the user who runs Citewire, or set DATA_DIR to another one.',
  EPERM: 'Give the folder to the user who runs Citewire, or set DATA_DIR to another one.',
};

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function writeTrial(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.alloc(trialBytes, 1);
    if (writeSync(file, bytes) < bytes.length) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function inUnits(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
