/**
 * The record of an ended search: its prompts and its terminal event, not every delta. The store implements this port.
 * Every lookup includes the account, so another account's search does not exist.
 */
import type {
  AnswerStatus,
  DoorName,
  RunState,
  SearchChannel,
  SearchEventOf,
  SearchOutcome,
  TerminalEvent,
} from '../../../protocol/index.ts';

/**
 * The parts of its request that a search repeats whenever it is read, as JSON of the protocol through which it came: a few
 * kilobytes at most.
 */
export type Echoed = Readonly<Record<string, unknown>>;

export interface RunRecord {
  readonly search_id: string;
  readonly account_id: string;
  /** ISO 8601 with milliseconds. */
  readonly created_at: string;
  readonly ended_at: string;
  readonly state: Exclude<RunState, 'running'>;
  readonly mode: 'text' | 'structured';
  /** The protocol through which the search came. */
  readonly door: DoorName;
  /** The same, in more detail; absent from records of earlier versions, as is the key. */
  readonly channel?: SearchChannel | undefined;
  readonly key_id?: string | undefined;
  readonly engine: string;
  /** The caller's prompt, after those of the searches it follows up on, oldest first. */
  readonly prompts: readonly string[];
  readonly terminal: TerminalEvent;
  /**
   * When its steps began and ended: the part of its log that the terminal event does not repeat. Absent from earlier versions.
   */
  readonly steps?: readonly RecordedStep[];
  readonly idempotency: Idempotency | undefined;
  /** How many times a background run was started. */
  readonly attempt?: number;
  readonly echoed?: Echoed | undefined;
  /** The process that saves the record of a background run, which is not kept. */
  readonly owner?: string;
  /**
   * Who is sent webhooks, in addition to the endpoints of the account. Queued in the transaction that saves the record; not
   * kept.
   */
  readonly webhook?: RunWebhook;
  /** The span of the run, for its webhooks; not kept. */
  readonly traceparent?: string;
}

/** An event of a step, with its time as in the log. */
export interface RecordedStep {
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly event: SearchEventOf<'step.started' | 'step.finished'>;
}

/** Where a request has the end of its search sent: to an endpoint of its account, or to a URL with a secret of its own. */
export type RunWebhook =
  | { readonly endpoint_id: string; readonly url: string; readonly secret: null }
  | {
      readonly endpoint_id: null;
      readonly url: string;
      /** Sealed: see webhooks/secret-box.ts. */
      readonly secret: string;
    };

/** The caller's idempotency key, and the hash of the request it was first used for. */
export interface Idempotency {
  readonly key: string;
  readonly hash: string;
}

export interface RunSummary
  extends Pick<
    RunRecord,
    'search_id' | 'created_at' | 'ended_at' | 'state' | 'mode' | 'door' | 'channel' | 'key_id' | 'prompts'
  > {
  /** The status of the answer; absent if there is none. */
  readonly status?: AnswerStatus;
  /** Why the search failed. */
  readonly error_code?: string;
}

/** Which searches a list has; all by default. */
export interface RunFilter {
  readonly outcome?: SearchOutcome | undefined;
  readonly key_id?: string | undefined;
  readonly channel?: SearchChannel | undefined;
  /** They ended at `since` or later, and before `until`; ISO 8601 with milliseconds. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Lower case; the caller's prompt contains all of them. */
  readonly words?: readonly string[];
  /** Their ids end with this mark: see access/restriction.ts. */
  readonly mark?: string | undefined;
}

export interface RunPage {
  /** Newest first. */
  readonly items: readonly RunSummary[];
  /** For the next page; absent on the last one. */
  readonly cursor?: string;
}

export interface RunRecords {
  /**
   * Saving the same search again changes nothing; if another process saved it with another state, resolves with that. The record
   * of a background run, one with an `attempt`, is saved by its `owner` alone, and ends it: see background-records.ts. Nothing is
   * written until `after` resolves, which must not reject. Rejects with `overloaded` while the store cannot be reached.
   */
  save(record: RunRecord, after?: Promise<void>): Promise<RunRecord['state'] | undefined>;
  get(account_id: string, search_id: string): Promise<RunRecord | undefined>;
  /** The newest record with this idempotency key that ended within the last 24 hours. */
  byIdempotencyKey(account_id: string, key: string): Promise<RunRecord | undefined>;
  /** `cursor` comes from an earlier page of the same filter; an invalid one is refused with a `validation_error`. */
  list(
    account_id: string,
    page: RunFilter & { readonly cursor: string | undefined; readonly limit: number },
  ): Promise<RunPage>;
  /** Makes a search, running or ended, the last one of a chat. The id of the chat is the account's own name for it. */
  continueChat(account_id: string, chat_id: string, search_id: string): Promise<void>;
  /** The id of the chat's last search. */
  lastOfChat(account_id: string, chat_id: string): Promise<string | undefined>;
  /**
   * Removes the search for good: saving it again, as a process does that recorded its end late, changes nothing. Does nothing
   * to another account's. Rejects with `overloaded` while the store cannot be reached.
   */
  remove(account_id: string, search_id: string): Promise<void>;
  /**
   * Removes up to `limit` records that ended before `ended_at`, oldest first, and as many chats that were not continued
   * since; resolves with whether any remain.
   */
  removeBefore(ended_at: string, limit: number): Promise<boolean>;
  /** When the newest search ended, ISO 8601; undefined if there is none. */
  newestEnd(): Promise<string | undefined>;
}
