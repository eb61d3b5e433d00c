/**
 * What access keeps: accounts, keys and totals. Access owns these words; the store implements `AccessRecords` over
 * whatever database there is. Nothing here is secret: of a key the store holds its public part and a hash.
 *
 * Times are ISO 8601 in UTC, days `YYYY-MM-DD`. What a promise resolved for is on disk.
 */
import type { PlanName } from './plans.ts';

export const accountStates = ['active', 'suspended', 'banned'] as const;
export type AccountState = (typeof accountStates)[number];

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly status: AccountState;
  /** Shown to callers whose account is not active. */
  readonly status_reason: string | null;
  readonly created_at: string;
}

export interface Key {
  /** The key's public part. */
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface KeyRecord extends Key {
  /** SHA-256 of the whole key, hexadecimal. */
  readonly secret_hash: string;
}

/** One counter of one key on one day; `amount` is added to what is there. */
export interface UsageCount {
  readonly key_id: string;
  readonly day: string;
  readonly counter: string;
  readonly amount: number;
}

export interface AccessRecords {
  /** Both or neither. Gives false, and changes nothing, where an account of this id exists. */
  addAccount(account: Account, firstKey?: KeyRecord): Promise<boolean>;
  account(id: string): Promise<Account | undefined>;
  /** Oldest first. */
  accounts(): Promise<Account[]>;
  /** Gives the account as it then is; undefined where there is none. */
  changeAccount(
    id: string,
    change: Partial<Pick<Account, 'plan' | 'status' | 'status_reason'>>,
  ): Promise<Account | undefined>;
  addKey(key: KeyRecord): Promise<void>;
  keyWithAccount(id: string): Promise<{ readonly key: KeyRecord; readonly account: Account } | undefined>;
  /** Oldest first; of one account, or of all. */
  keys(accountId?: string): Promise<Key[]>;
  /** Gives the key as it then is; the first time of revocation stays. Undefined where there is none. */
  revokeKey(id: string, at: string): Promise<Key | undefined>;
  /** Never moves a time back. */
  markUsed(uses: ReadonlyMap<string, string>): Promise<void>;
  addUsage(counts: readonly UsageCount[]): Promise<void>;
  /** Of one key, from this day on, oldest first. */
  usage(keyId: string, fromDay: string): Promise<UsageCount[]>;
}
