/**
 * What the processes of one server know of each other's runs: the port of whatever lies between them. A run has one owner,
 * the process in which its engine works; any other may read it from a log of its own that follows the owner's, cancel it,
 * and, once the owner is dead, end it with `search.failed{lost}`.
 */
import type { CancelledBy } from './abort-events.ts';
import type { RunLog } from './log.ts';
import type { Run, RunLease } from './run.ts';
import type { Idempotency, RunRecord } from './run-records.ts';

/** What is known of a run from its start. */
export interface RunDescriptor extends Omit<RunRecord, 'ended_at' | 'state' | 'terminal'> {
  readonly request_id: string;
}

/** What other processes may do to a run of this one. */
export interface RunControl {
  cancel(by: CancelledBy): void;
  /** Counts a reader elsewhere in; the returned function counts it out. */
  attach(): () => void;
}

/** A request by an idempotency key: nobody else's now, or another's. */
export type Claim =
  | {
      readonly isMine: true;
      /** Keeps it, for the run that came of it. */
      settle(search_id: string): void;
      /** Gives it up: no run came of it. */
      release(): void;
    }
  | {
      readonly isMine: false;
      /** Of the request that it first named. */
      readonly hash: string;
      readonly search_id: string;
      /** Claims it all the same, because that search has no answer; another's again if somebody was faster. */
      take(): Promise<Claim>;
    };

export interface SharedRuns {
  /** Whatever the log is given is given to the other processes, behind it: nothing here waits for that. */
  publish(log: RunLog, about: RunDescriptor, owned: RunControl): RunLease;
  /** The account's run of another process, read up to now. Rejects with `overloaded` when that cannot be known. */
  find(account_id: string, search_id: string): Promise<Run | undefined>;
  /** Counts a reader here of a run elsewhere in; the returned function counts it out. */
  attach(search_id: string): () => void;
  /** Whether the account has a run, anywhere, that could be resumed; false when that cannot be known. */
  hasResumable(account_id: string): Promise<boolean>;
  /** Waits while another process starts this request. Undefined when nothing can be claimed at the moment. */
  claim(account_id: string, idempotency: Idempotency): Promise<Claim | undefined>;
  /** Gives the other processes what they have not got yet, if they take it within a second, and leaves them. */
  close(): Promise<void>;
}
