/**
 * Who may manage accounts: a browser that signed in to one of the accounts in ADMIN_ACCOUNTS with a link or at a provider,
 * and a key with the scope `admin`, which only a command on the server's own machine creates. Other keys may not, not even
 * the unrestricted keys of an administrator: programs get keys to ask questions with.
 */
import { AppError } from '../../base/errors.ts';
import type { Account, Key } from '../access-records.ts';
import { isSessionKeyId } from '../browser/session-key.ts';
import type { Caller } from '../identity.ts';

/** No list of scopes that a caller may choose from contains it. */
export const adminScope = 'admin';

/** `admins` are the ids of ADMIN_ACCOUNTS. */
function isAdministrator(
  { account_id, key_id, session, scopes, collections }: Caller,
  admins: readonly string[],
): boolean {
  if (session !== undefined && isSessionKeyId(key_id)) return admins.includes(account_id);
  return collections === undefined && scopes.includes(adminScope);
}

/** The same for a session, whether it began with a key or not. */
export function isOfAdministrator(
  { account, key }: { readonly account: Pick<Account, 'id'>; readonly key?: Key | undefined },
  admins: readonly string[],
): boolean {
  if (key === undefined) return admins.includes(account.id);
  return key.collections === undefined && key.scopes.includes(adminScope);
}

/** Throws `forbidden` for anybody else. */
export function checkAdministrator(caller: Caller, admins: readonly string[]): void {
  if (isAdministrator(caller, admins)) return;
  throw new AppError(
    'forbidden',
    'Expected an administrator: a browser that signed in with a link or through a provider (not with a key) to an account listed in ADMIN_ACCOUNTS, or a key with the scope admin.',
  );
}
