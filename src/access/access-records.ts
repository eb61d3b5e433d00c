/**
 * What access stores: accounts, keys, sessions and usage. The store implements this port. Nothing here is secret: of a
 * key the store has only its public part and a hash.
 *
 * Times are ISO 8601 in UTC, days `YYYY-MM-DD`. When a promise resolves, the change is on disk. Every function rejects
 * with `overloaded` while the database cannot be reached.
 */
import type { PlanName } from './plans.ts';
import type { RefusalRecords } from './usage/refusals.ts';

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
  /** Ids of the collections that it is restricted to, at least one; undefined if it is not. A collection may be gone. */
  readonly collections?: readonly string[] | undefined;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface KeyRecord extends Key {
  /** SHA-256 of the whole key, hexadecimal. */
  readonly secret_hash: string;
}

/** An unused sign-in link. */
export interface SignInLink {
  /** SHA-256 of its secret, hexadecimal. */
  readonly id: string;
  readonly account_id: string;
  readonly expires_at: string;
}

export interface SessionRecord extends SignInLink {
  readonly created_at: string;
  /** The key that it began with; null if it began with a link or at a provider. */
  readonly key_id: string | null;
}

export interface SessionWithAccount {
  readonly session: SessionRecord;
  readonly account: Account;
  /** The key that it began with. */
  readonly key?: Key;
}

/** A person's identity at a provider of OpenID Connect. */
export interface ExternalIdentity {
  readonly issuer: string;
  /** Unique and permanent at the issuer. */
  readonly subject: string;
}

/** One counter of one key in one minute, `YYYY-MM-DDTHH:MM`; `amount` is added to the stored amount. */
export interface UsageCount {
  readonly key_id: string;
  readonly minute: string;
  readonly counter: string;
  readonly amount: number;
}

/** Calls of one account in one minute from a network that other accounts called from too; `mark` is its pseudonym. */
export interface SharedMinute {
  readonly minute: string;
  readonly mark: string;
  readonly account_id: string;
  readonly calls: number;
}

/** A counter of a quota in a day, `YYYY-MM-DD`, or a month, `YYYY-MM`. */
export interface QuotaPeriod {
  readonly counter: 'searches' | 'tokens';
  readonly period: string;
}

export interface QuotaLimit extends QuotaPeriod {
  readonly limit: number;
}

/** The total of one counter for the day, minute or key in `at`. */
export interface UsageTotal {
  readonly at: string;
  readonly counter: string;
  readonly amount: number;
}

/** Selects the usage of an account: of all its keys, or of one. */
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
  /** `at` is the key's id; summed over all days. */
  readonly keys: readonly UsageTotal[];
}

export interface InvitationRecord {
  /** SHA-256 of the secret, hexadecimal. */
  readonly id: string;
  /** The name of the account that it creates. */
  readonly name: string;
  readonly plan: PlanName;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly account_id: string | null;
}

export interface InvitationRecords {
  /**
   * Returns false, and adds nothing, if `maxOpen` are neither accepted nor expired. Forgets those that expired before `keepFrom`.
   */
  addInvitation(invitation: InvitationRecord, maxOpen: number, keepFrom: string): Promise<boolean>;
  /** Newest first. */
  invitations(limit: number): Promise<InvitationRecord[]>;
  /**
   * Creates the account that the invitation is for, with the id of `draft`, if it is neither accepted nor expired at `now`; only
   * the first caller gets it.
   */
  acceptInvitation(id: string, draft: Pick<Account, 'id'>, now: string): Promise<Account | undefined>;
  /** Resolves with false if there is none, or if it was accepted. */
  removeInvitation(id: string): Promise<boolean>;
}

export interface AccountFilter {
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Each must occur in the name or the id, in any case. */
  readonly words: readonly string[];
  readonly status?: AccountState | undefined;
}

export interface AccountDetails {
  /** The number of keys that are not revoked. */
  readonly keys: number;
  readonly last_used_at: string | null;
  readonly identities: readonly ExternalIdentity[];
}

