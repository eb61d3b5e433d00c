/** The state of a search for display: the same however the events arrived. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyPatch,
  type Citation,
  noUsage,
  type PatchOperation,
  pointer,
  type SearchEvent,
  type SearchFrame,
  type SearchResult,
  type StructuredObject,
  structuredOutput,
} from '../../protocol/index.ts';
import { emptySearch, reduceSearch } from '../../src/client/client.ts';
import * as ofClient from '../../src/client/reduce-search.ts';
import { cutRead, readLog, writtenLog } from '../support/written-log.ts';

const place = { search_id: 's', at: '2026-01-01T00:00:00.000Z' };
const frame = (seq: number, event: SearchEvent): SearchFrame => ({ ...event, ...place, seq });

describe('reduceSearch', () => {
  it('returns the same state for any split and resume, even with repeated frames', () => {
    fc.assert(
      fc.property(writtenLog, fc.nat(80), fc.nat(20), (log, count, back) => {
        const first = cutRead(log, 0, count);
        const again = readLog(log, Math.max(0, (first.at(-1)?.seq ?? 0) - back));
        expect([...first, ...again].reduce(reduceSearch, emptySearch)).toEqual(
          readLog(log).reduce(reduceSearch, emptySearch),
        );
      }),
    );
  });

  it('builds the whole result from the terminal event alone', () => {
    fc.assert(
      fc.property(writtenLog, (log) => {
        const whole = readLog(log).reduce(reduceSearch, emptySearch);
        const last = reduceSearch(emptySearch, readLog(log).at(-1)!);
        const text = (state: typeof whole) => state.blocks.map((block) => block.text).join('');
        expect(text(last)).toBe(text(whole));
        for (const field of ['state', 'status', 'sources', 'citations', 'usage', 'result'] as const) {
          expect(last[field]).toEqual(whole[field]);
        }
      }),
    );
  });

  it('updates steps as they start, progress and finish', () => {
    const events: SearchEvent[] = [
      { type: 'step.started', step_id: 'a', kind: 'search', title: 'Searching' },
      { type: 'step.started', step_id: 'b', parent_id: 'a', kind: 'fetch', title: 'Reading' },
      { type: 'step.progress', step_id: 'b', done: 1, total: 3 },
      { type: 'step.finished', step_id: 'b', status: 'error', duration_ms: 5, error: 'gone' },
    ];
    const { steps } = events.map((event, at) => frame(at + 1, event)).reduce(reduceSearch, emptySearch);
    expect(steps).toEqual([
      { step_id: 'a', kind: 'search', title: 'Searching', state: 'running' },
      {
        step_id: 'b',
        parent_id: 'a',
        kind: 'fetch',
        title: 'Reading',
        state: 'error',
        done: 1,
        total: 3,
        duration_ms: 5,
        error: 'gone',
      },
    ]);
  });

  it('shows what a search without a result had found, from its terminal event alone', () => {
    const usage = noUsage;
    const citation = { id: 'c1', n: 1, block: 'b1', start: 0, end: 4 } as Citation;
    const partial = { answer: 'Half of it', citations: [citation] };
    const stopped = reduceSearch(emptySearch, frame(9, { type: 'search.cancelled', by: 'admin', partial, usage }));
    expect(stopped).toMatchObject({ state: 'cancelled', cancelled_by: 'admin', mode: 'text', citations: [citation] });
    expect(stopped.blocks).toEqual([{ id: 'b1', text: 'Half of it', citations: [citation], isDone: true }]);
    const error = { code: 'internal' as const, message: 'x', retryable: true, request_id: 'r' };
    const output = { name: 'Ada' };
    const failed = reduceSearch(
      emptySearch,
      frame(9, { type: 'search.failed', error, partial: { output, citations: [] }, usage }),
    );
    expect(failed).toMatchObject({ state: 'failed', mode: 'structured', output, blocks: [] });
    // What the events said stays as it is.
    const before = reduceSearch(emptySearch, frame(1, { type: 'answer.delta', block: 'b1', from: 0, text: 'Half' }));
    const after = reduceSearch(before, frame(9, { type: 'search.cancelled', by: 'client', partial, usage }));
    expect(after.blocks).toBe(before.blocks);
  });

  it('keeps the objects that a frame does not affect', () => {
    const before = reduceSearch(emptySearch, frame(1, { type: 'warning', code: 'x', message: 'y' }));
    const after = reduceSearch(before, frame(2, { type: 'answer.delta', block: 'b1', from: 0, text: 'a' }));
    expect(after.warnings).toBe(before.warnings);
    expect(reduceSearch(after, frame(2, { type: 'answer.delta', block: 'b1', from: 0, text: 'a' }))).toBe(after);
    expect(before.blocks).toEqual([]);
  });

  it('starts over when a search was restarted, and ignores unknown events', () => {
    const before = reduceSearch(emptySearch, frame(7, { type: 'answer.delta', block: 'b1', from: 0, text: 'a' }));
    const begun = { type: 'search.accepted', created_at: place.at, deadline_at: place.at } as const;
    const accepted = { ...frame(1, { ...begun, mode: 'text', engine: 'e' }), search_id: 's2' };
    expect(reduceSearch(before, accepted)).toMatchObject({ search_id: 's2', seq: 1, state: 'running', blocks: [] });
    const unknown = { type: 'search.dreamt', ...place, seq: 8 } as unknown as SearchFrame;
    expect(reduceSearch(before, unknown)).toEqual({ ...before, seq: 8 });
  });

  it('applies patches to a structured answer without mutating it', () => {
    const key = fc.constantFrom('a', 'b', 'items', 'constructor', 'a/b', '~', '0', '1');
    const value = fc.oneof(
      fc.constantFrom<unknown>('text', 1, true, null, {}, []),
      fc.constant({ a: {} }),
      fc.constant([{}]),
    );
    const operation: fc.Arbitrary<PatchOperation> = fc.record({
      op: fc.constantFrom('set', 'append'),
      path: fc.array(key, { minLength: 1, maxLength: 4 }).map(pointer),
      value,
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), (ops) => {
        const expected: StructuredObject = {};
        let state = emptySearch;
        for (const [at, op] of ops.entries()) {
          applyPatch(expected, op);
          const before = JSON.stringify(state.output);
          const next = reduceSearch(state, frame(at + 1, { type: 'result.patch', ops: [op] }));
          expect(JSON.stringify(state.output)).toBe(before);
          state = next;
        }
        // As JSON: a list has no fields but its places.
        expect(JSON.stringify(state.output)).toEqual(JSON.stringify(expected));
      }),
    );
  });

  it('finds the structured answer in a result as the server does, whatever its fields are called', () => {
    const wrapped = { search_id: 's', output: { year: 1912 }, evidence: [] };
    const rows: [unknown, unknown][] = [
      [wrapped, { year: 1912 }],
      [
        { output: 'red', evidence: 'a label' },
        { output: 'red', evidence: 'a label' },
      ],
      [
        { ...wrapped, search_id: 'another' },
        { ...wrapped, search_id: 'another' },
      ],
      [{ output: { year: 1912 } }, { output: { year: 1912 } }],
    ];
    for (const [result, expected] of rows) {
      expect(structuredOutput(result as SearchResult, 's')).toEqual(expected);
      expect(ofClient.structuredOutput(result as SearchResult, 's')).toEqual(expected);
    }
  });

  it('records how a search ended', () => {
    const usage = {} as never;
    const error = { code: 'lost', message: 'gone', retryable: true, request_id: 'r' } as const;
    expect(reduceSearch(emptySearch, frame(1, { type: 'search.failed', error, usage }))).toMatchObject({
      state: 'failed',
      error,
    });
    expect(reduceSearch(emptySearch, frame(1, { type: 'search.cancelled', by: 'client', usage }))).toMatchObject({
      state: 'cancelled',
    });
  });
});
