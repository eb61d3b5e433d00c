/** Writes a SQLite file again without the room that removed rows have left. */
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepSqliteFilesIn } from '../../base/config.ts';
import { describeLoneLog } from '../../base/sqlite/damage.ts';
import { type Database, loadSqlite } from '../../base/sqlite.ts';

/**
 * How long to wait for another writer, ms, and the free share of the file below which compacting it is not worth making
 * others wait; set by hand.
 */
const busyMs = 30_000;
const minFree = 0.02;
/** How often it is tried to empty the log that another process moves into the file; set by hand. */
const retryMs = 250;

/** Sizes in bytes, with that of the log. */
export interface Compacted {
  readonly before: number;
  readonly after: number;
  /** Whether others used the file for too long to empty its log, which has all of its content. */
  readonly isLogLeft: boolean;
}

/**
 * Compacts the file, unless it has next to no free room; resolves with its size before and after. Others may read it meanwhile;
 * writers wait. A process that is killed leaves the file as it was. Rejects with one sentence when the disk has too little room for
 * it, or another process writes for too long.
 */
export async function compactFile(file: string, patienceMs = busyMs): Promise<Compacted> {
  const loneLog = describeLoneLog(file);
  if (loneLog !== undefined) throw new Error(`${file} is damaged (${loneLog}).`);
  const before = sizeWithLog(file);
  const database = new (loadSqlite())(file, { fileMustExist: true, timeout: patienceMs });
  try {
    const number = (name: string) => Number(database.pragma(name, { simple: true }));
    const pages = number('page_count');
    const free = number('freelist_count');
    if (free > pages * minFree) {
      await refuseFullDisk(file, (pages - free) * number('page_size'));
      keepSqliteFilesIn(dirname(file));
      database.exec('vacuum');
    }
    // The file shrinks when its log has been moved into it.
    const isLogLeft = !(await emptyLog(database, patienceMs));
    return { before, after: sizeWithLog(file), isLogLeft };
  } catch (error) {
    throw new Error(explain(file, error), { cause: error });
  } finally {
    close(database);
  }
}

/** Resolves with whether it is empty. SQLite waits for readers, and not while another process moves the log into the file. */
async function emptyLog(database: Database, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const [{ busy }] = database.pragma('wal_checkpoint(truncate)') as [{ readonly busy: number }];
    if (busy === 0 || Date.now() >= until) return busy === 0;
    await sleep(retryMs);
  }
}

/** What a running server has not moved into the file yet is in its log. */
function sizeWithLog(file: string): number {
  const log = `${file}-wal`;
  return statSync(file).size + (existsSync(log) ? statSync(log).size : 0);
}

/** Needed are a copy of the content, and the same again in the write-ahead log. */
async function refuseFullDisk(file: string, content: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file));
  const [needed, free] = [2 * content, bavail * bsize];
  if (free < needed) throw new Error(`it takes ${mib(needed)} of free space, and there are ${mib(free)}`);
}

const mib = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`;

function explain(file: string, error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  const why = code.startsWith('SQLITE_BUSY') ? 'another process is writing to it; try again later' : message;
  return `${file} cannot be compacted: ${why}.`;
}

function close(database: Database): void {
  try {
    database.close();
  } catch {
    // What is wrong has been reported.
  }
}
