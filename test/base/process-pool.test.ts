/** Work in child processes: what it may take, and that its end is never the end of the process that asked. */
import { afterEach, describe, expect, it } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from '../../src/base/process-pool.ts';
import type { TestTask } from '../support/scripts/task-worker.ts';

const worker = new URL('../support/scripts/task-worker.ts', import.meta.url);
const longMs = 60_000;
const pools: ProcessPool<TestTask, unknown>[] = [];

function createPool(options: Partial<ProcessPoolOptions> = {}): ProcessPool<TestTask, unknown> {
  const pool = createProcessPool<TestTask, unknown>({ worker, processes: 1, memoryMb: 64, idleMs: longMs, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('a pool of processes', () => {
  it('gives back what the worker gives, bytes included, and the message that it fails with', async () => {
    const pool = createPool();
    const echo = { text: 'a', bytes: new Uint8Array([1, 2, 3]) };
    expect(await pool.run({ echo }, longMs, neverAborted)).toEqual(echo);
    await expect(pool.run({ fail: 'no such page' }, longMs, neverAborted)).rejects.toThrow('no such page');
  });

  it('runs task after task in one process, and one after a failure in another', async () => {
    const pool = createPool();
    const pid = () => pool.run({ act: 'pid' }, longMs, neverAborted);
    const first = await pid();
    expect(await pid()).toBe(first);
    await expect(pool.run({ exit: 3 }, longMs, neverAborted)).rejects.toMatchObject({ reason: 'ended' });
    expect(await pid()).not.toBe(first);
  });

  it('runs as many tasks at a time as it may have processes, the others after them', async () => {
    const pool = createPool({ processes: 2 });
    const pids = await Promise.all(Array.from({ length: 6 }, () => pool.run({ act: 'pid' }, longMs, neverAborted)));
    expect(new Set(pids).size).toBeLessThanOrEqual(2);
  });

  it('ends a task that takes too long, and its process', async () => {
    const pool = createPool();
    await expect(pool.run({ act: 'hang' }, 50, neverAborted)).rejects.toMatchObject({ reason: 'deadline' });
    expect(pool.pids()).toEqual([]);
  });

  it("rejects with the signal's reason, running or waiting", async () => {
    const pool = createPool();
    const reason = new Error('the caller left');
    const abort = new AbortController();
    const tasks = [1, 2].map(() => pool.run({ act: 'hang' }, longMs, abort.signal));
    await expect.poll(() => pool.pids().length).toBe(1);
    abort.abort(reason);
    expect(await Promise.allSettled(tasks)).toEqual(tasks.map(() => ({ status: 'rejected', reason })));
    await expect.poll(() => pool.pids()).toEqual([]);
  });

  it('keeps the environment of this process from its children', async () => {
    const environment = await createPool().run({ act: 'environment' }, longMs, neverAborted);
    expect(environment).not.toHaveProperty('PATH', process.env.PATH);
    expect(environment).not.toHaveProperty('HOME');
  });

  it('ends a process that has been idle', async () => {
    const pool = createPool({ idleMs: 10 });
    await pool.run({ echo: 1 }, longMs, neverAborted);
    await expect.poll(() => pool.pids()).toEqual([]);
    expect(await pool.run({ echo: 2 }, longMs, neverAborted)).toBe(2);
  });

  it.runIf(process.platform === 'linux')('bounds what a process allocates outside of its heap', async () => {
    const pool = createPool({ memoryMb: 128 });
    expect(await pool.run({ allocate: 32 }, longMs, neverAborted)).toBe(32);
    await expect(pool.run({ allocate: 512 }, longMs, neverAborted)).rejects.toThrow();
    expect(await pool.run({ allocate: 32 }, longMs, neverAborted)).toBe(32);
  });

  it('takes no tasks once it is closed', async () => {
    const pool = createPool();
    await pool.close();
    await expect(pool.run({ echo: 1 }, longMs, neverAborted)).rejects.toMatchObject({ reason: 'ended' });
  });
});
