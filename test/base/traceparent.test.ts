import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTraceparent, newSpanId, newTraceId, parseTraceparent } from '../../src/base/traceparent.ts';

const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

describe('traceparent', () => {
  it('reads the ids and the flag of a header, and writes them', () => {
    expect(parseTraceparent(`00-${trace}-${span}-01`)).toEqual({ trace_id: trace, span_id: span, sampled: true });
    expect(parseTraceparent(`00-${trace}-${span}-02`)?.sampled).toBe(false);
    const context = { trace_id: newTraceId(), span_id: newSpanId(), sampled: true };
    expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
  });

  it('reads what later versions add', () => {
    expect(parseTraceparent(`cc-${trace}-${span}-01-more`)?.trace_id).toBe(trace);
  });

  it.each([
    undefined,
    '',
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}`,
    `cc-${trace}-${span}-01-${'x'.repeat(10_000)}`,
  ])('refuses %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => parseTraceparent(text) === undefined));
  });
});
