/**
 * Remote calls to worker threads: a worker serves an object of synchronous functions, and the main thread calls them by name
 * with the same types. Failures are returned as CorpusErrors with their code.
 */
import type { WorkerPool } from '../base/worker-pool.ts';
import { CorpusError, type CorpusErrorCode, explainFailure } from './corpus-error.ts';

export interface WorkerCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export type WorkerReply =
  | { readonly value: unknown }
  | { readonly failure: { readonly code: CorpusErrorCode; readonly message: string } };

type Methods<Api> = { [K in keyof Api]: (...args: never[]) => unknown };

export type CallWorker<Api extends Methods<Api>> = <K extends keyof Api & string>(
  method: K,
  ...args: Parameters<Api[K]>
) => Promise<ReturnType<Api[K]>>;

/**
 * The caller's end: a function that calls a method of the API by its name. Rejects with a CorpusError when the method throws.
 * Once `closed` fires, new calls, and calls in progress that fail, reject with its reason. `onFailure` gets every CorpusError.
 */
export function callWorker<Api extends Methods<Api>>(
  threads: WorkerPool<WorkerCall, WorkerReply>,
  closed: AbortSignal,
  onFailure: (error: CorpusError) => void,
): CallWorker<Api> {
  return async (method, ...args) => {
    closed.throwIfAborted();
    const reply = await threads.run({ method, args }).catch((error) => {
      closed.throwIfAborted();
      throw error;
    });
    if ('failure' in reply) {
      const error = new CorpusError(reply.failure.code, reply.failure.message);
      onFailure(error);
      throw error;
    }
    return reply.value as ReturnType<Api[typeof method]>;
  };
}

/** The worker's end: a function that runs calls. The first call opens the API, so failing to open the file is a reply. */
export function serveWorker<Api extends Methods<Api>>(
  file: string,
  open: () => Api,
): (call: WorkerCall) => WorkerReply {
  let api: Api | undefined;
  return ({ method, args }) => {
    try {
      api ??= open();
      const run = api[method as keyof Api] as unknown as (...args: readonly unknown[]) => unknown;
      return { value: run(...args) };
    } catch (error) {
      const { code, message } = explainFailure(error, file);
      return { failure: { code, message } };
    }
  };
}
