/**
 * One search under way: pulls the engine's events into the log and sees to it that the log ends well. Whatever happens,
 * every started step is finished and there is exactly one terminal event: the engine's own, `search.failed` for a throw
 * and for the deadline, `search.cancelled` for a cancel.
 */

import type { RunState, SearchEvent, TerminalEvent } from '../../protocol/index.ts';
import { untilAborted } from '../base/abort.ts';
import { AppError, asAppError, type OnFault } from '../base/errors.ts';
import { type CancelledBy, readLedger } from './abort-events.ts';
import { createRunLog, type RunLog, timestamp } from './log.ts';
import { stateOf } from './replay.ts';

export interface Run {
  readonly search_id: string;
  readonly account_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** What was asked, the prompts it follows first. */
  readonly prompts: readonly string[];
  readonly log: RunLog;
  /** Resolves with the terminal event, never rejects; for a run of another process while it has a reader here. */
  readonly done: Promise<TerminalEvent>;
  state(): RunState;
  /** Whether the log holds this seq; a log that comes from another process is waited for, a while. */
  reaches(seq: number): Promise<boolean>;
  /** Ends the search with `search.cancelled`; nothing happens if it has ended. */
  cancel(by: CancelledBy): void;
}

export interface RunOptions {
  readonly search_id: string;
  readonly account_id: string;
  readonly request_id: string;
  /** What was asked, the prompts it follows first. */
  readonly prompts: readonly string[];
  readonly mode: 'text' | 'structured';
  readonly engine: string;
  /** The API that is run, if one is. */
  readonly api?: Extract<SearchEvent, { type: 'search.accepted' }>['api'];
  readonly deadline_ms: number;
  readonly onFault: OnFault;
  /** Milliseconds since 1970; now unless given. */
  readonly created?: number;
  /** Empty; one is made unless given. */
  readonly log?: RunLog;
  readonly lease?: RunLease;
}

/** What lets a run append where another process may end it in its place, once this one seems dead. */
export interface RunLease {
  /** Resolves when other processes know of the run, or cannot be told; never rejects. */
  readonly begun: Promise<void>;
  /** Fires, with an AppError, when another has ended it. */
  readonly lost: AbortSignal;
  /** Undefined while nobody can have; else resolves when nobody has, and rejects when somebody has. */
  regain(): Promise<void> | undefined;
}

/** After a cancel, upstream calls have this long to close before the terminal event comes all the same. */
const closingMs = 2_000;

export function startRun(
  options: RunOptions,
  research: (signal: AbortSignal) => AsyncGenerator<SearchEvent, void>,
): Run {
  const { search_id, account_id, prompts, lease } = options;
  const { created = Date.now(), log = createRunLog(search_id) } = options;
  const abort = new AbortController();
  const created_at = timestamp(created);

  log.append({
    type: 'search.accepted',
    created_at,
    deadline_at: timestamp(created + options.deadline_ms),
    mode: options.mode,
    engine: options.engine,
    ...(options.api === undefined ? {} : { api: options.api }),
  });
  const deadline = setTimeout(
    () =>
      abort.abort(new AppError('deadline_exceeded', `The search did not end within ${options.deadline_ms / 1000} s.`)),
    options.deadline_ms,
  );
  lease?.lost.addEventListener('abort', () => abort.abort(lease.lost.reason), { once: true });

  return {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    done: drive(),
    state() {
      const terminal = log.terminal();
      return terminal === undefined ? 'running' : stateOf(terminal);
    },
    reaches: async (seq) => seq <= log.head(),
    cancel: (by) => abort.abort(new Cancelled(by)),
  };

  async function drive(): Promise<TerminalEvent> {
    const events = research(abort.signal);
    try {
      await untilAborted(append(events), abort.signal);
      if (log.terminal() === undefined) throw new Error('the engine ended without a terminal event');
    } catch (error) {
      // Aborting closes what the engine has open; its return waits behind a pending next, so it is not waited for long.
      abort.abort(error);
      const returned = events.return().catch(() => {});
      await Promise.race([returned, new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
      const reason = await Promise.resolve(lease?.regain()).then(() => error, asIs);
      if (log.terminal() === undefined) for (const event of ending(reason)) log.append(event);
    } finally {
      clearTimeout(deadline);
    }
    return log.terminal()!;
  }

  async function append(events: AsyncGenerator<SearchEvent, void>): Promise<void> {
    for await (const event of events) {
      const regained = lease?.regain();
      if (regained !== undefined) await regained;
      if (abort.signal.aborted) return;
      log.append(event);
    }
  }

  function ending(error: unknown): SearchEvent[] {
    const ledger = readLedger(log);
    if (error instanceof Cancelled) return ledger.cancelled(error.by);
    const shown = asAppError(error);
    if (shown.code === 'internal') options.onFault(error, options.request_id);
    return ledger.failed(shown, options.request_id);
  }
}

class Cancelled extends Error {
  readonly by: CancelledBy;
  constructor(by: CancelledBy) {
    super(`cancelled by ${by}`);
    this.by = by;
  }
}

function asIs(reason: unknown): unknown {
  return reason;
}
