/**
 * `citewire/client`, for pages and for Node: searches as streams that survive, and the calls beside them. One WebSocket
 * for all searches of a client, Server-Sent Events where there is none or none gets through. It imports nothing but its
 * own files, so that a page can load it as it is; of the protocol it knows only the types.
 *
 *     const client = createClient({ baseUrl: 'https://search.example.org', apiKey });
 *     const search = client.search({ prompt: 'How long does a request wait for headers by default?' });
 *     for await (const event of search) if (event.type === 'answer.delta') show(event.text);
 *     const { citations } = await search.result;
 */
import type {
  Contents,
  ContentsRequest,
  PageContents,
  SearchFrame,
  SearchList,
  SearchRecord,
  SearchResult,
} from '../../protocol/index.ts';
import { type AnswerCache, type CacheOptions, createAnswerCache } from './answer-cache.ts';
import { CitewireError } from './citewire-error.ts';
import { canSignIn, type SocketConstructor, type Ticket } from './connect.ts';
import { createLine } from './connection.ts';
import { createDesignCalls, type DesignCalls, type PageOptions, type PublishedCalls, queryOf } from './designs.ts';
import { createHttp } from './http.ts';
import type { ResultOf } from './result-of.ts';
import { type OpenStream, openStream, replayStream, type SearchStream } from './search-stream.ts';
import { createSseReader } from './sse-transport.ts';
import type { ApiInputs, Asked, SearchInput } from './transport.ts';

export type {
  Citation,
  Contents,
  ContentsRequest,
  Design,
  DesignChange,
  DesignRecord,
  LeafEvidence,
  PageContents,
  PublishedApi,
  SearchFrame,
  SearchList,
  SearchRecord,
  SearchResult,
  Source,
  StructuredResultWithEvidence,
  TextResult,
} from '../../protocol/index.ts';
export type { CacheOptions } from './answer-cache.ts';
export { CitewireError, type ClientErrorCode } from './citewire-error.ts';
export type { SocketConstructor, Ticket } from './connect.ts';
export type { DesignCalls, DesignInput, PageOptions, PublishedCalls } from './designs.ts';
export { type Block, emptySearch, reduceSearch, type SearchState, type Step } from './reduce-search.ts';
export type { ResultOf } from './result-of.ts';
export type { SearchStream } from './search-stream.ts';
export type { ApiInputs, SearchInput, Template } from './transport.ts';

export interface ClientOptions {
  /** Where the server is: `https://search.example.org`, with a path if it has one. */
  readonly baseUrl: string;
  /** Never in a page that others open: there `ticket` signs in. */
  readonly apiKey?: string | undefined;
  /** Buys a ticket for one connection; called for each. */
  readonly ticket?: (() => Promise<Ticket>) | undefined;
  /** Unless given, the global one; Node has one from version 22. The class of the package `ws` fits. */
  readonly WebSocket?: SocketConstructor | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** How many tries in a row may fail before the failure is yours; 10 unless given. */
  readonly maxRetries?: number;
  /** The longest pause before the second try, 250 ms unless given; it doubles, up to `maxBackoffMs`, 10 s. */
  readonly backoffMs?: number;
  readonly maxBackoffMs?: number;
  /** The longest wait for a WebSocket to be ready; 10 s unless given. */
  readonly connectTimeoutMs?: number;
  /** The longest wait for an HTTP answer; 60 s unless given. */
  readonly requestTimeoutMs?: number;
  /** The longest silence before a stream is taken for dead; twice the server's heartbeat unless given. */
  readonly silenceTimeoutMs?: number;
  /** Keeps answers in memory; without it every search is a search. */
  readonly cache?: CacheOptions | undefined;
}

export interface SearchOptions extends ReadOptions {
  /** Your own name for this request; one is made up unless given. A request with one of your own is never answered from the cache. */
  readonly idempotencyKey?: string | undefined;
  /** What the server does when nobody reads the search any more; only the WebSocket carries it. */
  readonly onDisconnect?: 'grace' | 'cancel' | 'continue' | undefined;
}

export interface ReadOptions {
  /** Cancels the search on the server. */
  readonly signal?: AbortSignal | undefined;
  /** `auto`: the WebSocket while it works, else Server-Sent Events. */
  readonly transport?: 'auto' | 'websocket' | 'sse' | undefined;
  /**
   * For who shows it: called with the failure after which the client waits and tries again (`retry_after_ms` where the
   * server asks for it), and with undefined once events come again.
   */
  readonly onPause?: ((why: CitewireError | undefined) => void) | undefined;
}

