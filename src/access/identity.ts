/**
 * Identifies a caller by API key: first by its form, then in the cache, then in the store. Memory holds hashes, never
 * keys. Every kind of invalid key gets the same answer and is counted by address (sign-in-throttle.ts).
 */
import { AppError } from '../base/errors.ts';
import type { AccessRecords, Account, Key } from './access-records.ts';
import { createAuthCache } from './auth-cache.ts';
import { createBatchWriter } from './batched-writes.ts';
import { hashSecret, parseKey, sameHash } from './keys.ts';
import type { PlanName } from './plans.ts';
import { createRevocations, type Revocations } from './revocations.ts';
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';

/** An authenticated caller, as the rest of the server sees it. */
export interface Caller {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan: PlanName;
  readonly scopes: readonly string[];
  /** Ids of the collections that the key is restricted to: see restriction.ts. Undefined if it is not. */
  readonly collections?: readonly string[];
  /** The IP address of the call or connection; held only while that lasts, and never stored. */
  readonly address?: string;
  /** The id of the browser session, if the call came with its cookie. */
  readonly session?: string;
}

export interface KeyWithAccount {
  readonly key: Key;
  readonly account: Account;
}

export interface Identity {
  /**
   * `apiKey` is the header's value; `address` the client's, for counting failures. Rejects with `unauthorized`,
   * `forbidden` (with the account's reason), `rate_limited` or, when the store cannot be reached, `overloaded`.
   */
  identify(apiKey: string | undefined, address: string): Promise<Caller>;
  /** The key and its account; rejects as `identify` does. */
  authenticate(apiKey: string | undefined, address: string): Promise<KeyWithAccount>;
  /** Checks, for connections that stay open, that the caller would still be accepted. Rejects as `identify` does. */
  recheck(caller: Caller): Promise<Caller>;
  /** Notes that a session used the key that it began with. */
  noteUse(keyId: string): void;
  /** Writes the last uses of keys that are not written yet. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** How often last uses are written. Set by hand. */
const writeUsesMs = 30_000;

/** Identifies by API key. Last uses are written every 30 s and by `close`. */
export function createIdentity(options: {
  readonly records: AccessRecords;
  readonly revocations?: Revocations;
  readonly throttle?: SignInThrottle;
  /** A monotonic clock, milliseconds. */
  readonly now?: () => number;
}): Identity {
  const { records, revocations = createRevocations(), now = () => performance.now() } = options;
  const { throttle = createSignInThrottle({ now }) } = options;
  const lookUp = createAuthCache({ read: records.keyWithAccount, revocations, what: 'API keys', now });
  const uses = new Map<string, string>();
  const writer = createBatchWriter(writeUsesMs, () => {
    const batch = new Map(uses);
    uses.clear();
    // Losing a last use is harmless: the key's next call records another.
    return records.markUsed(batch);
  });

  const noteUse = (keyId: string) => void uses.set(keyId, new Date().toISOString());

  async function authenticate(apiKey: string | undefined, address: string): Promise<KeyWithAccount> {
    const id = apiKey === undefined ? undefined : parseKey(apiKey);
    const entry = id === undefined ? undefined : await lookUp(id);
    const matches = entry !== undefined && sameHash(entry.key.secret_hash, hashSecret(apiKey!));
    if (!matches || entry.key.revoked_at !== null) throw throttle.count(address, unauthorized());
    checkActive(entry.account);
    noteUse(entry.key.id);
    return entry;
  }

  return {
    identify: async (apiKey, address) => callerOf(await authenticate(apiKey, address)),
    authenticate,
    noteUse,

    async recheck({ key_id }) {
      const entry = await lookUp(key_id);
      if (entry === undefined || entry.key.revoked_at !== null) throw unauthorized();
      return callerOf(entry);
    },

    ...writer,
  };
}

/** The caller that the key identifies. Throws `forbidden` unless the account is active. */
export function callerOf({ key, account }: KeyWithAccount): Caller {
  checkActive(account);
  const caller = { key_id: key.id, account_id: account.id, plan: account.plan, scopes: key.scopes };
  return key.collections === undefined ? caller : { ...caller, collections: key.collections };
}

/** Throws `forbidden` with the account's reason unless the account is active. */
export function checkActive(account: Account): void {
  if (account.status === 'active') return;
  const reason = account.status_reason === null ? '.' : `: ${account.status_reason}`;
  throw new AppError('forbidden', `This account is ${account.status}${reason}`);
}

/** One error for every kind of invalid key or session. */
export function unauthorized(): AppError {
  return new AppError('unauthorized', 'Expected a valid API key in the header X-API-Key or Authorization: Bearer.');
}
