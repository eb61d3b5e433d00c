/**
 * Drafts of designed APIs and their published versions. Versions are only ever added, each with the next number of its
 * stub; the database itself refuses everything else.
 */
import { sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migrate.ts';

export const designs: Migration = {
  name: '003-designs',
  async up(trx, { name, text }) {
    await trx.schema
      .createTable('designs')
      .addColumn('api_id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('api_stub', text, (column) => column.notNull())
      .addColumn('design', text, (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .addUniqueConstraint('designs_stub', ['account_id', 'api_stub'])
      .execute();
    await trx.schema
      .createTable('api_versions')
      .addColumn('api_stub', text, (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull().check(sql`version > 0`))
      .addColumn('api_id', text, (column) => column.notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('content', text, (column) => column.notNull())
      .addColumn('content_hash', text, (column) => column.notNull())
      .addColumn('words', text, (column) => column.notNull())
      .addColumn('published_at', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('api_versions_key', ['api_stub', 'version'])
      .execute();
    const index = (of: string, table: string, columns: string[]) =>
      trx.schema.createIndex(of).on(table).columns(columns).execute();
    await index('designs_of_account', 'designs', ['account_id', 'created_at', 'api_id']);
    await index('versions_of_design', 'api_versions', ['account_id', 'api_id', 'published_at']);
    for (const statement of finality[name]) await sql.raw(statement).execute(trx);
  },
};

/** The triggers that keep versions immutable, for each database. Their texts are part of a released migration. */
export const finality: Record<Dialect['name'], readonly string[]> = {
  sqlite: [
    `create trigger api_versions_never_change before update on api_versions
       begin select raise(abort, 'a published version never changes'); end`,
    `create trigger api_versions_never_go before delete on api_versions
       begin select raise(abort, 'a published version is never deleted'); end`,
    // "insert or replace" deletes without firing the trigger above, so it must be stopped before.
    `create trigger api_versions_stay before insert on api_versions
       when exists (select 1 from api_versions where api_stub = new.api_stub and version = new.version)
       begin select raise(ignore); end`,
    `create trigger api_versions_leave_no_gap before insert on api_versions
       when new.version > 1 + (select coalesce(max(version), 0) from api_versions where api_stub = new.api_stub)
       begin select raise(abort, 'a version has the number behind the newest'); end`,
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as $$
       begin raise exception '%', tg_argv[0]; end $$`,
    `create trigger api_versions_never_change before update on api_versions
       for each statement execute function refuse('a published version never changes')`,
    `create trigger api_versions_never_go before delete or truncate on api_versions
       for each statement execute function refuse('a published version is never deleted')`,
    `create function api_versions_leave_no_gap() returns trigger language plpgsql as $$
       begin
         if new.version > 1 + (select coalesce(max(version), 0) from api_versions where api_stub = new.api_stub) then
           raise exception 'a version has the number behind the newest';
         end if;
         return new;
       end $$`,
    `create trigger api_versions_leave_no_gap before insert on api_versions
       for each row execute function api_versions_leave_no_gap()`,
  ],
};
