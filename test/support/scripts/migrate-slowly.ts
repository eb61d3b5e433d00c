/** Migrates a store by one step more than this version has, prints a line in the middle of it, and waits to be killed. */
import { join } from 'node:path';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/all.ts';
import { openPostgres } from '../../../src/store/postgres/postgres.ts';
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts';
import type { StoreOptions } from '../../../src/store/store.ts';

const { dataDir, databaseUrl } = JSON.parse(process.argv[2]!) as StoreOptions;
const open = databaseUrl === undefined ? openSqlite(join(dataDir, 'citewire.db')) : openPostgres(databaseUrl);
const slow = {
  name: '999-slow',
  async up(trx: Parameters<(typeof migrations)[number]['up']>[0]) {
    await trx.schema.createTable('half_way').addColumn('a', 'integer').execute();
    await trx.schema.alterTable('accounts').dropColumn('status_reason').execute();
    process.stdout.write('half way\n');
    await new Promise(() => setInterval(() => {}, 60_000));
  },
};
await migrate(await open, [...migrations, slow]);
