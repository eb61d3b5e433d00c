/** When each step of a search ran: from its events while they are kept, else from what the record says of its stages. */
import type { SearchFrame, Timings } from '../../../../protocol/index.ts';

export interface Span {
  readonly name: string;
  /** Of its kind: plan, search, fetch, read, rank, write, verify. */
  readonly kind: string;
  /** Milliseconds behind the search's beginning. */
  readonly from: number;
  readonly ms: number;
  readonly state: 'running' | 'ok' | 'error' | 'skipped';
  readonly about: string | undefined;
}

/** Of the events that there are; a step that has not ended lasts until the last of them. */
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
      if (span) spans.set(step_id, { ...span, ms: duration_ms, state: status, about: error ?? summary });
    }
  }
  return [...spans.values()];
}

const order = ['plan', 'search', 'fetch', 'read', 'rank', 'write', 'verify'];

/** One span a stage, one behind the other: how long each took in all is known, not when. */
export function stagesOf({ stages }: Timings): Span[] {
  const known = Object.entries(stages).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  let from = 0;
  return known.map(([kind, ms]) => {
    const span: Span = { name: kind, kind, from, ms, state: 'ok', about: undefined };
    from += ms;
    return span;
  });
}
