/** What all streams to clients have in common, whatever their events are. */
import type { Headers } from './exchange.ts';

/**
 * How long a client may read nothing of a stream, ms. Set by hand. `uws/exchange.ts` prevents the native server from giving up
 * on a full response sooner.
 */
export const stallMs = 20_000;

/** The headers of Server-Sent Events. Proxies that compress or buffer would hold events back. */
export const eventStreamHeaders: Headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