export interface PublishedOptions extends SearchOptions {
  /** The newest, unless given. */
  readonly version?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Client {
  /** Starts at once. Throws a TypeError when a transport is asked for that there is not. */
  search<const Request extends SearchInput>(request: Request, options?: SearchOptions): SearchStream<ResultOf<Request>>;
  /** Runs an API that the key's account has designed, as its draft is now. */
  runDesign<Result = SearchResult>(api_stub: string, inputs?: ApiInputs, options?: SearchOptions): SearchStream<Result>;
  /** Runs a published API: exactly `version`, or the newest. */
  callPublished<Result = SearchResult>(
    api_stub: string,
    inputs?: ApiInputs,
    options?: PublishedOptions,
  ): SearchStream<Result>;
  /** Drafts of the key's account. */
  readonly designs: DesignCalls;
  /** What there is to call. */
  readonly published: PublishedCalls;
  /** Reads a search that was begun elsewhere, or before this page was loaded, behind the seq `after`. */
  follow(search_id: string, options?: ReadOptions & { readonly after?: number }): SearchStream<unknown>;
  /** A page as searches read it. */
  contents(request: ContentsRequest, options?: CallOptions): Promise<Contents>;
  /** The text that citations point into. */
  snapshot(id: string, options?: CallOptions): Promise<PageContents>;
  getSearch(search_id: string, options?: CallOptions): Promise<SearchRecord>;
  /** Newest first; `cursor` is the one of the page before. */
  listSearches(options?: PageOptions): Promise<SearchList>;
  /** Leaves every search, which then fails with `closed`, and closes the connection. */
  close(): void;
}

/** Throws a TypeError when `baseUrl` is no URL. Connects when there is something to ask. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, ticket, WebSocket = globalThis.WebSocket as SocketConstructor | undefined } = options;
  const { maxRetries = 10, backoffMs = 250, maxBackoffMs = 10_000 } = options;
  const { connectTimeoutMs = 10_000, requestTimeoutMs = 60_000, silenceTimeoutMs } = options;
  const pace = { backoffMs, maxBackoffMs };
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const http = createHttp({ baseUrl, apiKey, fetch, maxRetries, requestTimeoutMs, ...pace });
  const readBySse = createSseReader({ http, requestTimeoutMs, silenceTimeoutMs: silenceTimeoutMs ?? 30_000 });
  const line =
    WebSocket !== undefined && canSignIn({ apiKey, ticket, WebSocket })
      ? createLine({ baseUrl, apiKey, ticket, WebSocket, connectTimeoutMs, silenceTimeoutMs, ...pace })
      : undefined;
  /** With tickets alone a page has nothing to sign HTTP calls with, unless its own fetch does. */
  const httpSignsIn = ticket === undefined || apiKey !== undefined || options.fetch !== undefined;
  const cache: AnswerCache | undefined = options.cache && createAnswerCache(options.cache);
  const streams = new Set<OpenStream>();
  let isClosed = false;

  function open(
    asked: Asked | undefined,
    { signal, transport = 'auto', onPause = () => {} }: ReadOptions,
    rest: { search_id?: string; after?: number; onCompleted?: (frames: readonly SearchFrame[]) => void } = {},
  ): SearchStream<unknown> {
    if (transport === 'websocket' && line === undefined) {
      throw new TypeError(
        'Expected a WebSocket that can sign in: give `WebSocket` (in Node 20 that of `ws`) or `ticket`.',
      );
    }
    const opened = openStream({
      ...rest,
      asked,
      signal,
      maxRetries,
      onPause,
      ...pace,
      reader() {
        if (line === undefined || transport === 'sse') return readBySse;
        return transport === 'websocket' || line.isUsable() || !httpSignsIn ? line.read : readBySse;
      },
      sendCancel(search_id) {
        if (line?.cancel(search_id) !== true)
          http.json({ method: 'DELETE', path: searchPath(search_id) }).catch(() => {});
      },
      readRecord: (search_id) => http.json({ method: 'GET', path: searchPath(search_id) }),
      onEnd(frames, terminal) {
        streams.delete(opened);
        if (terminal?.type === 'search.completed' && terminal.status !== 'partial') rest.onCompleted?.(frames);
      },
    });
    streams.add(opened);
    if (isClosed) opened.fail(closed());
    return opened.stream;
  }

  async function cached<Answer>(asked: object, ask: () => Promise<Answer>): Promise<Answer> {
    const before = cache?.get<Answer>(asked);
    if (before !== undefined) return before;
    const answer = await ask();
    cache?.set(asked, answer);
    return answer;
  }

  function ask(
    request: Asked['request'],
    { idempotencyKey, onDisconnect = 'grace', ...how }: SearchOptions,
  ): SearchStream<never> {
    // A draft may be another one the next time.
    const mayKeep = idempotencyKey === undefined && !('version' in request && request.version === 'draft');
    const kept = mayKeep ? cache?.get<readonly SearchFrame[]>(request) : undefined;
    if (kept !== undefined) return replayStream(kept) as SearchStream<never>;
    const idempotency_key = idempotencyKey ?? randomKey();
    const asked = { request, idempotency_key, on_disconnect: onDisconnect };
    const onCompleted = mayKeep ? (frames: readonly SearchFrame[]) => cache?.set(request, frames) : undefined;
    return open(asked, how, onCompleted === undefined ? {} : { onCompleted }) as SearchStream<never>;
  }

  return {
    search: (request, options = {}) => ask(request, options),
    runDesign: (api_stub, inputs = {}, options = {}) => ask({ api_stub, version: 'draft', inputs }, options),
    callPublished: (api_stub, inputs = {}, { version, ...options } = {}) =>
      ask({ api_stub, version: version ?? 'newest', inputs }, options),
    ...createDesignCalls(http),
    follow: (search_id, { after = 0, ...how } = {}) => open(undefined, how, { search_id, after }),
    contents: ({ ...request }, { signal } = {}) =>
      cached(request, () => http.json({ method: 'POST', path: 'v1/contents', body: request, signal })),
    snapshot: (id, { signal } = {}) =>
      http.json({ method: 'GET', path: `v1/contents/${encodeURIComponent(id)}`, signal }),
    getSearch: (search_id, { signal } = {}) => http.json({ method: 'GET', path: searchPath(search_id), signal }),
    listSearches: ({ signal, ...page } = {}) => http.json({ method: 'GET', path: `v1/search${queryOf(page)}`, signal }),
    close() {
      isClosed = true;
      for (const { fail } of [...streams]) fail(closed());
      line?.close();
    },
  };
}

function closed(): CitewireError {
  return new CitewireError('closed', 'The client was closed.');
}

function searchPath(search_id: string): string {
  return `v1/search/${encodeURIComponent(search_id)}`;
}

/** 128 random bits; `randomUUID` is missing in pages that were not loaded over TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
