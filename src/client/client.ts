/**
 * `citewire/client`, for browsers and Node: searches as resumable streams, and the other calls of the API. All searches of
 * a client share one WebSocket; Server-Sent Events replace it where it is missing or blocked. The client imports only its
 * own files, so a page can load it without a bundler; from the protocol it imports only types.
 *
 *     const client = createClient({ baseUrl: 'https://search.example.org', apiKey });
 *     const search = client.search({ prompt: 'How long does a request wait for headers by default?' });
 *     for await (const event of search) if (event.type === 'answer.delta') show(event.text);
 *     const { citations } = await search.result;
 */
import type {
  Capabilities,
  Contents,
  ContentsRequest,
  FeedbackGiven,
  FeedbackList,
  FeedbackRequest,
  FollowUps,
  PageContents,
  SearchFrame,
  SearchList,
  SearchListQuery,
  SearchRecord,
  SearchRemoved,
  SearchResult,
  Suggestions,
} from '../../protocol/index.ts';
import { type AnswerCache, type CacheOptions, createAnswerCache } from './answer-cache.ts';
import { type CollectionCalls, createCollectionCalls } from './calls/collections.ts';
import {
  createDesignCalls,
  type DesignCalls,
  type PageOptions,
  type PublishedCalls,
  queryOf,
} from './calls/designs.ts';
import { createSourceCalls, type SourceCalls } from './calls/sources.ts';
import { createThreadCalls, type SharedCalls, type ThreadCalls } from './calls/threads.ts';
import { CitewireError } from './citewire-error.ts';
import { canSignIn, type SocketConstructor, type Ticket } from './connect.ts';
import { createConnection } from './connection.ts';
import { createHttp } from './http.ts';
import type { ResultOf } from './result-of.ts';
import { type OpenStream, openStream, replayStream, type SearchStream } from './search-stream.ts';
import { createSseTransport } from './sse-transport.ts';
import type { ApiInputs, SearchInput, StartRequest } from './transport.ts';

export type {
  Capabilities,
  Citation,
  Contents,
  ContentsRequest,
  Design,
  DesignChange,
  DesignRecord,
  Feedback,
  FeedbackGiven,
  FeedbackList,
  FeedbackRequest,
  FollowUps,
  IndexedSource,
  IndexedSourceList,
  LeafEvidence,
  NearestQuote,
  PageContents,
  PublishedApi,
  SearchFrame,
  SearchList,
  SearchRecord,
  SearchResult,
  SharedThread,
  Source,
  SourceExcerpt,
  StructuredResultWithEvidence,
  Suggestions,
  TextResult,
  Thread,
  ThreadList,
  ThreadSummary,
  UncitedText,
} from '../../protocol/index.ts';
export type { CacheOptions } from './answer-cache.ts';
export type { CollectionCalls } from './calls/collections.ts';
export type { DesignCalls, DesignInput, PageOptions, PublishedCalls } from './calls/designs.ts';
export type { SourceCalls } from './calls/sources.ts';
export type { SharedCalls, ThreadCalls } from './calls/threads.ts';
export { CitewireError, type ClientErrorCode } from './citewire-error.ts';
export type { SocketConstructor, Ticket } from './connect.ts';
export {
  type Block,
  emptySearch,
  reduceSearch,
  type SearchState,
  type Step,
  stateOfRecord,
} from './reduce-search.ts';
export type { ResultOf } from './result-of.ts';
export type { SearchStream } from './search-stream.ts';
export type { ApiInputs, SearchInput, Template } from './transport.ts';

