/** When each step of a search ran: from its events while the server has them, otherwise from the stage times in its record. */
import type { SearchFrame, Timings } from '../../../../protocol/index.ts';
import { t } from '../../language/text.ts';

export interface Span {
  readonly name: string;
  /** Kind of step: plan, search, fetch, read, rank, write or verify. */
  readonly kind: string;
  /** Milliseconds since the search started. */
  readonly from: number;
  readonly ms: number;
  readonly state: 'running' | 'ok' | 'error' | 'skipped' | 'stopped';
  readonly about: string | undefined;
}

/** A step that has not finished is drawn up to the last event. */
export function spansOf(frames: readonly SearchFrame[]): Span[] {
  const begun = frames.find(({ type }) => type === 'search.accepted')?.at;
  if (begun === undefined) return [];
  const since = (at: string) => Math.max(0, Date.parse(at) - Date.parse(begun));
  const now = since(frames.at(-1)!.at);
  const spans = new Map<string, Span>();
  for (const frame of frames) {
    if (frame.type === 'step.started') {
      const { step_id, kind, title, at } = frame;
      const from = since(at);
      spans.set(step_id, { name: title, kind, from, ms: Math.max(0, now - from), state: 'running', about: undefined });
    } else if (frame.type === 'step.finished') {
      const { step_id, status, duration_ms, summary, error } = frame;
      const span = spans.get(step_id);
      // What a stopped search was doing has not failed.
      const state = error === 'cancelled' ? 'stopped' : status;
      if (span) spans.set(step_id, { ...span, ms: duration_ms, state, about: error ?? summary });
    }
  }
  return [...spans.values()];
}

/** In the order in which they run. */
export const order = ['plan', 'search', 'fetch', 'read', 'rank', 'write', 'verify'];

const kindNames: { readonly [kind: string]: string } = t.stepTitles;

/** What a step of this kind is called, unless the server gives it a name of its own. */
export function kindName(kind: string): string {
  return kindNames[kind] ?? kind;
}

/** One span per stage, laid end to end: the total time of each is known, but not when it ran. */
export function stagesOf({ stages }: Timings): Span[] {
  const known = Object.entries(stages).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  let from = 0;
  return known.map(([kind, ms]) => {
    const span: Span = { name: kindName(kind), kind, from, ms, state: 'ok', about: undefined };
    from += ms;
    return span;
  });
}
