/** Random logs of searches, written by the server's own log and read as its transports read it, with merged frames. */
import fc from 'fast-check';
import { type Citation, noUsage, type SearchEvent, type SearchFrame, type Source } from '../../protocol/index.ts';
import { createRunLog, type RunLog } from '../../src/runs/log.ts';
import { nextEntry } from '../../src/runs/next-entry.ts';

const written = Date.UTC(2026, 0, 1);
const timings = { total_ms: 1, stages: {} };

type Part = 'text' | 'step' | 'warning' | 'source';
const part: fc.Arbitrary<{ kind: Part; text: string }> = fc.record({
  kind: fc.constantFrom<Part>('text', 'text', 'text', 'text', 'step', 'warning', 'source'),
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
});

/** The events of a valid search in text mode. */
export const writtenEvents: fc.Arbitrary<SearchEvent[]> = fc
  .array(part, { maxLength: 60 })
  .map((parts) => [...eventsOf(parts)]);

/** The log of a valid search in text mode, which merges what it can once it is a few entries long. */
export const writtenLog: fc.Arbitrary<RunLog> = fc
  .record({ parts: fc.array(part, { maxLength: 60 }), entries: fc.constantFrom(4, 70, 5_000) })
  .map(({ parts, entries }) => {
    const log = createRunLog('s_random', () => written, { entries, size: 1_000_000 });
    for (const event of eventsOf(parts)) log.append(event);
    return log;
  });

export function readLog(log: RunLog, after = 0): SearchFrame[] {
  return cutRead(log, after, Infinity);
}

/** The first `count` frames after `after`: adjacent deltas are merged, as for any reader that lags. */
export function cutRead(log: RunLog, after: number, count: number): SearchFrame[] {
  const frames: SearchFrame[] = [];
  for (let entry = nextEntry(log, after); entry !== undefined; entry = nextEntry(log, entry.seq)) {
    if (frames.length >= count) break;
    frames.push(JSON.parse(log.text(entry)));
  }
  return frames;
}

function* eventsOf(parts: readonly { kind: Part; text: string }[]): Generator<SearchEvent> {
  const at = new Date(written).toISOString();
  yield { type: 'search.accepted', created_at: at, deadline_at: at, mode: 'text', engine: 'written' };
  let text = '';
  const sources: Source[] = [];
  const citations: Citation[] = [];
  for (const [at, { kind, text: piece }] of parts.entries()) {
    if (kind === 'text') {
      yield { type: 'answer.delta', block: 'b1', from: text.length, text: piece };
      text += piece;
    } else if (kind === 'step') {
      const step_id = `t${at}`;
      yield { type: 'step.started', step_id, kind: 'read', title: piece };
      yield { type: 'step.progress', step_id, done: 1, total: 2 };
      yield { type: 'step.finished', step_id, status: 'ok', duration_ms: 1 };
    } else if (kind === 'warning') yield { type: 'warning', code: 'partial_coverage', message: piece };
    else {
      const n = sources.length + 1;
      const url = `https://example.org/${n}`;
      const source = { id: `p${n}`, n, url, title: piece, domain: 'example.org', snapshot: `n${n}` };
      sources.push(source);
      yield { type: 'source.added', source };
      const place = {
        block: 'b1',
        start: 0,
        end: text.length,
        quote: piece,
        source_start: 0,
        source_end: piece.length,
      };
      const of = { source_id: source.id, n, url, snapshot: source.snapshot, support: 'exact', score: 1 } as const;
      const citation = { id: `c${n}`, ...of, ...place };
      citations.push(citation);
      yield { type: 'citation.added', citation };
    }
  }
  const ids = citations.map(({ id }) => id);
  if (text !== '') yield { type: 'answer.block.done', block: 'b1', kind: 'markdown', text, citations: ids };
  // A citation may come before any text; then it covers none.
  const rest = { sources, citations, usage: noUsage, timings };
  const status = 'answered' as const;
  yield { type: 'search.completed', status, result: { search_id: 's_random', status, answer: text, ...rest }, ...rest };
}
