/** The queue of callbacks for the next tick. */
import { afterEach, describe, expect, it } from 'vitest';
import { afterTick } from '../../src/transport/tick-queue.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const faults: unknown[] = [];
const before = process.listeners('uncaughtException');

afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of before) process.on('uncaughtException', listener);
});

describe('the tick queue', () => {
  it('runs every callback once and in order, and those that a callback adds in the next tick', async () => {
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

  it('runs the callbacks after one that throws', async () => {
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
