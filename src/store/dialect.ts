/** What is said differently to each kind of database; everything else is said once, for both. */
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The type of text that is compared by its bytes: any other order changes with the system's locale, under its indexes. */
  readonly text: 'text' | RawBuilder<unknown>;
  /** Lets one transaction at a time migrate: others wait here until this one ends. */
  lockMigrations(trx: Transaction<Tables>): Promise<void>;
}

export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
}
