/**
 * Worker threads for whatever would make the loop that streams wait: pages, the index, sentence scoring. One way to
 * start them, from TypeScript sources and from the built package alike. A task whose signal fires takes its thread down
 * with it, and the pool starts another: a page that hangs a parser costs one thread's restart.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';

export interface WorkerPoolOptions {
  /** `new URL('./name-worker.ts', import.meta.url)`: in the folder of whoever starts it, for a bundle has no folders. */
  readonly worker: URL;
  readonly workers: number;
  /** Handed to the worker module as `workerData`; must survive a structured clone. */
  readonly data?: unknown;
  /** Old-space limit of each thread, MiB; passing it ends the thread, not the process. */
  readonly memoryMb?: number;
  /** Told what a thread posts to its parent. */
  readonly onMessage?: (message: unknown) => void;
  /** By how much its threads stand back behind the rest of the process, as in nice(2); 0 unless told. */
  readonly nice?: number;
  /** Tasks a thread may hold at once; more than 1 only for workers whose tasks are short and synchronous. */
  readonly concurrency?: number;
}

export interface WorkerPool<Task, Result> {
  /** Rejects with the signal's reason once it fires, and with the worker's own error otherwise. */
  run(task: Task, signal?: AbortSignal): Promise<Result>;
  /** How many tasks wait for a thread. */
  waiting(): number;
  /** Starts them; else the first task does. */
  start(): void;
  close(): Promise<void>;
}

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
      // A thread that died between tasks; the pool has already replaced it.
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

/** By its address: a name would be looked for from the folder that the process was started in. */
export function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
