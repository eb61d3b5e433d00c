/** What differs between the databases; all other SQL is shared. */
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** A text type with bytewise collation. Other collations depend on the system's locale, whose changes break indexes. */
  readonly text: 'text' | RawBuilder<unknown>;
  /** Takes the migration lock until the transaction ends; others wait for it. */
  lockMigrations(trx: Transaction<Tables>): Promise<void>;
}

export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
}
