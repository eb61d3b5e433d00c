/** How long an upstream wants to be left alone, and how callers of ours are told the same. */
import { describe, expect, it } from 'vitest';
import { formatRetryAfter, parseRetryAfter } from '../../src/base/retry-after.ts';

describe('reading Retry-After', () => {
  it('takes seconds, whole or not', () => {
    expect(parseRetryAfter('3')).toBe(3_000);
    expect(parseRetryAfter(' 0.5 ')).toBe(500);
    expect(parseRetryAfter('0')).toBe(0);
  });

  it('takes a date, and no wait from one that has passed', () => {
    const ms = parseRetryAfter(new Date(Date.now() + 90_000).toUTCString())!;
    expect(ms).toBeGreaterThan(60_000);
    expect(ms).toBeLessThanOrEqual(90_000);
    expect(parseRetryAfter('Tue, 03 Feb 2015 10:00:00 GMT')).toBe(0);
  });

  it('takes nothing from a header that is absent, empty or something else', () => {
    for (const header of [undefined, null, '', '  ', 'soon', '-3', '1e400x']) {
      expect(parseRetryAfter(header)).toBeUndefined();
    }
  });
});

describe('writing Retry-After', () => {
  it('gives whole seconds, rounded up, at least one', () => {
    expect([0, 1, 1_000, 1_001, 59_500].map(formatRetryAfter)).toEqual(['1', '1', '1', '2', '60']);
  });
});
