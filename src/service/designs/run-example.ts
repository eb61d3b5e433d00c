/** Runs the examples of designs, before a version is published. */
import type { Caller } from '../../access/identity.ts';
import type { RunExample } from '../../designs/run-examples.ts';
import type { Registry } from '../../runs/registry.ts';
import type { Call } from '../calls.ts';
import type { StartSearch } from '../searches/start-search.ts';

/**
 * Runs an example as a search of the caller, who waits for it: it is cancelled when they leave, when its own signal
 * fires, or at `deadline`, in `performance.now()` ms.
 */
export type RunExampleOf = (caller: Caller, call: Call, deadline: number) => RunExample;

/** Examples are started by `start` and read until they end. */
export function createRunExample(runs: Pick<Registry, 'attach'>, start: StartSearch): RunExampleOf {
  return (caller, { request_id, signal: left, traceparent }, deadline) =>
    async (spec, failed) => {
      const signal = AbortSignal.any([left, failed]);
      const maxSeconds = Math.max(0.001, (deadline - performance.now()) / 1000);
      const call = { request_id, signal, on_disconnect: 'cancel', traceparent, channel: 'example' } as const;
      const run = await start({ caller, call, spec, maxSeconds });
      const detach = runs.attach(run);
      signal.addEventListener('abort', detach, { once: true });
      if (signal.aborted) detach();
      const terminal = await run.done;
      detach();
      return { search_id: run.search_id, terminal };
    };
}
