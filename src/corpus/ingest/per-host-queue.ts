/** Visits URLs with limits per host on connections and on the time between requests. */

export interface HostLimits {
  readonly connections: number;
  readonly connectionsPerHost: number;
  /** Min. time between two requests to the URL's host, ms. */
  delay(url: string): Promise<number>;
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
    const turn = { next: 0, at: 0 };
    return Array.from({ length: Math.min(options.connectionsPerHost, queue.length) }, () => async () => {
      while (turn.next < queue.length) {
        signal.throwIfAborted();
        const url = queue[turn.next++] as string;
        const gap = await options.delay(url);
        const start = Math.max(Date.now(), turn.at);
        turn.at = start + gap;
        await waitFor(start - Date.now(), signal);
        await visit(url);
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

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
