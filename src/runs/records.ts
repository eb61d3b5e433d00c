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

/** The twin in memory, for one process and its life; holds the newest `most` searches. */
export function createMemoryRunRecords(most = 1_000): RunRecords {
  const records = new Map<string, RunRecord>();
  const newestFirst = (account_id: string) =>
    [...records.values()].reverse().filter((record) => record.account_id === account_id);
  return {
    async save(record) {
      if (records.has(record.search_id)) return;
      records.set(record.search_id, record);
      const oldest = records.keys().next().value;
      if (records.size > most && oldest !== undefined) records.delete(oldest);
    },
    async get(account_id, search_id) {
      const record = records.get(search_id);
      return record?.account_id === account_id ? record : undefined;
    },
    async byIdempotencyKey(account_id, key) {
      const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
      return newestFirst(account_id).find(({ idempotency, ended_at }) => idempotency?.key === key && ended_at > dayAgo);
    },
    async list(account_id, { cursor, limit }) {
      const all = newestFirst(account_id);
      const from = cursor === undefined ? 0 : all.findIndex(({ search_id }) => search_id === cursor) + 1;
      const items = all.slice(from, from + limit).map(summaryOf);
      const last = items.at(-1);
      return { items, ...(from + limit < all.length && last !== undefined ? { cursor: last.search_id } : {}) };
    },
    async removeBefore(ended_at, most) {
      const old = [...records.values()]
        .filter((record) => record.ended_at < ended_at)
        .sort((a, b) => (a.ended_at < b.ended_at ? -1 : 1));
      for (const { search_id } of old.slice(0, most)) records.delete(search_id);
      return old.length > most;
    },
  };
}

function summaryOf({ search_id, created_at, ended_at, state, mode, prompts }: RunRecord): RunSummary {
  return { search_id, created_at, ended_at, state, mode, prompts };
}
