/** What the log says of a limiter whose Redis comes and goes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStateLog } from '../../src/access/limiter/state-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('has each state once a minute, and the one that stays', () => {
  const lines: unknown[] = [];
  const log = createStateLog((state, cause, { changes }) => lines.push([state, cause, changes]));
  const change = (state: 'shared' | 'local', cause?: string) => {
    log.changed(state, cause);
    vi.advanceTimersByTime(2_000);
  };
  change('shared');
  change('local', 'slow');
  for (let n = 0; n < 5; n += 1) {
    change('shared');
    change('local', `slow ${n}`);
  }
  expect(lines.splice(0)).toEqual([
    ['shared', undefined, undefined],
    ['local', 'slow', undefined],
  ]);
  change('shared');
  vi.advanceTimersByTime(60_000);
  expect(lines.splice(0)).toEqual([['shared', undefined, 11]]);
  change('local', 'gone');
  change('shared');
  change('local', 'gone again');
  log.close();
  vi.advanceTimersByTime(120_000);
  expect(lines).toEqual([['local', 'gone', undefined]]);
});
