/** The database of accounts, keys and searches, where it is a file. */

import { join } from 'node:path';
import { describeLoneLog } from '../../base/sqlite/damage.ts';
import { describeLost, isNoted, selectTables } from '../../store/sqlite/lost-database.ts';
import { type Check, problem, skipped } from './check.ts';
import { judgeMigrations } from './migrations.ts';
import { inspectFile } from './sqlite-file.ts';

const fix = 'Stop the server and restore a backup: `citewire restore <folder>`.';

/** Whether the file opens, is whole, and has the migrations of this version. */
export const checkDatabase: Check = async ({ config: { dataDir, databaseUrl } }) => {
  if (databaseUrl !== undefined) return skipped('DATABASE_URL names a Postgres instead.');
  const file = join(dataDir, 'citewire.db');
  const damaged = (why: string) => problem(`The database ${file} is damaged (${why}).`, fix);
  const loneLog = describeLoneLog(file);
  if (loneLog !== undefined) return damaged(loneLog);
  return inspectFile({ file, what: 'database', fix }, (database) => {
    const lost = describeLost(database.prepare(selectTables).pluck().all() as string[]);
    if (lost !== undefined && !isNoted(file)) return damaged(lost);
    const applied = lost === undefined ? database.prepare('select name from migrations').pluck().all() : [];
    return judgeMigrations(`The database ${file}`, applied as string[]);
  });
};
