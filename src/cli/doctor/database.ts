/** The database of accounts, keys and searches, where it is a file. */
import { join } from 'node:path';
import { type Check, skipped } from './check.ts';
import { judgeMigrations } from './migrations.ts';
import { inspectFile } from './sqlite-file.ts';

const fix = 'Stop the server and restore a backup: `citewire restore <folder>`.';

/** Whether the file opens, is whole, and has the migrations of this version. */
export const checkDatabase: Check = async ({ config: { dataDir, databaseUrl } }) => {
  if (databaseUrl !== undefined) return skipped('DATABASE_URL names a Postgres instead.');
  const file = join(dataDir, 'citewire.db');
  return inspectFile({ file, what: 'database', fix }, (database) => {
    const hasTable = database.prepare("select 1 from sqlite_schema where name = 'migrations'").get() !== undefined;
    const applied = hasTable ? database.prepare('select name from migrations').pluck().all() : [];
    return judgeMigrations(`The database ${file}`, applied as string[]);
  });
};
