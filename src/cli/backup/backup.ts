/**
 * `citewire backup`: copies both databases while a server may be writing to them. For a moment both are locked for writing, and
 * a reader of each is opened: what the two then see is of one point in time, and stays so however long the copies take.
 * Writers continue, because readers of a write-ahead log never hold them up.
 */

import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../base/config.ts';
import { version } from '../../base/own-package.ts';
import { describeLoneLog } from '../../base/sqlite/damage.ts';
import { type Database, loadSqlite } from '../../base/sqlite.ts';
import { describeLost, selectTables } from '../../store/sqlite/lost-database.ts';
import { givenPath } from '../given-file.ts';
import {
  type DatabaseFile,
  databaseFiles,
  type Manifest,
  manifestName,
  partialSuffix,
  writeManifest,
} from './manifest.ts';
import { beginBackup, interruptedBeside } from './unfinished.ts';

/** Longest wait for another writer, ms, and pages copied between two looks at the other work; set by hand. */
const busyMs = 10_000;
const pagesAtOnce = 5_000;

/**
 * Writes the databases of DATA_DIR and a manifest into a folder, which must be new, empty, or left by an interrupted backup; prints
 * what it wrote. Resolves with the exit code. Rejects with one sentence when there is nothing to back up, or something cannot be
 * read or written.
 */
export async function backup(folder: string, { dataDir, databaseUrl, corpus }: Config): Promise<number> {
  const target = givenPath(folder);
  const names = databaseFiles
    .filter((name) => existsSync(join(dataDir, name)))
    .filter((name) => (name === 'index.db' ? corpus === 'sqlite' : databaseUrl === undefined));
  if (names.length === 0 && corpus === 'postgres')
    throw new Error('Expected a database in DATA_DIR; everything is in the Postgres of DATABASE_URL: use pg_dump.');
  if (names.length === 0) throw new Error(`Expected a database in DATA_DIR; ${dataDir} has none.`);
  const { files } = await copyAll(dataDir, names, target);
  for (const other of interruptedBeside(target))
    process.stderr.write(`${other} was left by an interrupted backup and is not a backup: remove it.\n`);
  for (const { name, bytes, sha256 } of files)
    process.stdout.write(`${join(target, name)}\t${bytes} bytes\t${sha256}\n`);
  if (databaseUrl !== undefined) {
    const what = `Accounts, keys, designs and searches${corpus === 'postgres' ? ', and the index,' : ''}`;
    process.stderr.write(
      `${what} are in the Postgres of DATABASE_URL, which this backup does not hold: use pg_dump for it.\n`,
    );
  }
  return 0;
}

/** Copies the databases and writes the manifest. After a failure, removes the copies, which would fill the disk. */
async function copyAll(dataDir: string, names: readonly DatabaseFile[], target: string): Promise<Manifest> {
  refuseLost(dataDir, names);
  const unfinished = beginBackup(target);
  if (unfinished.removed > 0) process.stderr.write(`Removed what an interrupted backup had left in ${target}.\n`);
  const readers: (readonly [DatabaseFile, Database])[] = [];
  try {
    readers.push(...openTogether(dataDir, names));
    for (const [name, reader] of readers) await copy(reader, join(target, name + partialSuffix));
    const manifest = await writeManifest(target, names, version);
    unfinished.complete([...names, manifestName]);
    syncFolder(target);
    return manifest;
  } catch (error) {
    unfinished.discard();
    throw new Error(`The backup could not be written to ${target}: ${(error as Error).message}`, { cause: error });
  } finally {
    for (const [, reader] of readers) reader.close();
    unfinished.close();
  }
}

/** Throws when there is no content that a backup could have: one that is empty must not take the place of one that is not. */
function refuseLost(dataDir: string, names: readonly DatabaseFile[]): void {
  if (!names.includes('citewire.db')) return;
  const file = join(dataDir, 'citewire.db');
  const lost = describeLoneLog(file) ?? describeLost(tablesOf(file));
  if (lost !== undefined) throw new Error(`${file} cannot be backed up: ${lost}.`);
}

function tablesOf(file: string): string[] {
  let database: Database | undefined;
  try {
    database = new (loadSqlite())(file, { fileMustExist: true, timeout: busyMs });
    return database.prepare(selectTables).pluck().all() as string[];
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  } finally {
    database?.close();
  }
}

/** Flushes the names of its files to the disk; a no-op where a folder cannot be opened. */
function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(path, 'r');
    fsyncSync(folder);
  } catch {
    // Windows, and some file systems on the network; they write by themselves soon.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** A reader of each database, all at the same point in time. */
function openTogether(dataDir: string, names: readonly DatabaseFile[]): (readonly [DatabaseFile, Database])[] {
  const open = (name: string) => new (loadSqlite())(join(dataDir, name), { fileMustExist: true, timeout: busyMs });
  const locks: Database[] = [];
  const readers: (readonly [DatabaseFile, Database])[] = [];
  try {
    for (const name of names) {
      const lock = open(name);
      locks.push(lock);
      lock.exec('begin immediate');
    }
    for (const name of names) {
      const reader = open(name);
      readers.push([name, reader]);
      // The point in time is that of the first read.
      reader.exec('begin; select 1 from sqlite_schema limit 1');
    }
    return readers;
  } catch (error) {
    for (const [, reader] of readers) reader.close();
    throw new Error(`${dataDir} cannot be read: ${(error as Error).message}.`, { cause: error });
  } finally {
    for (const lock of locks) lock.close();
  }
}

/** The copy is one file, without a log beside it, and checked. The folder may be one that others can read; the copy never is. */
async function copy(reader: Database, path: string): Promise<void> {
  closeSync(openSync(path, 'wx', 0o600));
  await reader.backup(path, { progress: () => pagesAtOnce });
  const made = new (loadSqlite())(path);
  try {
    made.pragma('journal_mode = delete');
    const said = made.pragma('quick_check(1)', { simple: true });
    if (said !== 'ok') throw new Error(`The copy ${path} is damaged, and so may be the original: ${said}.`);
  } finally {
    made.close();
  }
}
