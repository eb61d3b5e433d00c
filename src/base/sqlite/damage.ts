/** What an SQLite file shows of its damage before it is opened, and by the failures of SQLite. */
import { statSync } from 'node:fs';

/** Whether SQLite failed with this result code because the file is damaged, or is no database. */
export function isDamage(code: string): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code);
}

/** What is lost when a write-ahead log is there without its database; undefined if nothing is. To be asked before SQLite opens it. */
export function describeLoneLog(file: string): string | undefined {
  // The log first: the database has content before its log has.
  if (!sizeOf(`${file}-wal`)) return undefined;
  const size = sizeOf(file);
  if (size === undefined) return 'it is missing, but its write-ahead log is there';
  return size === 0 ? 'it is empty, but its write-ahead log is not' : undefined;
}

/** In bytes; undefined if there is no such file. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
