/** Accounts and keys as rows. */
import type { Kysely } from 'kysely';
import type { Account, KeyRecord } from '../../access/access-records.ts';
import type { Tables } from '../tables.ts';

export const accountColumns = ['id', 'name', 'plan', 'status', 'status_reason', 'created_at'] as const;

/** Undefined if there is no such account. */
export function accountById(db: Kysely<Tables>, id: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').select(accountColumns).where('id', '=', id).executeTakeFirst();
}

/** The key with its lists as JSON. */
export function toKeyRow(key: KeyRecord): Tables['keys'] {
  return { ...key, scopes: JSON.stringify(key.scopes), collections: JSON.stringify(key.collections ?? []) };
}
