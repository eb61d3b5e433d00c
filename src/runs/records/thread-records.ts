/**
 * Threads: the conversations that an account keeps, each a list of searches, and what their share links show. The store
 * implements this port. Every lookup but that of a share link includes the account.
 */

export interface StoredTurn {
  readonly search_id: string;
  readonly previous_search_id?: string;
  /** ISO 8601 with milliseconds. */
  readonly created_at: string;
  /** The fields of its request that are shown. */
  readonly request: Readonly<Record<string, unknown> & { prompt: string }>;
  readonly has_image: boolean;
}

export interface StoredThread {
  readonly thread_id: string;
  readonly title: string;
  /** Whether a person named it; if not, a title by the model may replace the first question. */
  readonly is_named: boolean;
  readonly pinned: boolean;
  readonly turns: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly share?: { readonly created_at: string; readonly expires_at: string };
}

export interface ThreadPage {
  /** Pinned threads first, then the others; each newest first. */
  readonly items: readonly StoredThread[];
  /** For the next page; absent on the last one. */
  readonly cursor?: string;
}

/** What a share link shows, as it was when the link was made. */
export interface StoredShare {
  /** SHA-256 of the link's secret, as hex. */
  readonly hash: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** A SharedThread as JSON. */
  readonly content: string;
  /** The stored pages that it cites: servers of earlier versions show these. */
  readonly snapshots: readonly string[];
}

/** Every call rejects with `overloaded` while the store cannot be reached. */
export interface ThreadRecords {
  /** Begins a thread with its first turn, whose search gives it its id, and whose question its title. */
  begin(account_id: string, turn: StoredTurn): Promise<void>;
  /** Adds a turn, unless the account has no such thread or it has `maxTurns`. */
  add(account_id: string, thread_id: string, turn: StoredTurn, maxTurns: number): Promise<'added' | 'unknown' | 'full'>;
  /**
   * Removes the turn of a search with the share of its thread, and the thread if that was the only turn. The thread is no longer
   * found by its question, nor called after it: its title is then the first question that is left, unless a person named it.
   * Does nothing if there is no such turn.
   */
  removeTurn(account_id: string, search_id: string): Promise<void>;
  get(
    account_id: string,
    thread_id: string,
  ): Promise<(StoredThread & { readonly list: readonly StoredTurn[] }) | undefined>;
  /** Those in whose titles and questions all `words`, in lower case, occur. An invalid cursor is refused with a `validation_error`. */
  list(
    account_id: string,
    page: {
      readonly cursor: string | undefined;
      readonly limit: number;
      readonly words: readonly string[];
      /** Only threads whose ids end with this mark: see access/restriction.ts. */
      readonly mark?: string | undefined;
    },
  ): Promise<ThreadPage>;
  /** Renames or pins a thread. `unlessNamed` renames only one that no person named and that still has its first search. */
  change(
    account_id: string,
    thread_id: string,
    change: { readonly title?: string; readonly pinned?: boolean; readonly unlessNamed?: boolean },
  ): Promise<StoredThread | undefined>;
  /** Removes a thread and its share. Resolves with the ids of its searches, which are still there. */
  remove(account_id: string, thread_id: string): Promise<readonly string[] | undefined>;
  /** Replaces the share of a thread, which was made of these `searches`, unless one of them is no longer in it (`changed`). */
  share(
    account_id: string,
    thread_id: string,
    share: StoredShare,
    searches: readonly string[],
  ): Promise<'shared' | 'changed' | 'unknown'>;
  /** Removes the share of a thread. Resolves with whether there is such a thread. */
  unshare(account_id: string, thread_id: string): Promise<boolean>;
  /** The content of the share with this hash, until it expires or its account is suspended. */
  shared(hash: string, now: string): Promise<string | undefined>;
  /**
   * Removes up to `limit` threads that were not continued since and whose share links, if any, have expired by `now`; resolves with
   * whether any remain.
   */
  removeThreadsBefore(updated_at: string, now: string, limit: number): Promise<boolean>;
}
