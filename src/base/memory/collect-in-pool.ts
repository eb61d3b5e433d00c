/** Collects the garbage of worker threads, which have no timers between two tasks. */
import type { Piscina } from 'piscina';
import { resolveWorkerFile } from '../worker-file.ts';

/** Gives each worker of a pool that has no other tasks the one to collect its garbage. */
export function collectInPool(pool: Piscina): void {
  const { url } = resolveWorkerFile(new URL('./collect-garbage-worker.ts', import.meta.url));
  // Idle workers take turns. The pool may be closed meanwhile.
  for (const _ of pool.threads) pool.run(undefined, { filename: url.href }).catch(() => {});
}
