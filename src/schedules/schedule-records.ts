/**
 * Schedules: which API runs when, and what came of it. The store implements this port. A claim makes a schedule that is due
 * invisible to other processes until its lease has run out, so that each time is handled once.
 *
 * Every lookup of a caller includes the account. Times are ISO 8601 with milliseconds.
 */
export interface ScheduleRecord {
  readonly id: string;
  readonly account_id: string;
  /** The key that made it or enabled it last, or the account's session key: runs are begun, limited and counted with it. */
  readonly key_id: string;
  readonly name: string;
  readonly api_stub: string;
  /** A number, `newest` or `draft`; null for the default. */
  readonly version: string | null;
  /** JSON. */
  readonly inputs: string;
  readonly cron: string;
  readonly time_zone: string;
  /** `{url, secret?}` as JSON, its secret sealed; null for none. */
  readonly webhook: string | null;
  readonly created_at: string;
  /** Null while it is disabled. */
  readonly next_at: string | null;
  readonly disabled_at: string | null;
  readonly disabled_reason: string | null;
  readonly last_at: string | null;
  readonly last_search_id: string | null;
  readonly last_error: string | null;
}

/** A schedule that is due. */
export interface DueSchedule extends ScheduleRecord {
  readonly next_at: string;
}

/** Every call rejects with `overloaded` while the store cannot be reached. */
export interface ScheduleRecords {
  /** Resolves with false, and adds nothing, if the account has `max`. Holds over all processes. */
  add(schedule: ScheduleRecord, max: number): Promise<boolean>;
  /** Oldest first. */
  list(account_id: string): Promise<ScheduleRecord[]>;
  get(account_id: string, id: string): Promise<ScheduleRecord | undefined>;
  /**
   * Resolves with the changed schedule; undefined if the account has none with this id. A claim ends if `next_at` or
   * `disabled_at` changes, and only then. Without `disabled_at`, a schedule that is disabled gets no `next_at`.
   */
  change(
    account_id: string,
    id: string,
    change: Partial<
      Pick<
        ScheduleRecord,
        'key_id' | 'name' | 'inputs' | 'cron' | 'time_zone' | 'next_at' | 'last_at' | 'disabled_at' | 'disabled_reason'
      >
    >,
  ): Promise<ScheduleRecord | undefined>;
  /** Resolves with whether there was one. */
  remove(account_id: string, id: string): Promise<boolean>;
  /**
   * Takes up to `limit` that are due at `now` and whose last run has ended; others may take them again at `until`, in case this
   * process dies.
   */
  claim(owner: string, now: string, until: string, limit: number): Promise<DueSchedule[]>;
  /**
   * Up to `limit` of all accounts that last ran later than `ahead`, and have a next time after it: the clock was ahead, and has set that
   * time as well. A clock that shows a time before a schedule was made is itself slow.
   */
  ranAhead(now: string, ahead: string, limit: number): Promise<ScheduleRecord[]>;
  /**
   * Ends a claim with what came of it; does nothing to a schedule that was given another time, disabled, removed or claimed since.
   */
  finish(
    owner: string,
    due: Pick<DueSchedule, 'id' | 'next_at'>,
    /** With `retry_at` it stays due, and is claimed again then. */
    outcome: { readonly retry_at?: string } & Partial<
      Pick<ScheduleRecord, 'next_at' | 'disabled_at' | 'disabled_reason' | 'last_at' | 'last_search_id' | 'last_error'>
    >,
  ): Promise<void>;
}
