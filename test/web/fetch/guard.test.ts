/** What the guard refuses, and which of it the operator's list of hosts could allow. */
import { describe, expect, it } from 'vitest';
import { couldBeAllowed, createGuard } from '../../../src/web/fetch/guard.ts';

const messageOf = (url: string, allowHosts: readonly string[] = []) => {
  try {
    createGuard({ allowHosts }).check(url);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an address that the guard refuses', () => {
  it.each([
    ['http://example.org:8080/', 'example.org:8080'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://[::1]/', '[::1]'],
  ])('could be allowed where a list of hosts allows it: %s', (url, host) => {
    expect(couldBeAllowed(messageOf(url)!)).toBe(true);
    expect(messageOf(url, [host])).toBeUndefined();
  });

  it.each([
    ['ftp://example.org/', 'example.org'],
    ['http://name:secret@example.org/', 'example.org'],
    ['example.org', 'example.org'],
  ])('could not be allowed where no list of hosts allows it: %s', (url, host) => {
    expect(messageOf(url, [host])).toBe(messageOf(url));
    expect(couldBeAllowed(messageOf(url)!)).toBe(false);
  });
});
