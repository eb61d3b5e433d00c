/**
 * Background runs that have not ended: what each researches, and which process owns it. The store implements this port. A
 * row is written before a caller knows the id, and is deleted in the transaction that saves the record of the ended run: so
 * each of them ends exactly once, whichever process dies when. An owner holds its runs by a lease that it renews. Once that
 * has run out, any process may claim them, and what the earlier owner still does has no effect.
 *
 * Every lookup by a caller includes the account.
 */
import type { DoorName } from '../../../protocol/index.ts';
import type { Echoed, Idempotency } from './run-records.ts';

export interface BackgroundRun {
  readonly search_id: string;
  readonly account_id: string;
  /** ISO 8601 with milliseconds. */
  readonly created_at: string;
  readonly mode: 'text' | 'structured';
  readonly door: DoorName;
  /** The caller's prompt, after those of the searches it follows up on, oldest first. */
  readonly prompts: readonly string[];
  readonly idempotency: Idempotency | undefined;
  /** Everything that is needed to restart it, as JSON; no secrets, except sealed ones. */
  readonly input: string;
  /** How many times it was started, from 1. */
  readonly attempt: number;
  readonly echoed?: Echoed | undefined;
}

/** What lists show of a background run. */
export interface ShownBackgroundRun extends Omit<BackgroundRun, 'input' | 'idempotency'> {
  /** What it is doing, in words; undefined before its first step. */
  readonly progress: string | undefined;
  readonly idempotency_hash: string | undefined;
}

/** The right of one process to run it. */
export interface Hold {
  readonly owner: string;
  readonly attempt: number;
}

export interface ClaimedRun extends BackgroundRun {
  /** How many of its owners died, this time included; those that stopped properly, or had not begun it, are not counted. */
  readonly deaths: number;
  readonly isCancelled: boolean;
}

/** Every call rejects with `overloaded` while the store cannot be reached. */
export interface BackgroundRecords {
  /** `lease_ms` counts from now, as in all other calls. */
  add(run: BackgroundRun, owner: string, lease_ms: number): Promise<void>;
  /**
   * Takes over up to `limit` runs whose lease has run out, and those of other owners whose names begin with `leftBy`, which
   * has no wildcards of SQL. Each goes to one caller.
   */
  claim(
    owner: string,
    lease_ms: number,
    options: { readonly limit: number; readonly leftBy?: string | undefined },
  ): Promise<ClaimedRun[]>;
  /** Renews the leases of this owner's runs and returns them; those that are missing were taken over or removed. */
  renew(owner: string, lease_ms: number): Promise<{ search_id: string; attempt: number; isCancelled: boolean }[]>;
  /** Whether this hold is still valid; renews its lease. The owner of a claimed run has begun it once this has resolved with true. */
  confirm(search_id: string, hold: Hold, lease_ms: number): Promise<boolean>;
  report(search_id: string, hold: Hold, progress: string): Promise<void>;
  /** Lets other processes take over all runs of this owner, or one of them. */
  release(owner: string, run?: Pick<BackgroundRun, 'search_id' | 'attempt'>): Promise<void>;
  /** Asks the owner to cancel it; resolves with whether there is such a run. */
  cancel(account_id: string, search_id: string): Promise<boolean>;
  /** Deletes it, no matter which process owns it. */
  remove(account_id: string, search_id: string): Promise<void>;
  get(account_id: string, search_id: string): Promise<ShownBackgroundRun | undefined>;
  byIdempotencyKey(account_id: string, key: string): Promise<ShownBackgroundRun | undefined>;
  /** Newest first. */
  list(account_id: string, limit: number): Promise<readonly ShownBackgroundRun[]>;
}
