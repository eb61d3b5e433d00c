/**
 * The key row that all browser sessions of one account share, because limits and usage are counted by key. Nobody can
 * hold it: its id and hash do not have the format of a key. No list shows it.
 */
import type { KeyRecord } from '../access-records.ts';

const prefix = 'browser_';

/** The id of the account's session key. */
export function sessionKeyId(accountId: string): string {
  return prefix + accountId;
}

/** Whether this is the id of a session key rather than that of an API key. */
export function isSessionKeyId(keyId: string): boolean {
  return keyId.startsWith(prefix);
}

/** The row itself. `created_at` is ISO 8601. */
export function sessionKey(account_id: string, created_at: string): KeyRecord {
  const id = sessionKeyId(account_id);
  const none = { last_used_at: null, revoked_at: null };
  return { id, account_id, name: 'browser', scopes: [], secret_hash: id, created_at, ...none };
}
