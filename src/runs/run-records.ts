/**
 * What is kept of a search that has ended: what was asked and its last word, not every delta. The store implements this
 * port; everything is looked up together with the account, so another account's search does not exist.
 */
import type { RunState, TerminalEvent } from '../../protocol/index.ts';

export interface RunRecord {
  readonly search_id: string;
  readonly account_id: string;
  /** ISO 8601, milliseconds. */
  readonly created_at: string;
  readonly ended_at: string;
  readonly state: Exclude<RunState, 'running'>;
  readonly mode: 'text' | 'structured';
  readonly engine: string;
  /** What was asked, the prompts it follows first. */
  readonly prompts: readonly string[];
  readonly terminal: TerminalEvent;
  readonly idempotency: Idempotency | undefined;
}

/** A caller's own name for a request, and the hash of the request that it first named. */
export interface Idempotency {
  readonly key: string;
  readonly hash: string;
}

export type RunSummary = Pick<RunRecord, 'search_id' | 'created_at' | 'ended_at' | 'state' | 'mode' | 'prompts'>;

export interface RunPage {
  /** Newest first. */
  readonly items: readonly RunSummary[];
  /** Gives the next page; absent on the last one. */
  readonly cursor?: string;
}

export interface RunRecords {
  /** Keeps it; saving the same search again changes nothing. */
  save(record: RunRecord): Promise<void>;
  get(account_id: string, search_id: string): Promise<RunRecord | undefined>;
  /** The newest one with this idempotency key, no older than a day. */
  byIdempotencyKey(account_id: string, key: string): Promise<RunRecord | undefined>;
  /** `cursor` is one that a page gave; an unknown one gives the first page. */
  list(account_id: string, page: { readonly cursor: string | undefined; readonly limit: number }): Promise<RunPage>;
  /** Removes those that ended before then, the oldest first, `most` at a time; gives whether any are left. */
  removeBefore(ended_at: string, most: number): Promise<boolean>;
}
