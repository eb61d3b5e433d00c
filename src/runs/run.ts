/** A search in progress, as its readers see it: its log, its state and its end. */

import type { RunState, TerminalEvent } from '../../protocol/index.ts';
import type { CancelledBy } from './abort-events.ts';
import type { RunLog } from './log.ts';
import type { Echoed } from './records/run-records.ts';

export interface Run {
  readonly search_id: string;
  readonly account_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** The caller's prompt, after those of the searches it follows up on, oldest first. */
  readonly prompts: readonly string[];
  readonly log: RunLog;
  /** How many times a background run was started. */
  readonly attempt?: number | undefined;
  readonly echoed?: Echoed | undefined;
  /** Resolves with the terminal event and never rejects. A run of another process settles only while it is read here. */
  readonly done: Promise<TerminalEvent>;
  state(): RunState;
  /** Whether it was stopped, and its log will soon end without an answer. A run of another process: whether it was stopped here. */
  isEnding(): boolean;
  /**
   * Whether a reader of the log can have read up to this seq. For a run of another process, waits a few seconds for it to
   * arrive.
   */
  reaches(seq: number): Promise<CursorState>;
  /** Ends the search with `search.cancelled`; does nothing once it has ended. */
  cancel(by: CancelledBy): void;
}

/**
 * `held`: the log continues from there. `ahead`: it has no such seq. `gone`: it may have had one, but its process died with
 * entries that others did not have yet, and they ended the log under the same numbers.
 */
export type CursorState = 'held' | 'ahead' | 'gone';
