/** Worker threads that end at any moment, also while they load: the process that has them goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWorkerPool } from '../../src/base/processes/worker-pool.ts';

const worker = new URL('../support/scripts/page-worker.ts', import.meta.url);

describe('a pool of workers', () => {
  it('closes at any moment of their loading without ending this process', async () => {
    for (let ms = 0; ms < 300; ms += 10) {
      const pool = createWorkerPool({ worker, workers: 2 });
      pool.start();
      await sleep(ms);
      await pool.close();
    }
  });

  it('runs tasks in the order in which they came', async () => {
    const pool = createWorkerPool<object, unknown>({ worker, workers: 1, concurrency: 2 });
    const page = { bytes: Buffer.from('<p>Read.</p>'), contentType: 'text/html', url: 'https://pages.test/' };
    const ended: number[] = [];
    const inOrder = Array.from({ length: 20 }, (_, n) => n);
    await Promise.all(inOrder.map((n) => pool.run(page).then(() => ended.push(n))));
    expect(ended).toEqual(inOrder);
    await pool.close();
  });

  it('runs what waits for the oldest search first', async () => {
    const pool = createWorkerPool<object, unknown>({ worker, workers: 1 });
    const page = { bytes: Buffer.from('<p>Read.</p>'), contentType: 'text/html', url: 'https://pages.test/' };
    const [first, second, third] = [0, 1, 2].map(() => new AbortController().signal) as [
      AbortSignal,
      AbortSignal,
      AbortSignal,
    ];
    const ended: string[] = [];
    const run = (name: string, search?: AbortSignal) =>
      (search === undefined ? pool.run(page) : pool.runFor(search, page)).then(() => ended.push(name));
    const tasks = [run('1', first), run('2', second), run('of none'), run('3', third)];
    await Promise.all([...tasks, run('2 again', second), run('1 again', first)]);
    expect(ended).toEqual(['1', '1 again', '2', '2 again', 'of none', '3']);
    await pool.close();
  });

  it('imports the modules of workers and never requires them', async () => {
    const requiring = new URL('../support/scripts/require-worker.ts', import.meta.url);
    const pool = createWorkerPool<object, string>({ worker: requiring, workers: 1 });
    expect(await pool.run({})).toBe('ERR_REQUIRE_ESM');
    await pool.close();
  });

  it('gives back what a worker that rests does not need', async () => {
    const garbage = new URL('../support/scripts/garbage-worker.ts', import.meta.url);
    const pool = createWorkerPool<number, number>({ worker: garbage, workers: 1, restMs: 50 });
    const busy = await pool.run(2_000_000);
    await expect.poll(() => pool.run(0), { interval: 500 }).toBeLessThan(busy / 2);
    await pool.close();
  });
});