/** Selects searches that have ended; `q` is words of the prompt. */
export type SearchFilter = Partial<Omit<SearchListQuery, 'cursor' | 'limit'>>;

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
  /** What the server does when a search has no readers any more; has no effect over Server-Sent Events. */
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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Client {
  /** Starts immediately. Throws a TypeError when the requested transport is not available. */
  search<const Request extends SearchInput>(request: Request, options?: SearchOptions): SearchStream<ResultOf<Request>>;
  /** Runs the current draft of an API of the key's account. */
  runDesign<Result = SearchResult>(api_stub: string, inputs?: ApiInputs, options?: SearchOptions): SearchStream<Result>;
  /** Runs a published API: `version`, or the newest. */
  callPublished<Result = SearchResult>(
    api_stub: string,
    inputs?: ApiInputs,
    options?: PublishedOptions,
  ): SearchStream<Result>;
  /** Drafts of the key's account. */
  readonly designs: DesignCalls;
  /** Published APIs of all accounts. */
  readonly published: PublishedCalls;
  /** Conversations that the key's account keeps. */
  readonly threads: ThreadCalls;
  /** What the index holds for the account, and what it uploads. */
  readonly sources: SourceCalls;
  readonly collections: CollectionCalls;
  /** What share links show; these calls need no key. */
  readonly shared: SharedCalls;
  /** Reads a search that was started elsewhere, or before this page was loaded, after the seq `after`. */
  follow(search_id: string, options?: ReadOptions & { readonly after?: number }): SearchStream<unknown>;
  /** A page as searches read it. */
  contents(request: ContentsRequest, options?: CallOptions): Promise<Contents>;
  /** The text that the offsets of citations refer to. */
  snapshot(id: string, options?: CallOptions): Promise<PageContents>;
  getSearch(search_id: string, options?: CallOptions): Promise<SearchRecord>;
  /** Removes a search for good; one that is running is cancelled first. */
  removeSearch(search_id: string, options?: CallOptions): Promise<SearchRemoved>;
  /** Newest first; `cursor` is that of the previous page. */
  listSearches(options?: PageOptions & SearchFilter): Promise<SearchList>;
  /** Questions that the index answers, and how far a new server is with filling it. */
  suggestions(options?: CallOptions): Promise<Suggestions>;
  /** Questions to ask after a search, which the pages that it cites answer. */
  followUps(search_id: string, options?: CallOptions): Promise<FollowUps>;
  /** Rates the answer of an ended search, or one of its citations; `none` takes a rating back. */
  rate(search_id: string, feedback: FeedbackRequest, options?: CallOptions): Promise<FeedbackGiven>;
  /** The ratings of the account with what was rated, newest first; `search_id` selects those of one search. */
  listFeedback(options?: PageOptions & { readonly search_id?: string | undefined }): Promise<FeedbackList>;
  /** What a search can choose from: the models, and what they can do. */
  capabilities(options?: CallOptions): Promise<Capabilities>;
  /** Closes the connection. Open searches fail with `closed`; on the server they get their grace period. */
  close(): void;
}

