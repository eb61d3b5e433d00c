/** The options of a client and of its searches. */

import type { CacheOptions } from './answer-cache.ts';
import type { CitewireError } from './citewire-error.ts';
import type { SocketConstructor, Ticket } from './connect.ts';

export interface ClientOptions {
  /** Base URL of the server: `https://search.example.org`, with its path if it has one. */
  readonly baseUrl: string;
  /** Never put a key into a public page; use `ticket` there. */
  readonly apiKey?: string | undefined;
  /** Gets a ticket for one connection; called before each. */
  readonly ticket?: (() => Promise<Ticket>) | undefined;
  /** Default: the global one, which Node has from version 22. The class of the package `ws` works too. */
  readonly WebSocket?: SocketConstructor | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Consecutive failed attempts after which the error is thrown; default 10. */
  readonly maxRetries?: number;
  /** Upper bound of the delay before the second attempt, default 250; doubles up to `maxBackoffMs`, default 10,000. */
  readonly backoffMs?: number;
  readonly maxBackoffMs?: number;
  /** Maximum wait for a WebSocket to become ready; default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Maximum wait for an HTTP response; default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Silence after which a stream counts as dead; default twice the server's heartbeat. */
  readonly silenceTimeoutMs?: number;
  /** Caches answers in memory; without it every search goes to the server. */
  readonly cache?: CacheOptions | undefined;
}

export interface SearchOptions extends ReadOptions {
  /** Default: a random key. A request with a key of your own is never answered from the cache. */
  readonly idempotencyKey?: string | undefined;
  /** What the server does when a search has no readers left; has no effect over Server-Sent Events. */
  readonly onDisconnect?: 'grace' | 'cancel' | 'continue' | undefined;
}

export interface ReadOptions {
  /** Cancels the search on the server. */
  readonly signal?: AbortSignal | undefined;
  /** `auto`, the default: the WebSocket while it works, otherwise Server-Sent Events. */
  readonly transport?: 'auto' | 'websocket' | 'sse' | undefined;
  /**
   * For showing the state to users: called with the failure after which the client waits and retries (`retry_after_ms` if
   * the server sent one), and with undefined once events arrive again.
   */
  readonly onPause?: ((why: CitewireError | undefined) => void) | undefined;
}

export interface PublishedOptions extends SearchOptions {
  /** Default: the newest. */
  readonly version?: number | undefined;
}
