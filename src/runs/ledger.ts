/**
 * What a log holds so far, for an ending that the engine did not write: the steps still open, the text, the citations and
 * what was used.
 */
import { noUsage, type SearchEvent, type TerminalEvent, type Usage } from '../../protocol/index.ts';
import { type AppError, errorObject } from '../errors.ts';

export type CancelledBy = Extract<SearchEvent, { type: 'search.cancelled' }>['by'];

export interface Ledger {
  /** `at`: when it was appended, ms since 1970. */
  note(event: SearchEvent, at?: number): void;
  /** What ends the log: each open step finished, the last begun first, then `search.cancelled`. */
  cancelled(by: CancelledBy): SearchEvent[];
  /** The same with `search.failed`. */
  failed(error: AppError, request_id: string): SearchEvent[];
}

export function createLedger(): Ledger {
  const open = new Map<string, number>();
  const citations: Extract<SearchEvent, { type: 'citation.added' }>['citation'][] = [];
  let answer = '';
  let usage: Usage = noUsage;

  function end(terminal: TerminalEvent, error: string): SearchEvent[] {
    const finished = [...open].reverse().map(([step_id, begun]): SearchEvent => {
      const duration_ms = Math.max(0, Date.now() - begun);
      return { type: 'step.finished', step_id, status: 'error', duration_ms, error };
    });
    return [...finished, terminal];
  }

  const rest = () => ({ ...(answer === '' ? {} : { partial: { answer, citations } }), usage });
  return {
    note(event, at) {
      if (event.type === 'step.started') open.set(event.step_id, at ?? Date.now());
      else if (event.type === 'step.finished') open.delete(event.step_id);
      else if (event.type === 'answer.delta') answer += event.text;
      else if (event.type === 'citation.added') citations.push(event.citation);
      else if (event.type === 'usage.updated') usage = event.usage;
    },
    cancelled: (by) => end({ type: 'search.cancelled', by, ...rest() }, 'cancelled'),
    failed(error, request_id) {
      return end({ type: 'search.failed', error: errorObject(error, request_id), ...rest() }, error.message);
    },
  };
}
