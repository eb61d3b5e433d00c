/**
 * The events that end a log when the engine did not: each open step is finished, and the terminal event carries the text
 * or structured answer so far, its citations and the usage. Computed from the log only when needed, because most searches
 * end normally.
 */
import {
  applyPatch,
  noUsage,
  type SearchEvent,
  type SearchEventOf,
  type StructuredObject,
  type TerminalEvent,
  type Usage,
} from '../../protocol/index.ts';
import { type AppError, errorObject } from '../base/errors.ts';
import type { RunLog } from './log.ts';

export type CancelledBy = SearchEventOf<'search.cancelled'>['by'];

/** All return the events to append: a `step.finished` for each open step, the last opened first, then the terminal event. */
export interface AbortEvents {
  /** The search ended with this event, but the rest of its log is gone. */
  recorded(terminal: TerminalEvent): SearchEvent[];
  cancelled(by: CancelledBy): SearchEvent[];
  failed(error: AppError, request_id: string): SearchEvent[];
}

/** What a log says so far of the search, or of its last attempt. */
interface Progress {
  /** The start times of its open steps by id, milliseconds since 1970. */
  readonly open: Map<string, number>;
  readonly citations: SearchEventOf<'citation.added'>['citation'][];
  readonly output: StructuredObject;
  answer: string;
  usage: Usage;
}

/**
 * Reads the whole log once. The durations of open steps are measured up to now. `used` is what the search has used, where that is
 * known better than by the log, which has it only once research is over.
 */
export function readAbortEvents(log: RunLog, used?: Usage): AbortEvents {
  const { open, citations, output, answer, usage: logged } = readProgress(log);
  const usage = used ?? logged;
  const soFar = { ...(answer === '' ? {} : { answer }), ...(Object.keys(output).length === 0 ? {} : { output }) };
  const rest = { ...(Object.keys(soFar).length === 0 ? {} : { partial: { ...soFar, citations } }), usage };

  function end(terminal: TerminalEvent, error: string): SearchEvent[] {
    const finished = [...open].reverse().map(([step_id, startedAt]): SearchEvent => {
      const duration_ms = Math.max(0, Date.now() - startedAt);
      return { type: 'step.finished', step_id, status: 'error', duration_ms, error };
    });
    return [...finished, terminal];
  }

  return {
    recorded: (terminal) => end(terminal, 'lost'),
    cancelled: (by) => end({ type: 'search.cancelled', by, ...rest }, 'cancelled'),
    failed(error, request_id) {
      return end({ type: 'search.failed', error: errorObject(error, request_id), ...rest }, error.message);
    },
  };
}

function readProgress(log: RunLog): Progress {
  let progress = createProgress();
  for (let entry = log.entry(1); entry !== undefined; entry = log.entry(entry.seq + 1)) {
    const { event, at } = entry;
    if (event.type === 'search.restarted') progress = createProgress();
    else if (event.type === 'step.started') progress.open.set(event.step_id, Date.parse(at));
    else if (event.type === 'step.finished') progress.open.delete(event.step_id);
    else if (event.type === 'answer.delta') progress.answer += event.text;
    else if (event.type === 'result.patch') for (const op of event.ops) applyPatch(progress.output, op);
    else if (event.type === 'citation.added') progress.citations.push(event.citation);
    else if (event.type === 'usage.updated') progress.usage = event.usage;
  }
  return progress;
}

function createProgress(): Progress {
  return { open: new Map(), citations: [], output: {}, answer: '', usage: noUsage };
}
