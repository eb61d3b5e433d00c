/**
 * Loads better-sqlite3, of which there are two releases: the newer one carries its binaries and needs Node 22; the older one
 * is built when it is installed, and runs on Node 20. The newer one would end the process of an older Node, so the choice is
 * by version first; where it does not load (an older C library), the other one is tried.
 */
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

/** The first Node that the newer release runs on, as its package says. */
const newerNeedsNode = 22;
/** In a published package it is beside the bundle that this file is part of; in a checkout it is a dependency. */
const newer = ['./better-sqlite3-next', 'better-sqlite3-next'];
const older = 'better-sqlite3';

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
  for (const build of Number(nodeVersion.split('.')[0]) >= newerNeedsNode ? [...newer, older] : [older]) {
    try {
      const Database = require(build) as typeof Sqlite;
      // The binary is loaded with the first database.
      new Database(':memory:').close();
      return Database;
    } catch (error) {
      failures.push(`${build}: ${(error as Error).message.replace(/\s+/g, ' ').slice(0, 300)}`);
    }
  }
  const { platform, arch } = process;
  throw new Error(
    `No build of SQLite loads on Node ${nodeVersion} on ${platform}-${arch}: use Node 22 or newer on Linux (x64 or arm64, glibc 2.34 ` +
      'or musl), macOS or Windows, where nothing has to be built, or install Python, make and a C++ compiler and run ' +
      `\`npm rebuild better-sqlite3\`. Tried ${failures.join('; ')}.`,
  );
}
