/**
 * Worker threads for work that would block the event loop: pages, the index, sentence scoring. Workers start from
 * TypeScript sources and from the built package alike. Aborting a running task terminates its worker, and the pool starts
 * another: a page that hangs a parser costs one restart. Workers that have nothing to do give memory back.
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
  /** The heap limit (old space) of each worker, MiB; exceeding it ends the worker, not the process. */
  readonly memoryMb?: number;
  /**
   * The limit of each worker's space for new objects, MiB. Without one, a busy worker takes 48 MiB and keeps them, even if few of
   * its objects outlive a task.
   */
  readonly youngMb?: number;
  /** Lowers the workers' priority relative to the process, as in nice(2); 0 by default. */
  readonly nice?: number;
  /** After how many milliseconds without a task workers collect their garbage; by default 5,000 the first time, then 60,000. */
  readonly restMs?: number;
  /** Tasks per worker; 1 by default. More only for workers whose tasks are short and synchronous. */
  readonly concurrency?: number;
}

export interface WorkerPool<Task, Result> {
  /**
   * Rejects with the signal's reason if it fires, else with the worker's error. The buffers of `moved` become the worker's
   * and are empty here.
   */
  run(task: Task, signal?: AbortSignal, moved?: readonly ArrayBuffer[]): Promise<Result>;
  /** The same for a task, an object, of the search with this signal, which ends none: of tasks that wait, those of the oldest search are next. */
  runFor(search: AbortSignal, task: Task): Promise<Result>;
  /** The number of tasks that wait for a worker. */
  waiting(): number;
  /** Starts the workers now; otherwise the first task does. */
  start(): void;
  close(): Promise<void>;
}

/**
 * Piscina requires a worker's module before it imports it. Node 20 ends the whole process when a worker is terminated while
 * it requires an ES module, which a caller who leaves early or a quick shutdown can bring about; importing survives it.
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
      niceIncrement: options.nice ?? 0,
      idleTimeout: reserveIdleMs,
      // Otherwise a task that finds all workers busy goes to the end of the queue, where others overtake it again and again.
      stricterFIFO: true,
      taskQueue: createOldestFirst(),
      recordTiming: false,
      workerData: options.data,
      execArgv: [...execArgv, ...importOnly],
      resourceLimits: {
        ...(options.memoryMb === undefined ? {} : { maxOldGenerationSizeMb: options.memoryMb }),
        ...(options.youngMb === undefined ? {} : { maxYoungGenerationSizeMb: options.youngMb }),
      },
    });
    pool.on('error', () => {
      // A worker died between tasks; the pool has already replaced it.
    });
    return pool;
  }

  async function run(task: Task, signal?: AbortSignal, moved: readonly ArrayBuffer[] = []): Promise<Result> {
    signal?.throwIfAborted();
    running += 1;
    try {
      return await started().run(task, { transferList: [...moved], ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      running -= 1;
      restAgain();
    }
  }

  return {
    run,
    runFor: (search, task) => run(asPartOf(task, search)),
    waiting: () => pool?.queueSize ?? 0,
    start: () => void started(),
    async close() {
      clearTimeout(rest);
      await pool?.destroy();
    },
  };
}
