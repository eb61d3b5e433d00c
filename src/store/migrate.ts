/**
 * Brings a database up to the newest schema. All missing steps run in one transaction that holds the database's
 * migration lock, so processes that start at once make it once, and one that dies half-way leaves nothing behind. A
 * database from a newer version is refused rather than guessed at.
 */
import type { Transaction } from 'kysely';
import type { Dialect, OpenDatabase } from './dialect.ts';
import type { Tables } from './tables.ts';

/** `up` says the same to every database, but for the pieces that `dialect` gives or that ask for its name. */
export interface Migration {
  readonly name: string;
  readonly up: (trx: Transaction<Tables>, dialect: Dialect) => Promise<void>;
}

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
      throw new Error(`The database was made by a newer version: this one does not know ${[...applied].join(', ')}.`);
    }
  });
}
