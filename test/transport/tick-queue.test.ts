/** The queue of callbacks for the next tick. */
import { afterEach, describe, expect, it } from 'vitest';
import { afterTick, inDedicatedTick, inLaterTick, tickHasRoom } from '../../src/transport/tick-queue.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const faults: unknown[] = [];
const before = process.listeners('uncaughtException');

afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of before) process.on('uncaughtException', listener);
});

const busyFor = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('the tick queue', () => {
  it('runs every callback once and in order, and those that a callback adds in the next tick', async () => {
    const done: string[] = [];
    afterTick(() => {
      done.push('first');
      afterTick(() => done.push('third'));
    });
    afterTick(() => done.push('second'));
    expect(done).toEqual([]);
    // One tick each, if the machine is not so busy that it needs another.
    while (done.length < 2) await turn();
    expect(done).toEqual(['first', 'second']);
    while (done.length < 3) await turn();
    expect(done).toEqual(['first', 'second', 'third']);
  });

  it('leaves callbacks that would hold the loop for too long to the next tick, before those that were added meanwhile', async () => {
    const done: string[] = [];
    const perTick: number[] = [];
    const work = (name: string) => () => {
      busyFor(1);
      done.push(name);
    };
    for (let n = 0; n < 40; n++) afterTick(work(`${n}`));
    while (done.length < 40) {
      await turn();
      if (perTick.length === 0) afterTick(work('later'));
      perTick.push(done.length);
    }
    while (done.length < 41) await turn();
    expect(Math.max(...perTick.map((count, at) => count - (perTick[at - 1] ?? 0)))).toBeLessThan(9);
    expect(done).toEqual([...Array.from({ length: 40 }, (_, n) => `${n}`), 'later']);
  });

  it('runs nothing else in a tick after work that takes one for itself, and rejects with what it throws', async () => {
    const done: string[] = [];
    const works = ['a', 'b', 'c'].map((name) => inDedicatedTick(() => done.push(name)));
    afterTick(() => done.push('last'));
    const perTick: number[] = [];
    while (done.length < 4) {
      await turn();
      perTick.push(done.length);
    }
    expect(done).toEqual(['a', 'b', 'c', 'last']);
    expect(perTick.map((count, at) => count - (perTick[at - 1] ?? 0)).filter((count) => count > 1)).toEqual([]);
    expect(await Promise.all(works)).toEqual([1, 2, 3]);
    const failing = inDedicatedTick(() => {
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
  });

  it('says that a tick has no more room once it has been used for a while', async () => {
    await turn();
    expect(tickHasRoom()).toBe(true);
    busyFor(6);
    expect(tickHasRoom()).toBe(false);
    await turn();
    await turn();
    expect(tickHasRoom()).toBe(true);
    await turn();
  });

  it('resolves with what work in a later tick returns, and rejects with what it throws', async () => {
    expect(await inLaterTick(() => 1)).toBe(1);
    const fault = new Error('a fault');
    await expect(
      inLaterTick(() => {
        throw fault;
      }),
    ).rejects.toBe(fault);
  });

  it('runs the callbacks after one that throws', async () => {
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (fault) => faults.push(fault));
    const done: string[] = [];
    afterTick(() => {
      throw new Error('a fault');
    });
    afterTick(() => done.push('second'));
    while (done.length < 1) await turn();
    expect(done).toEqual(['second']);
    expect(faults).toEqual([new Error('a fault')]);
  });
});
