/**
 * Loads better-sqlite3, of which there are two releases: the newer one carries its binaries and needs Node 22; the older one is
 * built when it is installed, runs on Node 20, and does not come with a published package. The newer one would end the process of
 * an older Node, so the choice is by version first; where it does not load (an older C library), the other one is tried.
 */
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

/** The first Node that the newer release runs on, as its package says. */
const newerNeedsNode = 22;
/** In a published package it is beside the bundle that this file is part of; in a checkout it is a dependency. */
const newer = ['./better-sqlite3-next', 'better-sqlite3-next'];
const older = 'better-sqlite3';
/** As the range of the optional peer in a published package; see tools/package/manifest.ts. */
const olderVersion = '12';

/** An open database. */
export type Database = Sqlite.Database;

let loaded: typeof Sqlite | undefined;

/** The class of databases. Throws one sentence for the operator when no build loads on this Node. */
export function loadSqlite(): typeof Sqlite {
  loaded ??= chooseSqlite(createRequire(import.meta.url), process.versions.node);
  return loaded;
}

/** What a log keeps of the disk when it is begun again, bytes: some batches of an index. Set by hand. */
const maxLogBytes = 16 * 1024 ** 2;

/**
 * Has what a long transaction, such as a VACUUM of another process, has added to the log removed from the disk when it is no
 * longer needed.
 */
export function limitLog(database: Database): void {
  database.pragma(`journal_size_limit = ${maxLogBytes}`);
}

/** A database that is only a lock, for `takeLock`. The file is created if it is missing. */
export function openLock(path: string): Sqlite.Database {
  const Database = loadSqlite();
  return new Database(path, { timeout: 0 });
}

/**
 * Locks the file of `openLock` until it is closed or its process ends: for this process alone, or with `isShared` together with
 * others that share it. If it fails, the file is closed: returns false if another process has the lock, and throws
 * where files cannot be locked.
 */
export function takeLock(lock: Sqlite.Database, isShared = false): boolean {
  try {
    // A journal on the disk could not be written while that is full, and nothing is ever changed.
    lock.pragma('journal_mode = MEMORY');
    // Both take the lock and keep it, because nothing ends the transaction.
    lock.exec(isShared ? 'begin; select 1 from sqlite_schema' : 'begin exclusive');
    return true;
  } catch (error) {
    lock.close();
    if (error instanceof loadSqlite().SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/**
 * As `loadSqlite`, with `require` to load the packages and the version of Node to choose them for, such as `24.1.0`.
 */
export function chooseSqlite(require: (name: string) => unknown, nodeVersion: string): typeof Sqlite {
  const hasNewer = Number(nodeVersion.split('.')[0]) >= newerNeedsNode;
  const failures = new Map<string, Error>();
  for (const build of hasNewer ? [...newer, older] : [older]) {
    try {
      const Database = require(build) as typeof Sqlite;
      // The binary is loaded with the first database.
      new Database(':memory:').close();
      return Database;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') failures.set(build, error as Error);
    }
  }
  const advice = hasNewer ? adviceForNewer(failures) : adviceForOlder(failures);
  throw new Error(`No SQLite loads on Node ${nodeVersion} on ${process.platform}-${process.arch}: ${advice}.`);
}

/** `failures` are those of packages that are installed. */
function adviceForOlder(failures: ReadonlyMap<string, Error>): string {
  const orNewer = `or use Node ${newerNeedsNode} or newer, where nothing has to be built`;
  const error = failures.get(older);
  if (error === undefined) return `run \`npm install ${older}@${olderVersion}\`, ${orNewer}`;
  return `run \`npm rebuild ${older} --ignore-scripts=false\`, ${orNewer} (${reasonOf(error)})`;
}

function adviceForNewer(failures: ReadonlyMap<string, Error>): string {
  const error = newer.map((build) => failures.get(build)).find((each) => each !== undefined);
  if (error === undefined) return 'the packages were installed with an older Node, so run `npm ci` again';
  const build = failures.has(older) ? `rebuild ${older} --ignore-scripts=false` : `install ${older}@${olderVersion}`;
  return (
    'the included one needs Linux on x64 or arm64 with glibc 2.34, or musl, macOS or Windows; elsewhere run ' +
    `\`npm ${build}\`, which takes Python, make and a C++ compiler (${reasonOf(error)})`
  );
}

/** The first sentence: what follows are the paths that were tried. */
function reasonOf(error: Error): string {
  const [first = ''] = error.message.split(/\.?\s*\n|\. Tried/);
  return first.slice(0, 200);
}
