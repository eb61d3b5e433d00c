/**
 * Loads the extension sqlite-vec, an optional package with binaries for Linux with glibc, macOS and Windows. Only its functions
 * that compare vectors are used: the vectors are in ordinary tables, which a server without the extension can also clean up.
 */
import { createRequire } from 'node:module';
import type { Database } from 'better-sqlite3';

const name = 'sqlite-vec';

/** Loads it into the connection; returns why it cannot be, in one sentence, or undefined. */
export function loadVectors(database: Database): string | undefined {
  try {
    const { getLoadablePath } = createRequire(import.meta.url)(name) as { getLoadablePath(): string };
    database.loadExtension(getLoadablePath());
    return undefined;
  } catch (error) {
    const [why] = (error as Error).message.split('\n');
    return `The package ${name} does not load on ${process.platform}-${process.arch}: ${why}`;
  }
}
