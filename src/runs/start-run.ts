/**
 * One search in progress: pulls the engine's events into the log and makes sure that the log ends properly. Whatever
 * happens, every started step is finished and there is exactly one terminal event: the engine's own, `search.failed` for
 * an error or the deadline, or `search.cancelled`. No reader sees that event before the search is stored, because what a
 * caller has been answered must survive this process; if it cannot be stored, a warning before the event says so.
 */

import {
  type DoorName,
  isTerminal,
  type SearchChannel,
  type SearchEvent,
  type SearchEventOf,
  type TerminalEvent,
  type Usage,
} from '../../protocol/index.ts';
import { untilAborted } from '../base/abort.ts';
import { AppError, asAppError, type OnFault } from '../base/errors.ts';
import { traceIdOf } from '../base/traceparent.ts';
import { type CancelledBy, readAbortEvents } from './abort-events.ts';
import { createRunLog, type RunLog, timestamp } from './log.ts';
import type { Echoed } from './records/run-records.ts';
import { stateOfLog } from './replay.ts';
import type { Run } from './run.ts';

/** The description of a run. */
export interface RunSpec {
  readonly search_id: string;
  readonly account_id: string;
  /** The id of the call that started it; shown in errors. */
  readonly request_id: string;
  /** The caller's prompt, after those of the searches it follows up on, oldest first. */
  readonly prompts: readonly string[];
  readonly mode: 'text' | 'structured';
  /** The protocol through which the search came; `native` by default. */
  readonly door?: DoorName;
  /** The same, in more detail. */
  readonly channel?: SearchChannel | undefined;
  /** The key of the call. */
  readonly key_id?: string | undefined;
  /** The name of the engine. */
  readonly engine: string;
  /** The API that is run, if one is. */
  readonly api?: SearchEventOf<'search.accepted'>['api'];
  /** Milliseconds from the start of the run. */
  readonly deadline_ms: number;
  /** How many times a background run was started, from 1. */
  readonly attempt?: number | undefined;
  readonly echoed?: Echoed | undefined;
  /** Its span; its trace is named in the log of the server. */
  readonly traceparent?: string | undefined;
}

/**
 * The events of one search, as an engine yields them. Once the signal fires it must stop. It may pass what reads its usage so far to
 * `shareUsage`: the events that end a search before its time carry that.
 */
export type Research = (
  signal: AbortSignal,
  shareUsage: (read: () => Usage) => void,
) => AsyncGenerator<SearchEvent, void>;

/** The dependencies of a run. */
export interface RunDependencies {
  readonly research: Research;
  /** Stores the ended search. Resolves once readers may see its end, with a sentence if it is not stored. Never rejects. */
  readonly record: (terminal: TerminalEvent) => Promise<string | undefined>;
  readonly onFault: OnFault;
  /** Resolves with false if another process has taken the run over: it then ends here without a trace. */
  readonly mayEnd?: () => Promise<boolean>;
  /** Milliseconds since 1970; now by default. */
  readonly created?: number;
  /** Must be empty; a new one by default. */
  readonly log?: RunLog;
  /** Present where other processes may end the run. */
  readonly lease?: RunLease;
}

/** The right to append to a run that another process may end once this one seems dead. */
export interface RunLease {
  /** Resolves when other processes know of the run or cannot be reached; never rejects. */
  readonly begun: Promise<void>;
  /** Fires with an AppError when another process has ended the run. */
  readonly lost: AbortSignal;
  /** Undefined while the lease certainly holds. Otherwise resolves if it still held, and rejects if the run was ended. */
  regain(): Promise<void> | undefined;
  /**
   * Sends other processes what they do not have now, because the search is about to be recorded: they end it if this one dies.
   */
  hurry(): void;
  /** Sends other processes no more of the log: another attempt, which they follow, replaces it. */
  leave(): void;
}

/** A run that this process owns. */
export interface OwnRun extends Run {
  /**
   * Stops the run because another process continues it: it is not recorded. Its readers here are shown `search.failed{lost}` or,
   * if `isSilent`, because their connections close, no end at all; `done` resolves with that event in any case.
   */
  abandon(isSilent: boolean): void;
}

/**
 * Where the log of each further attempt begins, after what any reader can have seen of the one before: see `search.restarted`.
 */
const attemptSeqs = 1_000_000;

/** The code of the warning before the terminal event of a search that is not stored, or not yet. */
export const notStored = 'not_stored';

/** How long upstream calls may take to close after a cancel before the terminal event is appended anyway. Set by hand. */
const closingMs = 2_000;

/**
 * Starts a search: its log begins with `search.accepted` and follows the engine's events. The deadline ends it with
 * `deadline_exceeded`, a fault of the engine with `internal`; faults also go to `onFault`.
 */
