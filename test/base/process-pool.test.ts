/** Work in child processes: its limits, and that a failing child never ends the process that started it. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from '../../src/base/processes/process-pool.ts';
import { bundleVariable } from '../support/processes/run-script.ts';
import type { TestTask } from '../support/scripts/task-worker.ts';

const worker = new URL('../support/scripts/task-worker.ts', import.meta.url);
const longMs = 60_000;
const patient = { owners: [], deadlineMs: longMs };
const pools: ProcessPool<TestTask, unknown>[] = [];

function createPool(options: Partial<ProcessPoolOptions> = {}): ProcessPool<TestTask, unknown> {
  const pool = createProcessPool<TestTask, unknown>({
    worker,
    processes: 1,
    reserve: 0,
    memoryMb: 64,
    heapMb: 64,
    semiSpaceMb: 8,
    totalMb: 10_000,
    restMb: 10_000,
    idleMs: longMs,
    ...options,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** As in proc(5): R for running, S for sleeping, T for stopped. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
  } catch {
    return undefined;
  }
}

describe('a pool of processes', () => {
  it('returns the result of the worker, including bytes, and rejects with its error message', async () => {
    const pool = createPool();
    const echo = { text: 'a', bytes: new Uint8Array([1, 2, 3]) };
    expect(await pool.run({ echo }, patient, neverAborted)).toEqual(echo);
    await expect(pool.run({ fail: 'no such page' }, patient, neverAborted)).rejects.toThrow('no such page');
  });

  it('hands over the bytes of each task, whatever their number', async () => {
    const pool = createPool({ memoryMb: 256 });
    for (const size of [0, 1, 65_537, 12_000_001, 3]) {
      const bytes = randomBytes(size);
      const hash = createHash('sha256').update(bytes).digest('hex');
      expect(await pool.run({ act: 'hash' }, { ...patient, bytes }, neverAborted)).toBe(hash);
    }
    expect(pool.pids()).toHaveLength(1);
  });

  it('fails a task whose process ends before it has read the bytes', async () => {
    const pool = createPool();
    const pid = (await pool.run({ act: 'pid' }, patient, neverAborted)) as number;
    // It reads nothing any more.
    process.kill(pid, 'SIGSTOP');
    const running = pool.run({ act: 'hash' }, { ...patient, bytes: randomBytes(40_000_000) }, neverAborted);
    await new Promise((resolve) => setImmediate(resolve));
    process.kill(pid, 'SIGKILL');
    await expect(running).rejects.toMatchObject({ reason: 'ended' });
  });

  it('runs tasks in the same process, and the task after a failure in a new one', async () => {
    const pool = createPool();
    const pid = () => pool.run({ act: 'pid' }, patient, neverAborted);
    const first = await pid();
    expect(await pid()).toBe(first);
    await expect(pool.run({ exit: 3 }, patient, neverAborted)).rejects.toMatchObject({ reason: 'ended' });
    expect(await pid()).not.toBe(first);
  });

  it('runs tasks in at most as many processes as configured', async () => {
    const pool = createPool({ processes: 2 });
    const pids = await Promise.all(Array.from({ length: 6 }, () => pool.run({ act: 'pid' }, patient, neverAborted)));
    expect(new Set(pids).size).toBeLessThanOrEqual(2);
  });

  it('counts a deadline from the start of the task, not from its arrival in the queue', async () => {
    const pool = createPool();
    const terms = { ...patient, deadlineMs: 1_000 };
    const tasks = Array.from({ length: 4 }, () => pool.run({ sleep: 400 }, terms, neverAborted));
    expect(await Promise.all(tasks)).toEqual([400, 400, 400, 400]);
  });

  it('runs a task of an owner that has none running before the other tasks of one that has many', async () => {
    const pool = createPool({ reserve: 1 });
    const done: string[] = [];
    const run = (name: string, owner: string) =>
      pool.run({ sleep: 50 }, { ...patient, owners: [owner] }, neverAborted).then(() => done.push(name));
    // All three processes have loaded by then, which may take longer than the tasks.
    await Promise.all(['x', 'y', 'z'].map((owner) => run(owner, owner)));
    done.length = 0;
    await Promise.all([...[1, 2, 3, 4, 5].map((n) => run(`a${n}`, 'a')), run('b1', 'b')]);
    expect(done.indexOf('b1')).toBeLessThanOrEqual(2);
  });

  it('ends a task that exceeds its deadline, and its process', async () => {
    const pool = createPool();
    await expect(pool.run({ act: 'hang' }, { ...patient, deadlineMs: 50 }, neverAborted)).rejects.toMatchObject({
      // A machine that is busy with other work may not let it compute that long.
      reason: expect.stringMatching(/^(?:deadline|busy)$/),
    });
    expect(pool.pids()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('gives a task its time from when its process begins it', async () => {
    const pool = createPool();
    const pid = (await pool.run({ act: 'pid' }, patient, neverAborted)) as number;
    process.kill(pid, 'SIGSTOP');
    const task = pool.run({ sleep: 10 }, { ...patient, deadlineMs: 200 }, neverAborted);
    // Several times what the task may take.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    process.kill(pid, 'SIGCONT');
    expect(await task).toBe(10);
  });

  it('says that a process could not be started, and which file it could not load', async () => {
    vi.stubEnv(bundleVariable, '/nowhere');
    const pool = createPool();
    await expect(pool.run({ act: 'pid' }, patient, neverAborted)).rejects.toMatchObject({
      reason: 'unstarted',
      message: expect.stringMatching(/^The process could not load \S+: The process ended with code 1\.$/) as string,
    });
    vi.unstubAllEnvs();
  });

  it('says that a process did not load in time, and ends it', async () => {
    const pool = createPool({ startMs: 1 });
    await expect(pool.run({ act: 'pid' }, patient, neverAborted)).rejects.toMatchObject({
      reason: 'busy',
      message: 'The process did not load in time.',
    });
    expect(pool.pids()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'waits longer for a process that the machine has not let compute',
    async () => {
      const pool = createPool();
      const pid = (await pool.run({ act: 'pid' }, patient, neverAborted)) as number;
      const task = pool.run({ sleep: 10 }, { ...patient, deadlineMs: 1_500 }, neverAborted);
      process.kill(pid, 'SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      process.kill(pid, 'SIGCONT');
      expect(await task).toBe(10);
    },
  );

  it.runIf(process.platform === 'linux')(
    'does not count the time in which it was suspended with its process',
    async () => {
      const pool = createPool();
      const pid = (await pool.run({ act: 'pid' }, patient, neverAborted)) as number;
      const task = pool.run({ sleep: 200 }, { ...patient, deadlineMs: 1_000 }, neverAborted);
      await new Promise((resolve) => setTimeout(resolve, 100));
      process.kill(pid, 'SIGSTOP');
      // The timers of this process do not run.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
      process.kill(pid, 'SIGCONT');
      expect(await task).toBe(200);
    },
  );

  it('rejects running and waiting tasks with the reason of the signal', async () => {
    const pool = createPool();
    const reason = new Error('the caller left');
    const abort = new AbortController();
    const tasks = [1, 2].map(() => pool.run({ act: 'hang' }, patient, abort.signal));
    await expect.poll(() => pool.pids().length).toBe(1);
    abort.abort(reason);
    expect(await Promise.allSettled(tasks)).toEqual(tasks.map(() => ({ status: 'rejected', reason })));
    await expect.poll(() => pool.pids()).toEqual([]);
  });

  it('hides the environment of this process from its child processes', async () => {
    const environment = await createPool().run({ act: 'environment' }, patient, neverAborted);
    expect(environment).not.toHaveProperty('PATH', process.env.PATH);
    // Without it, the limit of the address space ended processes on a busy machine.
    expect(environment).toHaveProperty('MALLOC_ARENA_MAX', '1');
    expect(environment).not.toHaveProperty('HOME');
  });

  it('ends an idle child process', async () => {
    const pool = createPool({ idleMs: 10 });
    await pool.run({ echo: 1 }, patient, neverAborted);
    await expect.poll(() => pool.pids()).toEqual([]);
    expect(await pool.run({ echo: 2 }, patient, neverAborted)).toBe(2);
  });

  it.runIf(process.platform === 'linux')(
    'limits the memory that a child process allocates outside its heap',
    async () => {
      const pool = createPool({ memoryMb: 128 });
      expect(await pool.run({ allocate: 32 }, patient, neverAborted)).toBe(32);
      await expect(pool.run({ allocate: 512 }, patient, neverAborted)).rejects.toThrow();
      expect(await pool.run({ allocate: 32 }, patient, neverAborted)).toBe(32);
    },
  );

  it.runIf(process.platform === 'linux')('ends a process that keeps much memory after its task', async () => {
    const pool = createPool({ memoryMb: 256, restMb: 96 });
    const pid = () => pool.run({ act: 'pid' }, patient, neverAborted);
    const first = await pid();
    expect(await pool.run({ allocate: 1 }, patient, neverAborted)).toBe(1);
    expect(await pid()).toBe(first);
    expect(await pool.run({ allocate: 128 }, patient, neverAborted)).toBe(128);
    expect(pool.pids()).toEqual([]);
    expect(await pid()).not.toBe(first);
  });

  it.runIf(process.platform === 'linux')(
    'stops processes while all of them take more than they may together, and returns every result',
    async () => {
      const pool = createPool({ processes: 3, memoryMb: 256, totalMb: 160, restMb: 96 });
      const tasks = [100, 101, 102].map((hold) =>
        // The time for which it is stopped does not count.
        pool.run({ hold }, { ...patient, deadlineMs: 10_000 }, neverAborted),
      );
      const states = () => pool.pids().map((pid) => stateOf(pid));
      await expect.poll(() => states().filter((state) => state === 'T').length).toBe(2);
      expect(await Promise.all(tasks)).toEqual([100, 101, 102]);
    },
  );

  it.runIf(process.platform === 'linux')('stops no small process for the sake of large ones', async () => {
    const pool = createPool({ processes: 3, memoryMb: 256, totalMb: 160, restMb: 96 });
    const small = (await pool.run({ act: 'pid' }, patient, neverAborted)) as number;
    const tasks = [20, 100, 101].map((hold) => pool.run({ hold }, patient, neverAborted));
    const seen = new Set<string | undefined>();
    await expect
      .poll(() => {
        const stopped = pool.pids().filter((pid) => stateOf(pid) === 'T');
        if (stopped.length > 0) seen.add(stateOf(small));
        return stopped.length;
      })
      .toBe(1);
    expect(seen).not.toContain('T');
    expect(await Promise.all(tasks)).toEqual([20, 100, 101]);
  });

  it('starts a process ahead of the first task, which it runs', async () => {
    const pool = createPool();
    pool.prepare();
    pool.prepare();
    const seen = new Set<number>();
    // On Linux the first is only measured.
    const countSeen = () => {
      for (const pid of pool.pids()) seen.add(pid);
      return seen.size;
    };
    await expect.poll(countSeen).toBe(process.platform === 'linux' ? 2 : 1);
    expect(await pool.run({ act: 'pid' }, patient, neverAborted)).toBe([...seen].at(-1));
  });

  it('refuses tasks once the pool is closed', async () => {
    const pool = createPool();
    await pool.close();
    await expect(pool.run({ echo: 1 }, patient, neverAborted)).rejects.toMatchObject({ reason: 'ended' });
  });
});
