/**
 * One call of a tool, in time: clients give up after 60 s, so no call lasts longer than 45. A call that is cancelled, or whose
 * client leaves, ends here; what becomes of its search is decided by the tool.
 */
import { isTerminal, type SearchEvent, type SearchEventOf, type TerminalEvent } from '../../../protocol/index.ts';
import { timeLimit } from '../../base/abort.ts';
import { AppError } from '../../base/errors.ts';
import type { OpenSearch } from './backend.ts';

export interface ToolCall {
  /** Fires when the client cancels the call or leaves. */
  readonly signal: AbortSignal;
  /** Fires when the call has to answer. */
  readonly deadline: AbortSignal;
  /** Either of them. */
  readonly over: AbortSignal;
  /** Reports progress to clients that asked for it. */
  readonly onStep: (message: string) => void;
}

/** What is known of a search when it is no longer read. */
export interface Ending {
  /** Undefined if it still runs. */
  readonly terminal: TerminalEvent | undefined;
  /** What went wrong while it went on. */
  readonly warnings: readonly Warning[];
}

export type Warning = Pick<SearchEventOf<'warning'>, 'code' | 'message'>;

/** Warnings of one search that are kept; set by hand. */
const maxWarnings = 20;

/** Maximum duration of a call: clients wait for 60 s, and proxies need some of it. */
export const maxCallMs = 45_000;

/** A call that begins now. */
export function beginCall(signal: AbortSignal, onStep: (message: string) => void, maxMs: number): ToolCall {
  const deadline = timeLimit(maxMs);
  return { signal, deadline, over: AbortSignal.any([signal, deadline]), onStep };
}

/**
 * Waits for the start of a search. Rejects with the signal's reason when the client leaves before, and with `overloaded`
 * when it has not started in time.
 */
export async function startWithin(
  call: ToolCall,
  start: (signal: AbortSignal) => Promise<OpenSearch>,
): Promise<OpenSearch> {
  try {
    return await start(call.over);
  } catch (error) {
    if (call.signal.aborted || !call.deadline.aborted) throw error;
    throw new AppError('overloaded', 'The search could not start in time; try again in a moment.', {
      retry_after_ms: 5_000,
    });
  }
}

/** Reads a search to its end or to the deadline, reporting its steps. Rejects with the signal's reason when the client leaves. */
export async function readToEnd(search: Pick<OpenSearch, 'events'>, call: ToolCall): Promise<Ending> {
  const warnings: Warning[] = [];
  for await (const event of search.events(call.over)) {
    const message = describeStep(event);
    if (message !== undefined) call.onStep(message);
    if (event.type === 'warning' && warnings.length < maxWarnings) {
      warnings.push({ code: event.code, message: event.message });
    }
    if (isTerminal(event)) return { terminal: event, warnings };
  }
  call.signal.throwIfAborted();
  return { terminal: undefined, warnings };
}

function describeStep(event: SearchEvent): string | undefined {
  if (event.type === 'step.started') return event.title;
  if (event.type === 'step.progress') return event.message;
  return event.type === 'step.finished' ? (event.summary ?? event.error) : undefined;
}
