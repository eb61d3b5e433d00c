/**
 * Migrates a database to the newest schema. All missing steps run in one transaction that holds the migration lock, so
 * processes that start simultaneously migrate once, and one that dies half-way leaves no trace. A database from a newer
 * version is refused.
 */
import type { Transaction } from 'kysely';
import type { Dialect, OpenDatabase } from './dialect.ts';
import type { Tables } from './tables/tables.ts';

/** `up` runs the same statements on every database, except for what it takes from `dialect`. */
export interface Migration {
  readonly name: string;
  readonly up: (trx: Transaction<Tables>, dialect: Dialect) => Promise<void>;
}

/** Rejects if the database has migrations that this version does not know. */
export async function migrate({ db, dialect }: OpenDatabase, migrations: readonly Migration[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await dialect.lockMigrations(trx);
    await trx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', dialect.text, (column) => column.primaryKey().notNull())
      .addColumn('applied_at', dialect.text, (column) => column.notNull())
      .execute();
    const rows = await trx.selectFrom('migrations').select('name').execute();
    const applied = new Set(rows.map((row) => row.name));
    for (const { name, up } of migrations) {
      if (applied.delete(name)) continue;
      await up(trx, dialect);
      await trx.insertInto('migrations').values({ name, applied_at: new Date().toISOString() }).execute();
    }
    if (applied.size > 0) {
      const unknown = [...applied].join(', ');
      throw new Error(
        `The database was made by a newer version: run that, or restore a backup made before it (unknown migrations: ${unknown}).`,
      );
    }
  });
}
