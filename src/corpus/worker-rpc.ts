/**
 * Remote calls to worker threads: a worker serves an object of functions, synchronous or not, and the main thread calls them by
 * name with the same types. Failures are returned as CorpusErrors with their code.
 */
import type { WorkerPool } from '../base/processes/worker-pool.ts';
import { CorpusError, type CorpusErrorCode } from './corpus-error.ts';

export interface WorkerCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export type WorkerReply =
  | { readonly value: unknown }
  | { readonly failure: { readonly code: CorpusErrorCode; readonly message: string } };

type Methods<Api> = { [K in keyof Api]: (...args: never[]) => unknown };

/** The same functions, which may also return promises. */
export type Awaitable<Api extends Methods<Api>> = {
  [K in keyof Api]: (...args: Parameters<Api[K]>) => ReturnType<Api[K]> | Promise<ReturnType<Api[K]>>;
};

export type CallWorker<Api extends Methods<Api>> = <K extends keyof Api & string>(
  method: K,
  ...args: Parameters<Api[K]>
) => Promise<ReturnType<Api[K]>>;

/**
 * The caller's end: a function that calls a method of the API by its name. Rejects with a CorpusError when the method throws.
 * With `search`, its calls are part of the search with this signal. Once `closed` fires, new calls, and calls in progress that fail,
 * reject with its reason. `onFailure` gets every CorpusError and returns what to reject with.
 */
export function callWorker<Api extends Methods<Api>>(
  threads: WorkerPool<WorkerCall, WorkerReply>,
  closed: AbortSignal,
  onFailure: (error: CorpusError) => Error,
  search?: AbortSignal,
): CallWorker<Api> {
  return async (method, ...args) => {
    closed.throwIfAborted();
    const call = { method, args };
    const called = search === undefined ? threads.run(call) : threads.runFor(search, call);
    const reply = await called.catch((error) => {
      closed.throwIfAborted();
      throw error;
    });
    if ('failure' in reply) {
      throw onFailure(new CorpusError(reply.failure.code, reply.failure.message));
    }
    return reply.value as ReturnType<Api[typeof method]>;
  };
}

/**
 * The worker's end: a function that runs calls. The first call opens the API, so failing to open it is a reply. `explain`
 * turns what was thrown into a CorpusError.
 */
export function serveWorker<Api extends Methods<Api>>(
  explain: (error: unknown) => CorpusError,
  open: () => Awaitable<Api>,
): (call: WorkerCall) => WorkerReply | Promise<WorkerReply> {
  let api: Awaitable<Api> | undefined;
  const failed = (error: unknown): WorkerReply => {
    const { code, message } = explain(error);
    return { failure: { code, message } };
  };
  return ({ method, args }) => {
    try {
      api ??= open();
      const run = api[method as keyof Api] as unknown as (...args: readonly unknown[]) => unknown;
      const value = run(...args);
      return value instanceof Promise ? value.then((settled) => ({ value: settled }), failed) : { value };
    } catch (error) {
      return failed(error);
    }
  };
}
