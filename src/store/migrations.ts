/**
 * The schema, as steps that only ever grow at the end: a step that was released is never edited. All missing steps run
 * in one transaction that holds the database's write lock, so two processes that start at once make it once, and a
 * process that dies half-way leaves nothing behind. A database from a newer version is refused rather than guessed at.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { designs } from './migrations/003-designs.ts';
import type { Tables } from './tables.ts';

interface Migration {
  readonly name: string;
  readonly up: (trx: Transaction<Tables>) => Promise<void>;
}

const migrations: readonly Migration[] = [
  {
    name: '001-access',
    async up(trx) {
      await trx.schema
        .createTable('accounts')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('plan', 'text', (column) => column.notNull().check(sql`plan in ('starter', 'pro')`))
        .addColumn('status', 'text', (column) =>
          column.notNull().check(sql`status in ('active', 'suspended', 'banned')`),
        )
        .addColumn('status_reason', 'text')
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute();
      await trx.schema
        .createTable('keys')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('last_used_at', 'text')
        .addColumn('revoked_at', 'text')
        .execute();
      await trx.schema.createIndex('keys_of_account').on('keys').column('account_id').execute();
      await trx.schema
        .createTable('usage_days')
        .addColumn('key_id', 'text', (column) => column.notNull().references('keys.id'))
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('counter', 'text', (column) => column.notNull())
        .addColumn('amount', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usage_days_key', ['key_id', 'day', 'counter'])
        .execute();
    },
  },
  {
    name: '002-runs',
    async up(trx) {
      await trx.schema
        .createTable('runs')
        .addColumn('search_id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('ended_at', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('mode', 'text', (column) => column.notNull())
        .addColumn('engine', 'text', (column) => column.notNull())
        .addColumn('prompts', 'text', (column) => column.notNull())
        .addColumn('terminal', 'text', (column) => column.notNull())
        .addColumn('idempotency_key', 'text')
        .addColumn('idempotency_hash', 'text')
        .execute();
      const index = (name: string, columns: string[]) =>
        trx.schema.createIndex(name).on('runs').columns(columns).execute();
      await index('runs_of_account', ['account_id', 'ended_at', 'search_id']);
      await index('runs_by_idempotency_key', ['account_id', 'idempotency_key']);
    },
  },
  { name: designs.name, up: (trx) => designs.up(trx, { name: 'sqlite', text: 'text' }) },
];

/** `lock` takes the database's migration lock for the transaction, where beginning it has not. */
export async function migrate(
  db: Kysely<Tables>,
  lock: (trx: Transaction<Tables>) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lock(trx);
    await trx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute();
    const rows = await trx.selectFrom('migrations').select('name').execute();
    const applied = new Set(rows.map((row) => row.name));
    for (const { name, up } of migrations) {
      if (applied.delete(name)) continue;
      await up(trx);
      await trx.insertInto('migrations').values({ name, applied_at: new Date().toISOString() }).execute();
    }
    if (applied.size > 0) {
      throw new Error(`The database was made by a newer version: this one does not know ${[...applied].join(', ')}.`);
    }
  });
}
