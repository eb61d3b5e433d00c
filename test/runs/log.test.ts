/** Frames as the log writes them. How they are read and merged is the pump's and the contracts' affair. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchEvent } from '../../protocol/index.ts';
import { createRunLog } from '../../src/runs/log.ts';

const anyText = fc.string({ unit: 'binary' });
const events: fc.Arbitrary<SearchEvent> = fc.oneof(
  fc.record({ type: fc.constant('answer.delta' as const), block: anyText, from: fc.nat(), text: anyText }),
  fc.record({ type: fc.constant('warning' as const), code: fc.constant('throttled' as const), message: anyText }),
);

describe('a frame', () => {
  it('writes a frame as the JSON of its event followed by its position in the log, whatever the text', () => {
    fc.assert(
      fc.property(events, (event) => {
        const log = createRunLog('s_test', () => 0);
        log.append(event);
        const place = { search_id: 's_test', seq: 1, at: '1970-01-01T00:00:00.000Z' };
        expect(log.text(log.entry(1)!)).toBe(JSON.stringify({ ...event, ...place }));
      }),
    );
  });
});
