/**
 * `citewire restore`: puts the databases of a backup in place of those in DATA_DIR. Everything is verified before anything is
 * changed; what was there is renamed, never deleted; and no server can start or run meanwhile, because the lock of the folder is
 * held.
 */

import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { restoringSuffix } from '../../base/data-folder.ts';
import { version } from '../../base/own-package.ts';
import { ConfigError } from '../../base/settings/config-error.ts';
import { loadSqlite } from '../../base/sqlite.ts';
import { newestSchema } from '../../corpus/sqlite/database.ts';
import { type DataFolderLock, lockDataFolder } from '../../store/lock-data-folder.ts';
import { unknownMigrations } from '../../store/migrations/all.ts';
import { describeLost, selectTables } from '../../store/sqlite/lost-database.ts';
import { givenPath } from '../given-file.ts';
import { type DatabaseFile, type Manifest, verifyBackup } from './manifest.ts';

/** Also what SQLite and the index keep beside a database: they belong to the one that is replaced. */
const companions = ['', '-wal', '-shm', '.suspect'];

/**
 * Resolves with the exit code. Rejects with one sentence, having changed nothing, while a server runs or if the backup is not
 * whole.
 */
export async function restore(folder: string, { dataDir, databaseUrl }: Config): Promise<number> {
  const source = givenPath(folder);
  const manifest = await verifyBackup(source);
  if (databaseUrl !== undefined && manifest.files.some(({ name }) => name === 'citewire.db')) {
    throw new Error(
      'DATABASE_URL is set, and this backup has a SQLite database: unset it, or restore a dump by pg_restore.',
    );
  }
  for (const { name } of manifest.files) refuseUnusable(source, name, manifest.version);
  const lock = await lockFor(dataDir);
  try {
    const kept = replace(source, dataDir, manifest);
    for (const { name } of manifest.files) process.stdout.write(`${join(dataDir, name)}\n`);
    process.stderr.write(`Restored the backup of ${manifest.created_at}.\n`);
    if (kept !== undefined) process.stderr.write(`The files it replaced are in ${kept}.\n`);
    return 0;
  } finally {
    lock.release();
  }
}

/** Throws for a file that this version could not use: it would take the place of one that it can. */
function refuseUnusable(source: string, name: DatabaseFile, madeBy: string): void {
  const database = new (loadSqlite())(join(source, name), { readonly: true });
  try {
    const lost =
      name === 'index.db' ? undefined : describeLost(database.prepare(selectTables).pluck().all() as string[]);
    if (lost !== undefined) throw new Error(`${join(source, name)} cannot be used: ${lost}. Nothing was restored.`);
    const isNewer =
      name === 'index.db'
        ? Number(database.pragma('user_version', { simple: true })) > newestSchema
        : unknownMigrations(database.prepare('select name from migrations').pluck().all() as string[]).length > 0;
    if (isNewer)
      throw new Error(
        `This version (${version}) cannot read the backup: version ${madeBy}, which made it, is newer. Restore it with that. Nothing was restored.`,
      );
  } finally {
    database.close();
  }
}

async function lockFor(dataDir: string): Promise<DataFolderLock> {
  try {
    return await lockDataFolder(dataDir, false, () =>
      process.stderr.write(`${dataDir} cannot be locked: make sure that no server uses it.\n`),
    );
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new Error(`Expected no server to be using ${dataDir}; one is: stop it, then restore.`);
  }
}

/** Returns the folder of the replaced files, if there were any. */
function replace(source: string, dataDir: string, { files }: Manifest): string | undefined {
  const arrived = copyBeside(source, dataDir, files);
  const kept = join(dataDir, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const replaced = files
    .flatMap(({ name }) => companions.map((suffix) => name + suffix))
    .filter((name) => existsSync(join(dataDir, name)));
  if (replaced.length > 0) mkdirSync(kept, { mode: 0o700 });
  for (const name of replaced) renameSync(join(dataDir, name), join(kept, name));
  for (const { path, name } of arrived) renameSync(path, join(dataDir, name));
  return replaced.length > 0 ? kept : undefined;
}

/** Copies the files of the backup beside those in use; when one cannot be copied, none stays. */
function copyBeside(source: string, dataDir: string, files: Manifest['files']) {
  const arrived = files.map(({ name }) => ({ name, path: join(dataDir, name + restoringSuffix) }));
  try {
    for (const { name, path } of arrived) {
      copyFileSync(join(source, name), path);
      chmodSync(path, 0o600);
      sync(path);
    }
    return arrived;
  } catch (error) {
    for (const { path } of arrived) rmSync(path, { force: true });
    throw error;
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
