/**
 * Worker threads for work that would block the event loop: pages, the index, sentence scoring. Workers start from
 * TypeScript sources and from the built package alike. Aborting a running task terminates its worker, and the pool starts
 * another: a page that hangs a parser costs one restart.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';

export interface WorkerPoolOptions {
  /** `new URL('./name-worker.ts', import.meta.url)`, in the folder of the caller: a bundle has no folders. */
  readonly worker: URL;
  /** The number of workers. */
  readonly workers: number;
  /** Passed to the worker module as `workerData`; must be structured-cloneable. */
  readonly data?: unknown;
  /** The heap limit (old space) of each worker, MiB; exceeding it ends the worker, not the process. */
  readonly memoryMb?: number;
  /** Called with every message that a worker posts to its parent. */
  readonly onMessage?: (message: unknown) => void;
  /** Lowers the workers' priority relative to the process, as in nice(2); 0 by default. */
  readonly nice?: number;
  /** Tasks per worker; 1 by default. More only for workers whose tasks are short and synchronous. */
  readonly concurrency?: number;
}

export interface WorkerPool<Task, Result> {
  /** Rejects with the signal's reason if it fires, else with the worker's error. */
  run(task: Task, signal?: AbortSignal): Promise<Result>;
  /** The number of tasks that wait for a worker. */
  waiting(): number;
  /** Starts the workers now; otherwise the first task does. */
  start(): void;
  close(): Promise<void>;
}

/** A pool that starts its workers lazily. */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const fromSources = import.meta.url.endsWith('.ts');
  let pool: Piscina<Task, Result> | undefined;
  function started(): Piscina<Task, Result> {
    if (pool !== undefined) return pool;
    pool = new Piscina({
      filename: fromSources ? options.worker.href : options.worker.href.replace(/\.ts$/, '.js'),
      minThreads: options.workers,
      maxThreads: options.workers,
      concurrentTasksPerWorker: options.concurrency ?? 1,
      niceIncrement: options.nice ?? 0,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      workerData: options.data,
      ...(fromSources ? { execArgv: ['--import', typescriptLoader()] } : {}),
      ...(options.memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: options.memoryMb } }),
    });
    if (options.onMessage !== undefined) pool.on('message', options.onMessage);
    pool.on('error', () => {
      // A worker died between tasks; the pool has already replaced it.
    });
    return pool;
  }
  return {
    async run(task, signal) {
      signal?.throwIfAborted();
      try {
        return await started().run(task, signal === undefined ? {} : { signal });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    waiting: () => pool?.queueSize ?? 0,
    start: () => void started(),
    close: async () => pool?.destroy(),
  };
}

/** A URL, because a bare name would be resolved from the working directory of the process. */
export function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
