/**
 * Worker threads for work that would block the event loop: the index, the store, sentence scoring. (Pages are read in processes:
 * see process-pool.ts.) Workers start from TypeScript sources and from the built package alike. One that ends, as when it runs out
 * of memory, fails the tasks that it had, and the pool starts another. Workers that have nothing to do give memory back.
 */
import { Piscina } from 'piscina';
import { restMs } from '../memory/collect-garbage.ts';
import { collectInPool } from '../memory/collect-in-pool.ts';
import { asPartOf, createOldestFirst } from '../oldest-first.ts';
import { resolveWorkerFile } from '../worker-file.ts';

export interface WorkerPoolOptions {
  /** `new URL('./name-worker.ts', import.meta.url)`, in the folder of the caller: a bundle has no folders. */
  readonly worker: URL;
  /** The number of workers. */
  readonly workers: number;
  /** Workers that start only once there is a task for them and all others are busy; 0 by default. */
  readonly reserve?: number;
  /** Passed to the worker module as `workerData`; must be structured-cloneable. */
  readonly data?: unknown;
  /**
   * The limit of each worker's space for new objects, MiB. Without one, a busy worker takes 48 MiB and keeps them, even if few of
   * its objects outlive a task.
   */
  readonly youngMb?: number;
  /** After how many milliseconds without a task workers collect their garbage; by default 5,000 the first time, then 60,000. */
  readonly restMs?: number;
  /** Tasks per worker; 1 by default. More only for workers whose tasks are short and synchronous. */
  readonly concurrency?: number;
}

export interface WorkerPool<Task, Result> {
  /** Rejects with the worker's error. */
  run(task: Task): Promise<Result>;
  /**
   * The same for a task, an object, of the search with this signal: of tasks that wait, those of the oldest search are next. The
   * signal ends no task.
   */
  runFor(search: AbortSignal, task: Task): Promise<Result>;
  /** Starts the workers now; otherwise the first task does. */
  start(): void;
  close(): Promise<void>;
}

/**
 * Piscina requires a worker's module before it imports it. Node 20 ends the whole process when a worker is terminated while
 * it requires an ES module, which a quick shutdown can bring about; importing survives it.
 */
const importOnly = ['--no-experimental-require-module'];

/** After this many, those beyond `workers` end; set by hand. */
const reserveIdleMs = 60_000;

/** A pool that starts its workers lazily, and its tasks in the order in which they, or the searches that they are part of, came. */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  let pool: Piscina<Task, Result> | undefined;
  let running = 0;
  let hasCollected = false;
  let rest = setTimeout(collect, options.restMs ?? restMs.first).unref();

  function collect(): void {
    if (running > 0 || pool === undefined) return;
    collectInPool(pool);
    hasCollected = true;
  }

  function restAgain(): void {
    if (!hasCollected) return void rest.refresh();
    hasCollected = false;
    clearTimeout(rest);
    rest = setTimeout(collect, options.restMs ?? restMs.later).unref();
  }

  function started(): Piscina<Task, Result> {
    if (pool !== undefined) return pool;
    const { url, execArgv } = resolveWorkerFile(options.worker);
    pool = new Piscina({
      filename: url.href,
      minThreads: options.workers,
      maxThreads: options.workers + (options.reserve ?? 0),
      concurrentTasksPerWorker: options.concurrency ?? 1,
      idleTimeout: reserveIdleMs,
      // Otherwise a task that finds all workers busy goes to the end of the queue, where others overtake it again and again.
      stricterFIFO: true,
      taskQueue: createOldestFirst(),
      recordTiming: false,
      workerData: options.data,
      execArgv: [...execArgv, ...importOnly],
      resourceLimits: options.youngMb === undefined ? {} : { maxYoungGenerationSizeMb: options.youngMb },
    });
    pool.on('error', () => {
      // A worker died between tasks; the pool has already replaced it.
    });
    return pool;
  }

  async function run(task: Task): Promise<Result> {
    running += 1;
    try {
      return await started().run(task);
    } finally {
      running -= 1;
      restAgain();
    }
  }

  return {
    run,
    runFor: (search, task) => run(asPartOf(task, search)),
    start: () => void started(),
    async close() {
      clearTimeout(rest);
      await pool?.destroy();
    },
  };
}
