/** Accounts and keys as rows. */
import type { Kysely, Selectable } from 'kysely';
import type { Account, Key, KeyRecord } from '../../access/access-records.ts';
import type { Tables } from '../tables/tables.ts';

export const accountColumns = ['id', 'name', 'plan', 'status', 'status_reason', 'created_at'] as const;

export const keyColumns = [
  'id',
  'account_id',
  'name',
  'scopes',
  'collections',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const;

/** Undefined if there is no such account. */
export function accountById(db: Kysely<Tables>, id: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').select(accountColumns).where('id', '=', id).executeTakeFirst();
}

/** The key with its lists as JSON. */
export function toKeyRow(key: KeyRecord): Tables['keys'] {
  return { ...key, scopes: JSON.stringify(key.scopes), collections: JSON.stringify(key.collections ?? []) };
}

/** The key of a row. */
export function toKey(row: Pick<Selectable<Tables['keys']>, (typeof keyColumns)[number]>): Key {
  const { id, account_id, name, scopes, created_at, last_used_at, revoked_at } = row;
  const collections = JSON.parse(row.collections) as string[];
  const key = { id, account_id, name, scopes: JSON.parse(scopes) as string[], created_at, last_used_at, revoked_at };
  return collections.length === 0 ? key : { ...key, collections };
}
