/** Measures calls to models and search providers: their outcome, and the time to their last byte. */

import type { UpstreamKind } from '../../base/metrics.ts';
import { parseRetryAfter } from '../../base/upstream/retry-after.ts';
import type { IncomingBytes } from '../../web/fetch/trusted-fetch.ts';

/** Notified of every call to a model or a provider, and of what is learned from them. */
export interface UpstreamWatch {
  called?(kind: UpstreamKind, name: string, outcome: 'ok' | 'error' | 'limited', seconds: number): void;
  /** An upstream answered 429; `retryAfterMs` is the wait it asked for, if any. */
  limited?(retryAfterMs: number | undefined): void;
  /** An endpoint turned out to lack a feature; its name is one of a short list. */
  learned?(lesson: string): void;
  /** Something is wrong with a model, in one sentence without secrets. */
  troubled?(model: string, trouble: string): void;
}

/** `inner`, watched. `name` is that of an adapter. */
export function watchedFetch(
  inner: typeof fetch,
  kind: UpstreamKind,
  name: string,
  watch: UpstreamWatch,
): typeof fetch {
  return async (input, init) => {
    const startedAt = performance.now();
    const report = (outcome: 'ok' | 'error' | 'limited') =>
      watch.called?.(kind, name, outcome, (performance.now() - startedAt) / 1000);
    try {
      const response = await inner(input, init);
      const { incoming } = response as { incoming?: IncomingBytes };
      if (incoming !== undefined) return Object.assign(response, { incoming: watched(incoming, report) });
      if (response.status === 429) watch.limited?.(parseRetryAfter(response.headers.get('retry-after')));
      report(response.status === 429 ? 'limited' : response.ok ? 'ok' : 'error');
      return response;
    } catch (error) {
      report('error');
      throw error;
    }
  };
}

/** Reports the end of a stream. One that its reader cancels has ended well. */
function watched({ read, cancel }: IncomingBytes, report: (outcome: 'ok' | 'error') => void): IncomingBytes {
  let isCancelled = false;
  return {
    read: (onBytes, onEnd) =>
      read(onBytes, (error) => {
        report(error === undefined || isCancelled ? 'ok' : 'error');
        onEnd(error);
      }),
    cancel() {
      isCancelled = true;
      cancel();
    },
  };
}
