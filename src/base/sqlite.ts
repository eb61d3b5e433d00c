/**
 * Loads better-sqlite3, of which there are two releases: the newer one carries its binaries and needs Node 22; the older one
 * is built when it is installed, runs on Node 20, and does not come with a published package. The newer one would end the process of an older Node, so the choice is
 * by version first; where it does not load (an older C library), the other one is tried.
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

let loaded: typeof Sqlite | undefined;

/** The class of databases. Throws one sentence for the operator when no build loads on this Node. */
export function loadSqlite(): typeof Sqlite {
  loaded ??= chooseSqlite(createRequire(import.meta.url), process.versions.node);
  return loaded;
}

/**
 * As `loadSqlite`, with `require` to load the packages and the version of Node to choose them for, such as `24.1.0`.
 */
export function chooseSqlite(require: (name: string) => unknown, nodeVersion: string): typeof Sqlite {
  const failures: string[] = [];
  let isOlderThere = true;
  for (const build of Number(nodeVersion.split('.')[0]) >= newerNeedsNode ? [...newer, older] : [older]) {
    try {
      const Database = require(build) as typeof Sqlite;
      // The binary is loaded with the first database.
      new Database(':memory:').close();
      return Database;
    } catch (error) {
      if (build === older) isOlderThere = (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
      failures.push(`${build}: ${(error as Error).message.replace(/\s+/g, ' ').slice(0, 300)}`);
    }
  }
  const { platform, arch } = process;
  const build = isOlderThere ? `rebuild ${older}` : `install ${older}@${olderVersion}`;
  throw new Error(
    `No build of SQLite loads on Node ${nodeVersion} on ${platform}-${arch}: use Node 22 or newer on Linux (x64 or arm64, glibc 2.34 ` +
      `or musl), macOS or Windows, where nothing has to be built, or run \`npm ${build}\`, which takes Python, make and a C++ ` +
      `compiler where no binary can be downloaded. Tried ${failures.join('; ')}.`,
  );
}
