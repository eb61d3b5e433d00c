/** What happens at the end of a turn. */
import { afterEach, describe, expect, it } from 'vitest';
import { afterTick } from '../../src/transport/tick-queue.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const faults: unknown[] = [];
const before = process.listeners('uncaughtException');

afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of before) process.on('uncaughtException', listener);
});

describe('at the end of a turn', () => {
  it('everything happens once and in order, and what it asks for happens in the next', async () => {
    const done: string[] = [];
    afterTick(() => {
      done.push('first');
      afterTick(() => done.push('third'));
    });
    afterTick(() => done.push('second'));
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual(['first', 'second']);
    await turn();
    expect(done).toEqual(['first', 'second', 'third']);
  });

  it('what stands behind a fault still happens', async () => {
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (fault) => faults.push(fault));
    const done: string[] = [];
    afterTick(() => {
      throw new Error('a fault');
    });
    afterTick(() => done.push('second'));
    await turn();
    await turn();
    expect(done).toEqual(['second']);
    expect(faults).toEqual([new Error('a fault')]);
  });
});