export function startRun(spec: RunSpec, dependencies: RunDependencies): OwnRun {
  const { search_id, account_id, prompts, attempt, echoed } = spec;
  const {
    research,
    record,
    mayEnd,
    onFault,
    created = Date.now(),
    log = createRunLog(search_id),
    lease,
  } = dependencies;
  const abort = new AbortController();
  let readUsage: (() => Usage) | undefined;
  let ended: TerminalEvent | undefined;
  const created_at = timestamp(created);
  const again = attempt !== undefined && attempt > 1;

  log.append({
    type: 'search.accepted',
    created_at,
    deadline_at: timestamp((again ? Date.now() : created) + spec.deadline_ms),
    mode: spec.mode,
    engine: spec.engine,
    ...(spec.api === undefined ? {} : { api: spec.api }),
    ...(attempt === undefined ? {} : { attempt }),
  });
  if (again) {
    // A span, so that every cursor into the log of an earlier attempt lies in it.
    const event = { type: 'search.restarted', attempt } as const;
    log.adopt({ first_seq: 2, seq: (attempt - 1) * attemptSeqs, at: timestamp(Date.now()), event });
  }
  const deadline = setTimeout(() => {
    const message = `The search did not finish within ${Math.ceil(spec.deadline_ms / 1000)} s.`;
    abort.abort(new AppError('deadline_exceeded', message));
  }, spec.deadline_ms);
  lease?.lost.addEventListener('abort', () => abort.abort(lease.lost.reason), { once: true });

  return {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    attempt,
    echoed,
    done: drive(),
    state: () => stateOfLog(log),
    isEnding: () => abort.signal.aborted && ended === undefined && log.terminal() === undefined,
    reaches: async (seq) => (seq <= log.head() ? 'held' : 'ahead'),
    cancel: (by) => abort.abort(new Cancelled(by)),
    abandon: (isSilent) => abort.abort(new Abandoned(isSilent)),
  };

  async function drive(): Promise<TerminalEvent> {
    const events = research(abort.signal, (read) => {
      readUsage = read;
    });

    /** Appends the engine's events up to its terminal one. */
    async function follow(): Promise<void> {
      for await (const event of events) {
        const regained = lease?.regain();
        if (regained !== undefined) await regained;
        if (abort.signal.aborted) return;
        if (isTerminal(event)) {
          ended = event;
          return;
        }
        log.append(event);
      }
      throw new Error('the engine ended without a terminal event');
    }

    const failure = await untilAborted(follow(), abort.signal).catch((error: unknown) => error);
    clearTimeout(deadline);
    const last = ended === undefined ? await stop(events, failure) : [ended];
    const terminal = last.pop() as TerminalEvent;
    const { reason } = abort.signal;
    if (reason instanceof Abandoned) return leave(reason, [...last, terminal]);
    if ((await mayEnd?.().catch(() => true)) === false) {
      const taken = new Abandoned(false);
      return leave(taken, ending(taken));
    }
    for (const event of last) log.append(event);
    lease?.hurry();
    const trouble = await record(terminal);
    if (trouble !== undefined) log.append({ type: 'warning', code: notStored, message: trouble });
    log.append(terminal);
    return terminal;
  }

  /** Ends the log for readers in this process only. Returns the last of the events. */
  function leave({ isSilent }: Abandoned, events: readonly SearchEvent[]): TerminalEvent {
    lease?.leave();
    if (!isSilent) for (const event of events) log.append(event);
    return events.at(-1) as TerminalEvent;
  }

  /** Closes the engine's open calls; resolves with the events that end the log. */
  async function stop(events: AsyncGenerator<SearchEvent, void>, error: unknown): Promise<SearchEvent[]> {
    abort.abort(error);
    // Its `return` queues after a pending `next`, so the wait is bounded.
    const returned = events.return().catch(() => {});
    await Promise.race([returned, new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
    const reason = await Promise.resolve(lease?.regain()).then(
      () => error,
      (lost: unknown) => lost,
    );
    return ending(reason);
  }

  function ending(error: unknown): SearchEvent[] {
    const abortEvents = readAbortEvents(log, readUsage?.());
    if (error instanceof Cancelled) return abortEvents.cancelled(error.by);
    if (error instanceof Abandoned) return abortEvents.failed(new AppError('lost', error.message), spec.request_id);
    const shown = asAppError(error);
    if (shown.code === 'internal') onFault(error, spec.request_id, traceIdOf(spec.traceparent));
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

class Abandoned extends Error {
  readonly isSilent: boolean;
  constructor(isSilent: boolean) {
    super('Another process continues this search.');
    this.isSilent = isSilent;
  }
}
