/**
 * Loads better-sqlite3, of which there are two releases: the newer one carries its binaries and needs Node 22; the older one
 * is built when it is installed, and runs on Node 20. The newer one would end the process of an older Node, so the choice is
 * by version first; where it does not load (an older C library), the other one is tried.
 */
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

/** The first Node that the newer release runs on, as its package says. */
const newerNeedsNode = 22;

let loaded: typeof Sqlite | undefined;

/** The class of databases. Throws one sentence for the operator when no build loads on this Node. */
export function loadSqlite(): typeof Sqlite {
  loaded ??= load(Number(process.versions.node.split('.')[0]));
  return loaded;
}

function load(nodeMajor: number): typeof Sqlite {
  const require = createRequire(import.meta.url);
  const builds = nodeMajor >= newerNeedsNode ? ['better-sqlite3-next', 'better-sqlite3'] : ['better-sqlite3'];
  const failures: string[] = [];
  for (const build of builds) {
    try {
      const Database = require(build) as typeof Sqlite;
      // The binary is loaded with the first database.
      new Database(':memory:').close();
      return Database;
    } catch (error) {
      failures.push(`${build}: ${(error as Error).message.replace(/\s+/g, ' ').slice(0, 300)}`);
    }
  }
  const { platform, arch, version } = process;
  const fix = nodeMajor >= newerNeedsNode ? 'run `npm install` again' : 'run `npm rebuild better-sqlite3`';
  throw new Error(
    `No build of SQLite loads on Node ${version} on ${platform}-${arch}: ${fix}. Tried ${failures.join('; ')}.`,
  );
}
