/** What differs between the databases; all other SQL is shared. */
import type { Kysely, RawBuilder, SelectQueryBuilder, Transaction } from 'kysely';
import type { Tables } from './tables/tables.ts';

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** A text type with bytewise collation. Other collations depend on the system's locale, whose changes break indexes. */
  readonly text: 'text' | RawBuilder<unknown>;
  /** The time in so many ms, by the clock that all processes share, as ISO 8601 with milliseconds. */
  timeIn(ms: number): string | RawBuilder<string>;
  /** Locks the rows of a query until the transaction ends, and passes over those that another one has locked. */
  skipLocked<Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ): SelectQueryBuilder<Tables, Table, Row>;
  /** Locks the rows with these ids, in the order of the ids, until the transaction ends. */
  lockRows(trx: Transaction<Tables>, table: 'keys' | 'sessions', ids: readonly string[]): Promise<void>;
  /** Takes the migration lock until the transaction ends; others wait for it. */
  lockMigrations(trx: Transaction<Tables>): Promise<void>;
}

export interface OpenDatabase {
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
}
