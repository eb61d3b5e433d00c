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

/** A sign-in link that was not used yet. */
export interface SignInLink {
  /** SHA-256 of its secret, hexadecimal. */
  readonly id: string;
  readonly account_id: string;
  readonly expires_at: string;
}

export interface SessionRecord extends SignInLink {
  readonly created_at: string;
}

/** One counter of one key in one minute, `YYYY-MM-DDTHH:MM`; `amount` is added to what is there. */
export interface UsageCount {
  readonly key_id: string;
  readonly minute: string;
  readonly counter: string;
  readonly amount: number;
}

/** Calls of one account in one minute, from a place where others called too. `mark` names the place within the minute. */
export interface SharedMinute {
  readonly minute: string;
  readonly mark: string;
  readonly account_id: string;
  readonly calls: number;
}

/** What was counted in one day, one minute or on one key: `at` says which. */
export interface UsageTotal {
  readonly at: string;
  readonly counter: string;
  readonly amount: number;
}

/** Which counts of an account: of all its keys, or of one. */
export interface UsageSpan {
  readonly account_id: string;
  readonly key_id?: string | undefined;
  readonly from_day: string;
  readonly from_minute: string;
}

export interface AccountUsageTotals {
  /** Oldest first. */
  readonly days: readonly UsageTotal[];
  readonly minutes: readonly UsageTotal[];
  /** `at` is the key's id; all days together. */
  readonly keys: readonly UsageTotal[];
}

export interface AccessRecords {
  /** Both or neither. Gives false, and changes nothing, where an account of this id exists. */
  addAccount(account: Account, firstKey?: KeyRecord): Promise<boolean>;
  account(id: string): Promise<Account | undefined>;
  /** Oldest first. */
  accounts(): Promise<Account[]>;
  /** Gives the account as it then is; undefined where there is none. One that is not active has no links and no sessions. */
  changeAccount(
    id: string,
    change: Partial<Pick<Account, 'plan' | 'status' | 'status_reason'>>,
  ): Promise<Account | undefined>;
  /**
   * Returns false, and adds nothing, if the account has `max` keys that are not revoked, `except` not counted. Holds when
   * many are added at the same time, from several processes.
   */
  addKey(key: KeyRecord, limit?: { readonly max: number; readonly except: string }): Promise<boolean>;
  keyWithAccount(id: string): Promise<{ readonly key: KeyRecord; readonly account: Account } | undefined>;
  /** Oldest first; of one account, or of all. */
  keys(accountId?: string): Promise<Key[]>;
  /** Gives the key as it then is; undefined where the account has none of this id. */
  renameKey(accountId: string, id: string, name: string): Promise<Key | undefined>;
  /** Gives the key as it then is; the first time of revocation stays. Undefined where there is none. */
  revokeKey(id: string, at: string): Promise<Key | undefined>;
  /** Never moves a time back. */
  markUsed(uses: ReadonlyMap<string, string>): Promise<void>;
  /** Adds to the days and to the minutes; minutes before `keepFrom` are forgotten. */
  addUsage(counts: readonly UsageCount[], keepFrom: string): Promise<void>;
  /** The days of one key, from this one on, oldest first. */
  usage(keyId: string, fromDay: string): Promise<UsageTotal[]>;
  accountUsage(span: UsageSpan): Promise<AccountUsageTotals>;
  /** The same for all who ask on that day, `YYYY-MM-DD`. */
  networkSecret(day: string): Promise<string>;
  /** Adds to what is there; one row at least. */
  addSharedMinutes(minutes: readonly SharedMinute[]): Promise<void>;
  /** Forgets the secrets of the days before this one, and the minutes before that one. */
  forgetNetworks(day: string, minute: string): Promise<void>;
  /** Oldest first. */
  sharedMinutes(): Promise<SharedMinute[]>;
  addLink(link: SignInLink): Promise<void>;
  /** Takes the link away and gives its account, to the first who asks and if it is not too old. */
  takeLink(id: string, now: string): Promise<string | undefined>;
  /** Adds the row that the account's sessions count on, where it is not there yet, and forgets what has expired. */
  addSession(session: SessionRecord, browserKey: KeyRecord): Promise<void>;
  sessionWithAccount(id: string): Promise<{ readonly session: SessionRecord; readonly account: Account } | undefined>;
  /** New ends by session; never earlier ones. */
  extendSessions(ends: ReadonlyMap<string, string>): Promise<void>;
  /** Gives the session's account. */
  endSession(id: string): Promise<string | undefined>;
}
