/**
 * One search under way: pulls the engine's events into the log and sees to it that the log ends well. Whatever happens,
 * every started step is finished and there is exactly one terminal event: the engine's own, `search.failed` for a throw
 * and for the deadline, `search.cancelled` for a cancel.
 */

import type { RunState, SearchEvent, TerminalEvent } from '../../protocol/index.ts';
import { untilAborted } from '../base/abort.ts';
import { AppError, asAppError, type OnFault } from '../base/errors.ts';
import { type CancelledBy, readAbortEvents } from './abort-events.ts';
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

/** What a run is. */
export interface RunSpec {
  readonly search_id: string;
  readonly account_id: string;
  /** Of the call that started it; shown in errors. */
  readonly request_id: string;
  /** The caller's prompt, after those of the searches it follows up on, oldest first. */
  readonly prompts: readonly string[];
  readonly mode: 'text' | 'structured';
  /** The name of the engine. */
  readonly engine: string;
  /** The API that is run, if one is. */
  readonly api?: Extract<SearchEvent, { type: 'search.accepted' }>['api'];
  /** From the start of the run, milliseconds. */
  readonly deadline_ms: number;
}

/** The events of one search, as an engine yields them. Once the signal fires it must stop. */
export type Research = (signal: AbortSignal) => AsyncGenerator<SearchEvent, void>;

/** What a run needs. */
export interface RunDependencies {
  readonly research: Research;
  readonly onFault: OnFault;
  /** Milliseconds since 1970; now by default. */
  readonly created?: number;
  /** Must be empty; a new one by default. */
  readonly log?: RunLog;
  /** Where other processes may end the run. */
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

/**
 * Starts a search: its log begins with `search.accepted` and follows the engine's events. The deadline ends it with
 * `deadline_exceeded`, a fault of the engine with `internal`; faults also go to `onFault`.
 */
export function startRun(spec: RunSpec, dependencies: RunDependencies): Run {
  const { search_id, account_id, prompts } = spec;
  const { research, onFault, created = Date.now(), log = createRunLog(search_id), lease } = dependencies;
  const abort = new AbortController();
  const created_at = timestamp(created);

  log.append({
    type: 'search.accepted',
    created_at,
    deadline_at: timestamp(created + spec.deadline_ms),
    mode: spec.mode,
    engine: spec.engine,
    ...(spec.api === undefined ? {} : { api: spec.api }),
  });
  const deadline = setTimeout(() => {
    const message = `The search did not finish within ${spec.deadline_ms / 1000} s.`;
    abort.abort(new AppError('deadline_exceeded', message));
  }, spec.deadline_ms);
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
    const abortEvents = readAbortEvents(log);
    if (error instanceof Cancelled) return abortEvents.cancelled(error.by);
    const shown = asAppError(error);
    if (shown.code === 'internal') onFault(error, spec.request_id);
    return abortEvents.failed(shown, spec.request_id);
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
