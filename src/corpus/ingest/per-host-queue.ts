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

/** How long, and how often, a host is left alone that asks for it; set by hand. */
const maxPauseMs = 60_000;
const maxPauses = 10;

/**
 * Runs `visit` for every URL; resolves when all are done, rejects with the signal's reason once none runs. `visit` must not reject.
 * If it resolves to a time, ms, no page of the host is visited for so long, within limits; then that page is visited again, once.
 */
export async function visitPerHost(
  urls: readonly string[],
  options: HostLimits,
  visit: (url: string, isLast: boolean) => Promise<number | undefined>,
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
    const host = { next: 0, at: 0, pauses: 0 };
    const again = new Set<string>();
    return Array.from({ length: Math.min(options.connectionsPerHost, queue.length) }, () => async () => {
      while (host.next < queue.length) {
        signal.throwIfAborted();
        const url = queue[host.next++] as string;
        const gap = await options.delay(url);
        const visitIfDue = async () => {
          // Another connection may have begun while this one waited for its turn.
          if (performance.now() < host.at) return false;
          host.at = performance.now() + gap;
          const pauseMs = await visit(url, again.has(url) || host.pauses >= maxPauses);
          if (pauseMs !== undefined) {
            host.pauses += 1;
            host.at = Math.max(host.at, performance.now() + Math.min(pauseMs, maxPauseMs));
            again.add(url);
            queue.push(url);
          }
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
