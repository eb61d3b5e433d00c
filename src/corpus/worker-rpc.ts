/**
 * Calls of one API's methods across a thread: the worker serves an object of synchronous functions, the main thread
 * calls them by name with the same types. Failures come back as CorpusErrors with their code.
 */
import type { WorkerPool } from '../base/worker-pool.ts';
import { CorpusError, type CorpusErrorCode, explainFailure } from './corpus-error.ts';

export interface ThreadCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ThreadReply =
  | { readonly value: unknown }
  | { readonly failure: { readonly code: CorpusErrorCode; readonly message: string } };

type Methods<Api> = { [K in keyof Api]: (...args: never[]) => unknown };

export type CallThread<Api extends Methods<Api>> = <K extends keyof Api & string>(
  method: K,
  ...args: Parameters<Api[K]>
) => Promise<ReturnType<Api[K]>>;

/** The main thread's end. Once `closed` fires, every call rejects with its reason, those under way too if they fail. */
export function callThread<Api extends Methods<Api>>(
  threads: WorkerPool<ThreadCall, ThreadReply>,
  closed: AbortSignal,
): CallThread<Api> {
  return async (method, ...args) => {
    closed.throwIfAborted();
    const reply = await threads.run({ method, args }).catch((error) => {
      closed.throwIfAborted();
      throw error;
    });
    if ('failure' in reply) throw new CorpusError(reply.failure.code, reply.failure.message);
    return reply.value as ReturnType<Api[typeof method]>;
  };
}

/** The worker's end. The API is opened by the first call, so that a file that cannot be opened is a reply, not a dead thread. */
export function serveThread<Api extends Methods<Api>>(
  file: string,
  open: () => Api,
): (call: ThreadCall) => ThreadReply {
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
