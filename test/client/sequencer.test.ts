/** The frames that a client admits are exactly the log, wherever connections are lost and whatever the server merges. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import { emptySearch, reduceSearch } from '../../src/client/reduce-search.ts';
import { createSequencer } from '../../src/client/sequencer.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { cutRead, readLog, writtenLog } from '../support/written-log.ts';

const after = (seq: number) => (frame: SearchFrame) => frame.seq > seq;

describe('createSequencer', () => {
  it('admits every event once and in order over 1,000 random schedules of cuts, repeats and merges', () => {
    fc.assert(
      fc.property(writtenLog, fc.array(fc.nat(80), { maxLength: 12 }), fc.array(fc.nat(12)), (log, reads, back) => {
        const whole = readLog(log);
        const sequencer = createSequencer();
        const got: SearchFrame[] = [];
        const take = (frames: readonly SearchFrame[]) => {
          for (const frame of frames) got.push(...[sequencer.admit(frame) ?? []].flat());
        };
        // Each read resumes a little before the last position, as a server that has merged deltas may.
        reads.forEach((count, at) => {
          take(cutRead(log, Math.max(0, sequencer.after() - (back[at] ?? 0)), count));
        });
        take(readLog(log, sequencer.after()));

        expectLawful(got);
        expect(stateAfter(got)).toEqual(stateAfter(whole));
        expect(got.reduce(reduceSearch, emptySearch)).toEqual(whole.reduce(reduceSearch, emptySearch));
      }),
      { numRuns: 1_000 },
    );
  });

  it('trims a merged delta to its new part', () => {
    const sequencer = createSequencer();
    const place = { search_id: 's', at: '2026-01-01T00:00:00.000Z' };
    const delta = { ...place, type: 'answer.delta', block: 'b1' } as const;
    expect(sequencer.admit({ ...delta, seq: 1, from: 0, text: 'ab' })).toMatchObject({ seq: 1, from: 0, text: 'ab' });
    expect(sequencer.admit({ ...delta, first_seq: 1, seq: 4, from: 0, text: 'abcdef' })).toEqual({
      ...delta,
      first_seq: 2,
      seq: 4,
      from: 2,
      text: 'cdef',
    });
    expect(sequencer.admit({ ...delta, first_seq: 1, seq: 5, from: 0, text: 'abcdefg' })).toEqual({
      ...delta,
      seq: 5,
      from: 6,
      text: 'g',
    });
    expect(sequencer.after()).toBe(5);
  });

  it('throws on a gap in the seqs or in the text of a block', () => {
    fc.assert(
      fc.property(writtenLog, fc.nat(), (log, at) => {
        const frames = readLog(log);
        const missing = at % (frames.length - 1);
        const sequencer = createSequencer();
        for (const frame of frames.slice(0, missing)) sequencer.admit(frame);
        expect(() => sequencer.admit(frames[missing + 1]!)).toThrow('Events are missing');
        expect(sequencer.after()).toBe(missing === 0 ? 0 : frames[missing - 1]!.seq);
      }),
    );
    const delta = { type: 'answer.delta', block: 'b1', search_id: 's', at: '2026-01-01T00:00:00.000Z' } as const;
    expect(() => createSequencer().admit({ ...delta, seq: 1, from: 3, text: 'd' })).toThrow('continues at 3');
  });

  it('accepts a block from the middle when reading starts after the first event', () => {
    fc.assert(
      fc.property(writtenLog, fc.nat(80), (log, start) => {
        const begin = Math.min(start, log.head());
        const sequencer = createSequencer(begin);
        const got = readLog(log, begin).flatMap((frame) => sequencer.admit(frame) ?? []);
        expectDense(got, begin);
        expect(got).toEqual(readLog(log, begin).filter(after(begin)));
      }),
    );
  });
});
