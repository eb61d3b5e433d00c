/**
 * Tells a database that is new from one whose content was lost. SQLite takes a file without content for a new database, and deletes
 * a write-ahead log beside it; but it may be all that a full disk, or a copy that was cut short, has left of the accounts. So
 * the first start keeps a note beside the file until its tables are committed: only with that note, or where there is no
 * file, is an empty database a new one.
 */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';

const noteOf = (file: string) => `${file}.new`;

/** Notes that the database is new, if there is no file. Throws what the file system reports. */
export function noteIfNew(file: string): void {
  if (!existsSync(file)) closeSync(openSync(noteOf(file), 'a', 0o600));
}

/** Whether the database is new, and has no tables yet: the process that notes it may have been killed since. */
export function isNoted(file: string): boolean {
  return existsSync(noteOf(file));
}

/** To be called when the database has its tables. */
export function removeNote(file: string): void {
  rmSync(noteOf(file), { force: true });
}

/** The fault of a database that has these tables and is not new; undefined if there is none. */
export function describeLost(tables: readonly string[]): string | undefined {
  if (tables.includes('migrations')) return undefined;
  return tables.length === 0
    ? 'it is empty, as after a full disk or a copy that was cut short'
    : 'it is a database of another program';
}

/** Selects the names of the tables. */
export const selectTables = "select name from sqlite_schema where type = 'table'";