/** Throws a TypeError when `baseUrl` is not a URL. Connects with the first search. All calls reject with CitewireError. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, ticket, WebSocket = globalThis.WebSocket as SocketConstructor | undefined } = options;
  const { maxRetries = 10, backoffMs = 250, maxBackoffMs = 10_000 } = options;
  const { connectTimeoutMs = 10_000, requestTimeoutMs = 60_000, silenceTimeoutMs } = options;
  const backoff = { backoffMs, maxBackoffMs };
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const http = createHttp({ baseUrl, apiKey, fetch, maxRetries, requestTimeoutMs, ...backoff });
  const sse = createSseTransport({ http, requestTimeoutMs, silenceTimeoutMs: silenceTimeoutMs ?? 30_000 });
  const connection =
    WebSocket !== undefined && canSignIn({ apiKey, ticket, WebSocket })
      ? createConnection({ baseUrl, apiKey, ticket, WebSocket, connectTimeoutMs, silenceTimeoutMs, ...backoff })
      : undefined;
  /** A ticket is only for the WebSocket; HTTP calls need a key or a fetch that adds credentials. */
  const canSignInByHttp = ticket === undefined || apiKey !== undefined || options.fetch !== undefined;
  const cache: AnswerCache | undefined = options.cache && createAnswerCache(options.cache);
  const streams = new Set<OpenStream>();
  let isClosed = false;

  function open(
    start: StartRequest | undefined,
    { signal, transport = 'auto', onPause = () => {} }: ReadOptions,
    rest: { search_id?: string; after?: number; onCompleted?: (frames: readonly SearchFrame[]) => void } = {},
  ): SearchStream<unknown> {
    if (transport === 'websocket' && connection === undefined) {
      throw new TypeError(
        'Expected a WebSocket that can sign in: pass `WebSocket` (in Node 20 the class of `ws`) or `ticket`.',
      );
    }
    const opened = openStream({
      ...rest,
      start,
      signal,
      maxRetries,
      onPause,
      ...backoff,
      chooseTransport() {
        if (connection === undefined || transport === 'sse') return sse;
        return transport === 'websocket' || connection.isUsable() || !canSignInByHttp ? connection : sse;
      },
      sendCancel(search_id) {
        if (connection?.cancel(search_id) !== true)
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

  async function cached<Answer>(request: object, load: () => Promise<Answer>): Promise<Answer> {
    const before = cache?.get<Answer>(request);
    if (before !== undefined) return before;
    const answer = await load();
    cache?.set(request, answer);
    return answer;
  }

  function start(
    request: StartRequest['request'],
    { idempotencyKey, onDisconnect = 'grace', ...readOptions }: SearchOptions,
  ): SearchStream<never> {
    // A draft may have changed by the next call, and a cached answer joins no thread.
    const isCacheable =
      idempotencyKey === undefined &&
      !('version' in request && request.version === 'draft') &&
      !('thread' in request && request.thread !== undefined);
    const frames = isCacheable ? cache?.get<readonly SearchFrame[]>(request) : undefined;
    if (frames !== undefined) return replayStream(frames) as SearchStream<never>;
    const idempotency_key = idempotencyKey ?? randomKey();
    const onCompleted = isCacheable ? (all: readonly SearchFrame[]) => cache?.set(request, all) : undefined;
    return open(
      { request, idempotency_key, on_disconnect: onDisconnect },
      readOptions,
      onCompleted === undefined ? {} : { onCompleted },
    ) as SearchStream<never>;
  }

  return {
    search: (request, options = {}) => start(request, options),
    runDesign: (api_stub, inputs = {}, options = {}) => start({ api_stub, version: 'draft', inputs }, options),
    callPublished: (api_stub, inputs = {}, { version, ...options } = {}) =>
      start({ api_stub, version: version ?? 'newest', inputs }, options),
    ...createDesignCalls(http),
    ...createThreadCalls(http),
    sources: createSourceCalls(http),
    collections: createCollectionCalls(http),
    follow: (search_id, { after = 0, ...readOptions } = {}) => open(undefined, readOptions, { search_id, after }),
    contents: ({ ...request }, { signal } = {}) =>
      cached(request, () => http.json({ method: 'POST', path: 'v1/contents', body: request, signal })),
    snapshot: (id, { signal } = {}) =>
      http.json({ method: 'GET', path: `v1/contents/${encodeURIComponent(id)}`, signal }),
    getSearch: (search_id, { signal } = {}) => http.json({ method: 'GET', path: searchPath(search_id), signal }),
    removeSearch: (search_id, { signal } = {}) =>
      http.json({ method: 'DELETE', path: `${searchPath(search_id)}/record`, signal }),
    listSearches: ({ signal, ...page } = {}) => http.json({ method: 'GET', path: `v1/search${queryOf(page)}`, signal }),
    rate: (search_id, body, { signal } = {}) =>
      http.json({ method: 'POST', path: `${searchPath(search_id)}/feedback`, body, signal }),
    listFeedback: ({ signal, ...page } = {}) =>
      http.json({ method: 'GET', path: `v1/feedback${queryOf(page)}`, signal }),
    capabilities: ({ signal } = {}) => http.json({ method: 'GET', path: 'v1/capabilities', signal }),
    followUps: (search_id, { signal } = {}) =>
      http.json({ method: 'GET', path: `${searchPath(search_id)}/follow-ups`, signal }),
    suggestions: ({ signal } = {}) => http.json({ method: 'GET', path: 'v1/suggestions', signal }),
    close() {
      isClosed = true;
      for (const { fail } of [...streams]) fail(closed());
      connection?.close();
    },
  };
}

function closed(): CitewireError {
  return new CitewireError('closed', 'The client was closed.');
}

function searchPath(search_id: string): string {
  return `v1/search/${encodeURIComponent(search_id)}`;
}

/** 128 random bits in hex; `randomUUID` is missing in pages that were not loaded over TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
