/** Visits URLs with limits per host on connections and on the time between requests. */
import { sleep } from '../../base/abort.ts';
import type { InTurn } from '../../base/fair-queue.ts';

export interface HostLimits {
  readonly connections: number;
  readonly connectionsPerHost: number;
  /** Min. time between two requests to the URL's host, ms. */
  delay(url: string): Promise<number>;
  /** Does each visit. */
  readonly inTurn: InTurn;
}

/** Runs `visit` for every URL; resolves when all are done, rejects with the signal's reason once none runs. `visit` must not reject. */
export async function visitPerHost(
  urls: readonly string[],
  options: HostLimits,
  visit: (url: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const hosts = new Map<string, string[]>();
  for (const url of urls) {
    const { host } = new URL(url);
    const queue = hosts.get(host);
    if (queue === undefined) hosts.set(host, [url]);
    else queue.push(url);
  }
  const lanes = [...hosts.values()].flatMap((queue) => {
    // `at` is on the clock of `performance`, which is never set back.
    const host = { next: 0, at: 0 };
    return Array.from({ length: Math.min(options.connectionsPerHost, queue.length) }, () => async () => {
      while (host.next < queue.length) {
        signal.throwIfAborted();
        const url = queue[host.next++] as string;
        const gap = await options.delay(url);
        const visitIfDue = async () => {
          // Another connection may have begun while this one waited for its turn.
          if (performance.now() < host.at) return false;
          host.at = performance.now() + gap;
          await visit(url);
          return true;
        };
        do {
          const wait = host.at - performance.now();
          if (wait > 0) await sleep(wait, signal);
        } while (!(await options.inTurn(visitIfDue, signal)));
      }
    });
  });
  let next = 0;
  const worker = async () => {
    while (next < lanes.length) await lanes[next++]?.();
  };
  const ended = await Promise.allSettled(Array.from({ length: options.connections }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
