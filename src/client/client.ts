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
  PageContents,
  SearchFrame,
  SearchResult,
  Suggestions,
} from '../../protocol/index.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import type { CallOptions } from './calls/call-options.ts';
import { type CollectionCalls, createCollectionCalls } from './calls/collections.ts';
import { createDesignCalls, type DesignCalls, type PublishedCalls } from './calls/designs.ts';
import { randomKey } from './calls/random-key.ts';
import { idempotencyKeyError, searchIdError } from './calls/request-checks.ts';
import { createSearchCalls, type SearchCalls, searchPath } from './calls/searches.ts';
import { createSourceCalls, type SourceCalls } from './calls/sources.ts';
import { createThreadCalls, type SharedCalls, type ThreadCalls } from './calls/threads.ts';
import { CitewireError } from './citewire-error.ts';
import { canSignIn, type SocketConstructor, tellsWhy } from './connect.ts';
import { createConnection } from './connection.ts';
import { createHttp } from './http.ts';
import type { ClientOptions, PublishedOptions, ReadOptions, SearchOptions } from './options.ts';
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
export type { CallOptions, PageOptions } from './calls/call-options.ts';
export type { CollectionCalls } from './calls/collections.ts';
export type { DesignCalls, DesignInput, PublishedCalls } from './calls/designs.ts';
export type { SearchCalls, SearchFilter } from './calls/searches.ts';
export type { SourceCalls } from './calls/sources.ts';
export type { SharedCalls, ThreadCalls } from './calls/threads.ts';
export { CitewireError, type ClientErrorCode } from './citewire-error.ts';
export type { SocketConstructor, Ticket } from './connect.ts';
export type { ClientOptions, PublishedOptions, ReadOptions, SearchOptions } from './options.ts';
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

export interface Client extends SearchCalls {
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
  /** Questions that the index answers, and how far a new server is with filling it. */
  suggestions(options?: CallOptions): Promise<Suggestions>;
  /** What a search can choose from: the models, and what they can do. */
  capabilities(options?: CallOptions): Promise<Capabilities>;
  /** Closes the connection. Open searches fail with `closed`; on the server they get their grace period. */
  close(): void;
}

/** Throws a TypeError when `baseUrl` is not a URL. Connects with the first search. All calls reject with CitewireError. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, ticket, WebSocket = globalThis.WebSocket as SocketConstructor | undefined } = options;
  // One from a file ends with a line break, which a header cannot have.
  const apiKey = options.apiKey?.trim();
  const { maxRetries = 10, backoffMs = 250, maxBackoffMs = 10_000 } = options;
  const { connectTimeoutMs = 10_000, requestTimeoutMs = 60_000, silenceTimeoutMs } = options;
  const backoff = { backoffMs, maxBackoffMs };
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const http = createHttp({ baseUrl, apiKey, fetch, maxRetries, requestTimeoutMs, ...backoff });
  const sse = createSseTransport({ http, requestTimeoutMs, silenceTimeoutMs: silenceTimeoutMs ?? 30_000 });
  const verifyKey = async () => {
    const signal = AbortSignal.timeout(connectTimeoutMs);
    const response = await http.send({ method: 'GET', path: 'v1/capabilities', signal });
    await response.body?.cancel();
  };
  const connectionOptions = {
    connectTimeoutMs,
    silenceTimeoutMs,
    verifyKey: apiKey === undefined || WebSocket === undefined || tellsWhy(WebSocket) ? undefined : verifyKey,
  };
  const connection =
    WebSocket !== undefined && canSignIn({ apiKey, ticket, WebSocket })
      ? createConnection({ baseUrl, apiKey, ticket, WebSocket, ...connectionOptions, ...backoff })
      : undefined;
  /** A ticket is only for the WebSocket; HTTP calls need a key or a fetch that adds credentials. */
  const canSignInByHttp = ticket === undefined || apiKey !== undefined || options.fetch !== undefined;
  const cache: AnswerCache | undefined = options.cache && createAnswerCache(options.cache);
  const streams = new Set<OpenStream>();
  let isClosed = false;

  function open(
    start: StartRequest | undefined,
    { signal, transport = 'auto', onPause = () => {} }: ReadOptions,
    {
      failure,
      ...rest
    }: {
      failure?: CitewireError | undefined;
      search_id?: string;
      after?: number;
      onCompleted?: (frames: readonly SearchFrame[]) => void;
    } = {},
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
      // A stream that nobody reads would otherwise be kept until the client is closed.
      onWanted(isWanted) {
        if (!isWanted) streams.delete(opened);
        else if (isClosed) opened.fail(closed());
        else streams.add(opened);
      },
      onEnd(frames, terminal) {
        streams.delete(opened);
        if (terminal?.type === 'search.completed' && terminal.status !== 'partial') rest.onCompleted?.(frames);
      },
    });
    streams.add(opened);
    if (isClosed) opened.fail(closed());
    else if (failure !== undefined) opened.fail(failure);
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
    const isCacheable = idempotencyKey === undefined && !hasEffects(request);
    const frames = isCacheable ? cache?.get<readonly SearchFrame[]>(request) : undefined;
    if (frames !== undefined) return replayStream(frames) as SearchStream<never>;
    const idempotency_key = idempotencyKey ?? randomKey();
    const onCompleted = isCacheable ? (all: readonly SearchFrame[]) => cache?.set(request, all) : undefined;
    return open({ request, idempotency_key, on_disconnect: onDisconnect }, readOptions, {
      failure: idempotencyKeyError(idempotency_key),
      ...(onCompleted === undefined ? {} : { onCompleted }),
    }) as SearchStream<never>;
  }

  return {
    search: (request, options = {}) => start(request, options),
    runDesign: (api_stub, inputs = {}, options = {}) => start({ api_stub, version: 'draft', inputs }, options),
    callPublished: (api_stub, inputs = {}, { version, ...options } = {}) =>
      start({ api_stub, version: version ?? 'newest', inputs }, options),
    ...createSearchCalls(http),
    ...createDesignCalls(http),
    ...createThreadCalls(http),
    sources: createSourceCalls(http),
    collections: createCollectionCalls(http),
    follow: (search_id, { after = 0, ...readOptions } = {}) =>
      open(undefined, readOptions, { failure: searchIdError(search_id), search_id, after }),
    contents: ({ ...request }, { signal } = {}) =>
      cached(request, () => http.json({ method: 'POST', path: 'v1/contents', body: request, signal })),
    snapshot: (id, { signal } = {}) =>
      http.json({ method: 'GET', path: `v1/contents/${encodeURIComponent(id)}`, signal }),
    capabilities: ({ signal } = {}) => http.json({ method: 'GET', path: 'v1/capabilities', signal }),
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

/** Whether a cached answer would not do: a draft may have changed, and it joins no thread, calls no webhook and is not stored. */
function hasEffects(request: StartRequest['request']): boolean {
  const asked: { version?: unknown; thread?: unknown; background?: unknown; webhook?: unknown } = request;
  const { version, thread, background, webhook } = asked;
  return version === 'draft' || thread !== undefined || background === true || webhook !== undefined;
}