export interface AccountListRecords {
  /** Newest first; an invalid cursor is refused with a `validation_error`. */
  accountPage(filter: AccountFilter): Promise<{ readonly items: readonly Account[]; readonly cursor?: string }>;
  /** By account id. `exceptKeys` are the ids of keys that are not counted. */
  accountDetails(ids: readonly string[], exceptKeys: readonly string[]): Promise<ReadonlyMap<string, AccountDetails>>;
}

export interface AccessRecords extends RefusalRecords, InvitationRecords, AccountListRecords {
  /** Adds both or neither. Resolves with false, and changes nothing, if an account with this id exists. */
  addAccount(account: Account, firstKey?: KeyRecord): Promise<boolean>;
  account(id: string): Promise<Account | undefined>;
  /** The account that the identity is linked to. */
  accountOfIdentity(identity: ExternalIdentity): Promise<Account | undefined>;
  /** Adds the account and links it. Resolves with false, and changes nothing, if the identity is linked already. */
  addLinkedAccount(account: Account, identity: ExternalIdentity): Promise<boolean>;
  /** Oldest first. */
  accounts(): Promise<Account[]>;
  /**
   * Resolves with the changed account; undefined if there is none. An account that becomes inactive loses its sign-in
   * links and sessions.
   */
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
  /** Oldest first; of one account all that are active and the latest revoked ones, up to `listedKeys`, or of all accounts. */
  keys(accountId?: string): Promise<Key[]>;
  /** Resolves with the renamed key; undefined if the account has no key with this id. */
  renameKey(accountId: string, id: string, name: string): Promise<Key | undefined>;
  /** Resolves with the revoked key, which keeps its first time of revocation; undefined if there is none. */
  revokeKey(id: string, at: string): Promise<Key | undefined>;
  /** Times of last use by key id. Never moves a time back. */
  markUsed(uses: ReadonlyMap<string, string>): Promise<void>;
  /** Adds to the totals per day and per minute; deletes minutes before `keepFrom`. */
  addUsage(counts: readonly UsageCount[], keepFrom: string): Promise<void>;
  /**
   * Counts a search in all periods of searches, or returns those of the quotas that are used up, and counts nothing. Holds over all
   * processes.
   */
  takeQuota<Quota extends QuotaLimit>(accountId: string, quotas: readonly Quota[]): Promise<Quota[]>;
  addToQuota(accountId: string, quotas: readonly QuotaPeriod[], amount: number): Promise<void>;
  /** Removes the counts of days before this one, `YYYY-MM-DD`, and of months before that of this day. */
  forgetQuotas(day: string): Promise<void>;
  /** The counts, in the order of `quotas`. */
  quotaCounts(accountId: string, quotas: readonly QuotaPeriod[]): Promise<number[]>;
  /** The days of one key from `fromDay` on, oldest first. */
  usage(keyId: string, fromDay: string): Promise<UsageTotal[]>;
  accountUsage(span: UsageSpan): Promise<AccountUsageTotals>;
  /** A random secret, the same for all processes on that day, `YYYY-MM-DD`. */
  networkSecret(day: string): Promise<string>;
  /** Adds to the stored calls. Expects at least one row. */
  addSharedMinutes(minutes: readonly SharedMinute[]): Promise<void>;
  /** Deletes the secrets of the days before `day` and the shared minutes before `minute`. */
  forgetNetworks(day: string, minute: string): Promise<void>;
  /** Oldest first. */
  sharedMinutes(): Promise<SharedMinute[]>;
  addLink(link: SignInLink): Promise<void>;
  /** Deletes the link; resolves with its account for the first caller, and only if it has not expired. */
  takeLink(id: string, now: string): Promise<string | undefined>;
  /** Adds the session, and the account's session key if it is missing; deletes expired links and sessions. */
  addSession(session: SessionRecord, sessionKey: KeyRecord): Promise<void>;
  /** Undefined if there is none, or if the key that it began with has been revoked. */
  sessionWithAccount(id: string): Promise<SessionWithAccount | undefined>;
  /** New ends by session id. Never makes a session shorter. */
  extendSessions(ends: ReadonlyMap<string, string>): Promise<void>;
  /** Resolves with the session's account; undefined if there is no such session. */
  endSession(id: string): Promise<string | undefined>;
}
