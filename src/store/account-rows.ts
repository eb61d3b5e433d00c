/** Accounts and keys as their rows hold them. */
import type { Kysely } from 'kysely';
import type { Account, KeyRecord } from '../access/access-records.ts';
import type { Tables } from './tables.ts';

export const accountColumns = ['id', 'name', 'plan', 'status', 'status_reason', 'created_at'] as const;

export function accountById(db: Kysely<Tables>, id: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').select(accountColumns).where('id', '=', id).executeTakeFirst();
}

export function toKeyRow(key: KeyRecord): Tables['keys'] {
  return { ...key, scopes: JSON.stringify(key.scopes) };
}
