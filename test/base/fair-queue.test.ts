/** Places shared among owners: one owner's work, however much, does not keep another's waiting. */
import { describe, expect, it } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { createFairQueue, type FairQueueOptions } from '../../src/base/fair-queue.ts';

/** A queue whose work is named, starts when it is its turn and goes on until the test ends it. */
function watchQueue(options: FairQueueOptions) {
  const queue = createFairQueue(options);
  const running = new Map<string, () => void>();
  const started: string[] = [];
  async function end(name: string) {
    running.get(name)!();
    running.delete(name);
    await settled();
  }
  return {
    started,
    async add(name: string, owners: readonly string[], signal = neverAborted) {
      const release = await queue.acquire(owners, signal);
      started.push(name);
      running.set(name, release);
    },
    end,
    endNext: () => end([...running.keys()][0]!),
  };
}

/** Every promise that could settle has. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  it('serves an owner with little work before the rest of an owner with much', async () => {
    const { add, endNext, started } = watchQueue({ places: 1, reserve: 0 });
    for (let n = 1; n <= 4; n += 1) add(`a${n}`, ['a']);
    for (let n = 1; n <= 2; n += 1) add(`b${n}`, ['b']);
    add('c1', ['c']);
    await settled();
    while (started.length < 7) await endNext();
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('gives the next place to the owner that holds the fewest', async () => {
    const { add, end, started } = watchQueue({ places: 3, reserve: 0 });
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2', 'b3']) add(name, [name[0]!]);
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    // Each holds one now, and a was served earlier.
    await end('a2');
    expect(started.slice(3)).toEqual(['a3', 'b2']);
  });

  it('lets one owner use every place except the reserve, which is for owners that hold none', async () => {
    const { add, end, started } = watchQueue({ places: 2, reserve: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) add(name, [name[0]!]);
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    // Two of three places are taken, one each: only c holds none.
    expect(started.slice(3)).toEqual(['c1']);
    await end('c1');
    expect(started).toHaveLength(4);
    await end('b1');
    expect(started.slice(4)).toEqual(['b2']);
  });

  it('serves shared work when it is the turn of any of its owners', async () => {
    const { add, endNext, started } = watchQueue({ places: 1, reserve: 0 });
    const owners = ['a'];
    for (const name of ['a1', 'a2', 'a3']) add(name, ['a']);
    add('shared', owners);
    await settled();
    owners.push('b');
    await endNext();
    expect(started).toEqual(['a1', 'shared']);
  });

  it('gives one owner no more places than it may have, however many are free', async () => {
    const { add, end, started } = watchQueue({ places: Number.POSITIVE_INFINITY, reserve: 0, perOwner: 2 });
    for (let n = 1; n <= 4; n += 1) add(`a${n}`, ['a']);
    for (let n = 1; n <= 3; n += 1) add(`b${n}`, ['b']);
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a2');
    expect(started.slice(4)).toEqual(['a3']);
  });

  it('rejects with the reason of the signal, and passes the turn on', async () => {
    const { add, endNext, started } = watchQueue({ places: 1, reserve: 0 });
    const leaving = new AbortController();
    const reason = new Error('had enough');
    add('a1', []);
    await settled();
    const left = add('b1', ['b'], leaving.signal);
    add('a2', []);
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    await expect(add('b2', ['b'], leaving.signal)).rejects.toBe(reason);
    await endNext();
    expect(started).toEqual(['a1', 'a2']);
  });
});
