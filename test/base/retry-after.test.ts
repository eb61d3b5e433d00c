/** Parsing the Retry-After of upstreams, and formatting our own. */
import { describe, expect, it } from 'vitest';
import { formatRetryAfter, parseRetryAfter } from '../../src/base/upstream/retry-after.ts';

describe('reading Retry-After', () => {
  it('parses seconds, whole or fractional', () => {
    expect(parseRetryAfter('3')).toBe(3_000);
    expect(parseRetryAfter(' 0.5 ')).toBe(500);
    expect(parseRetryAfter('0')).toBe(0);
  });

  it('parses a date, and returns no wait for a past one', () => {
    const ms = parseRetryAfter(new Date(Date.now() + 90_000).toUTCString())!;
    expect(ms).toBeGreaterThan(60_000);
    expect(ms).toBeLessThanOrEqual(90_000);
    expect(parseRetryAfter('Tue, 03 Feb 2015 10:00:00 GMT')).toBe(0);
  });

  it('returns nothing for a Retry-After header that is absent, empty or invalid', () => {
    for (const header of [undefined, null, '', '  ', 'soon', '-3', '1e400x']) {
      expect(parseRetryAfter(header)).toBeUndefined();
    }
  });
});

describe('writing Retry-After', () => {
  it('formats Retry-After as whole seconds, rounded up, at least one', () => {
    expect([0, 1, 1_000, 1_001, 59_500].map(formatRetryAfter)).toEqual(['1', '1', '1', '2', '60']);
  });
});
