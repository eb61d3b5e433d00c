/**
 * One search under way: pulls the engine's events into the log and sees to it that the log ends well. Whatever happens,
 * every started step is finished and there is exactly one terminal event: the engine's own, `search.failed` for a throw
 * and for the deadline, `search.cancelled` for a cancel.
 */
import { noUsage, type RunState, type SearchEvent, type TerminalEvent, type Usage } from '../../protocol/index.ts';
import { AppError, asAppError, errorObject } from '../errors.ts';
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
  /** Resolves with the terminal event, never rejects. */
  readonly done: Promise<TerminalEvent>;
  state(): RunState;
  /** Ends the search with `search.cancelled`; nothing happens if it has ended. */
  cancel(by: CancelledBy): void;
}

export type CancelledBy = Extract<SearchEvent, { type: 'search.cancelled' }>['by'];

export interface RunOptions {
  readonly search_id: string;
  readonly account_id: string;
  readonly request_id: string;
  /** What was asked, the prompts it follows first. */
  readonly prompts: readonly string[];
  readonly mode: 'text' | 'structured';
  readonly engine: string;
  readonly deadline_ms: number;
  /** Told of what is a fault of ours, for the server's log. */
  readonly onFault: (error: unknown) => void;
}

/** After a cancel, upstream calls have this long to close before the terminal event comes all the same. */
const closingMs = 2_000;

export function startRun(
  options: RunOptions,
  research: (signal: AbortSignal) => AsyncGenerator<SearchEvent, void>,
): Run {
  const { search_id, account_id, prompts } = options;
  const log = createRunLog(search_id);
  const ledger = createLedger(log);
  const abort = new AbortController();
  const created = Date.now();
  const created_at = timestamp(created);

  log.append({
    type: 'search.accepted',
    created_at,
    deadline_at: timestamp(created + options.deadline_ms),
    mode: options.mode,
    engine: options.engine,
  });
  const deadline = setTimeout(
    () =>
      abort.abort(new AppError('deadline_exceeded', `The search did not end within ${options.deadline_ms / 1000} s.`)),
    options.deadline_ms,
  );

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
    cancel: (by) => abort.abort(new Cancelled(by)),
  };

  async function drive(): Promise<TerminalEvent> {
    const events = research(abort.signal);
    try {
      await Promise.race([append(events), rejectOnAbort(abort.signal)]);
      if (log.terminal() === undefined) throw new Error('the engine ended without a terminal event');
    } catch (error) {
      // Aborting closes what the engine has open; its return waits behind a pending next, so it is not waited for long.
      abort.abort(error);
      const returned = events.return().catch(() => {});
      await Promise.race([returned, new Promise((resolve) => setTimeout(resolve, closingMs).unref())]);
      if (log.terminal() === undefined) ledger.end(ending(error));
    } finally {
      clearTimeout(deadline);
    }
    return log.terminal()!;
  }

  async function append(events: AsyncGenerator<SearchEvent, void>): Promise<void> {
    for await (const event of events) {
      if (abort.signal.aborted) return;
      ledger.append(event);
    }
  }

  function ending(error: unknown): TerminalEvent {
    const partial = ledger.partial();
    const rest = { ...(partial === undefined ? {} : { partial }), usage: ledger.usage() };
    if (error instanceof Cancelled) return { type: 'search.cancelled', by: error.by, ...rest };
    const shown = asAppError(error);
    if (shown.code === 'internal') options.onFault(error);
    return { type: 'search.failed', error: errorObject(shown, options.request_id), ...rest };
  }
}

class Cancelled extends Error {
  readonly by: CancelledBy;
  constructor(by: CancelledBy) {
    super(`cancelled by ${by}`);
    this.by = by;
  }
}

/** What the log holds so far, for an ending the engine did not write. */
function createLedger(log: RunLog) {
  const open = new Map<string, number>();
  const citations: Extract<SearchEvent, { type: 'citation.added' }>['citation'][] = [];
  let answer = '';
  let usage: Usage = noUsage;

  return {
    append(event: SearchEvent): void {
      if (event.type === 'step.started') open.set(event.step_id, performance.now());
      else if (event.type === 'step.finished') open.delete(event.step_id);
      else if (event.type === 'answer.delta') answer += event.text;
      else if (event.type === 'citation.added') citations.push(event.citation);
      else if (event.type === 'usage.updated') usage = event.usage;
      log.append(event);
    },
    end(terminal: TerminalEvent): void {
      const error = terminal.type === 'search.failed' ? terminal.error.message : 'cancelled';
      for (const [step_id, begun] of [...open].reverse()) {
        const duration_ms = Math.round(performance.now() - begun);
        log.append({ type: 'step.finished', step_id, status: 'error', duration_ms, error });
      }
      log.append(terminal);
    },
    usage: () => usage,
    partial: () => (answer === '' ? undefined : { answer, citations }),
  };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  return aborted;
}
