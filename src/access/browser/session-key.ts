/**
 * The row among the keys that the browser sessions of one account count on together: limits and usage are by key. Nobody
 * holds it: its id and its hash are of no form that a key has, and no list shows it.
 */
import type { KeyRecord } from '../access-records.ts';

const prefix = 'browser_';

export function sessionKeyId(accountId: string): string {
  return prefix + accountId;
}

export function isSessionKeyId(keyId: string): boolean {
  return keyId.startsWith(prefix);
}

export function sessionKey(account_id: string, created_at: string): KeyRecord {
  const id = sessionKeyId(account_id);
  const none = { last_used_at: null, revoked_at: null };
  return { id, account_id, name: 'browser', scopes: [], secret_hash: id, created_at, ...none };
}
