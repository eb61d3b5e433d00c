/**
 * The runs that the processes of one server share; the port of the backend between them. A run has one owner, the process
 * that runs its engine. Any other process can read it through a local log that follows the owner's, cancel it and, once
 * the owner is dead, end it with `search.failed{lost}`.
 */
import type { CancelledBy } from './abort-events.ts';
import type { RunLog } from './log.ts';
import type { Idempotency, RunRecord } from './records/run-records.ts';
import type { Run } from './run.ts';
import type { RunLease } from './start-run.ts';

/** What is known of a run when it starts. */
export interface RunDescriptor extends Omit<RunRecord, 'ended_at' | 'state' | 'terminal' | 'owner' | 'traceparent'> {
  readonly request_id: string;
}

/** What other processes can do to a run of this one. */
export interface RunControl {
  cancel(by: CancelledBy): void;
  /** Counts a reader in another process; the returned function removes it. */
  attach(): () => void;
}

/** The claim on an idempotency key: this caller's, or that of an earlier request. */
export type Claim =
  | {
      readonly isMine: true;
      /** Whether another request held it meanwhile, so that its search may have been recorded. */
      readonly wasHeld: boolean;
      /** Binds the key to the run that was started. */
      settle(search_id: string): void;
      /** Frees the key because no run was started. */
      release(): void;
    }
  | {
      readonly isMine: false;
      /** The hash of the request that the key was first used for. */
      readonly hash: string;
      readonly search_id: string;
      /**
       * Claims the key anyway, because that search has no answer. Resolves with another's claim if that one came first, and with
       * undefined while the backend cannot be reached.
       */
      takeOver(): Promise<Claim | undefined>;
    };

export interface SharedRuns {
  /** Copies the log to the other processes in the background; appending never waits for it. */
  publish(log: RunLog, descriptor: RunDescriptor, control: RunControl): RunLease;
  /** The account's run in another process, read up to now. Rejects with `overloaded` while the backend cannot be reached. */
  find(account_id: string, search_id: string): Promise<Run | undefined>;
  /**
   * Removes an ended run from the backend, and from the process that ran it: `onRemoved` is called there. Afterwards no process
   * finds it. Rejects with `overloaded` while the backend, or that process, cannot be reached.
   */
  remove(search_id: string): Promise<void>;
  /** Calls `forget` when another process has removed a run of this one. */
  onRemoved(forget: (search_id: string) => void): void;
  /** Counts a reader in this process of another process's run; the returned function removes it. */
  attach(search_id: string): () => void;
  /** Whether the account has a run, in any process, that could be resumed; false while the backend cannot be reached. */
  hasResumable(account_id: string): Promise<boolean>;
  /** Waits while another process starts this request. Undefined while the backend cannot be reached. */
  claim(account_id: string, idempotency: Idempotency): Promise<Claim | undefined>;
  /** Sends the other processes what they do not have yet, for at most a second, and disconnects. */
  close(): Promise<void>;
}
