/** The tools of `citewire mcp --server` over the project's own client: a running server answers with the rights of the key. */
import {
  isTerminal,
  keyScopes,
  type PageRequest,
  type PublishedApi,
  type SearchEvent,
  type SearchRecord,
  type Source,
  type TerminalEvent,
} from '../../../protocol/index.ts';
import { untilAborted } from '../../base/abort.ts';
import { AppError } from '../../base/errors.ts';
import {
  type ApiInputs,
  type CitewireError,
  createClient,
  type SearchInput,
  type SearchStream,
} from '../../client/client.ts';
import type { Backend, CallableApi, OpenSearch } from '../../compat/mcp/backend.ts';
import { schemasOf } from '../../designs/api-schemas.ts';
import { toAppError } from '../ask/search-remote.ts';

/** Drafts that are listed, and published APIs on a page of the list of tools; set by hand. */
const designsListed = 100;
const apisPerPage = 50;
/** APIs whose inputs are looked up at a time. Set by hand. */
const describedAtOnce = 8;

/** Pages of the list of tools whose reasons are remembered; set by hand. */
const maxReasons = 100;

/** Sources of searches whose snapshots are known. Set by hand. */
const maxKnown = 2_000;

const byId = 'To read a document of the index, call fetch with the id of its result, or the snapshot of its source.';
const byItsId = `Expected an http or https URL. ${byId}`;

export interface RemoteBackend {
  readonly backend: Backend;
  close(): void;
}

export interface RemoteBackendOptions {
  readonly onFault: (error: unknown) => void;
  /**
   * Receives why published APIs cannot be listed; the other tools still are, because agents list tools only once. They are looked for
   * again and again, so it is called only when the reasons are others than the last time.
   */
  readonly onUnlisted: (why: string) => void;
}

/** `baseUrl` is that of a running server. Nothing is sent until tools are listed or called. */
export function createRemoteBackend(
  baseUrl: string,
  apiKey: string | undefined,
  { onFault, onUnlisted }: RemoteBackendOptions,
): RemoteBackend {
  const searches = createClient({ baseUrl, apiKey, maxRetries: 3 });
  // A refusal is the result of the tool, so that the agent decides when it tries again.
  const calls = createClient({ baseUrl, apiKey, maxRetries: 0 });
  // Lists are read again, because nobody asks for them twice.
  const lists = createClient({ baseUrl, apiKey, maxRetries: 2 });
  /** The newest snapshot of each source that a search has returned, by its URL, in the order in which they came. */
  const known = new Map<string, string>();

  function remember({ url, snapshot }: Source): void {
    known.delete(url);
    known.set(url, snapshot);
    const oldest = known.keys().next().value;
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  }

  async function* remembering(events: AsyncIterable<SearchEvent>): AsyncGenerator<SearchEvent> {
    for await (const event of events) {
      if (event.type === 'source.added') remember(event.source);
      if (event.type === 'search.completed') event.sources.forEach(remember);
      yield event;
    }
  }

  /** The text that a search has read, where the page itself cannot be fetched. Passages are found only in pages that are fetched. */
  async function pageOfSearch({ url, query }: PageRequest, refusal: AppError, signal: AbortSignal) {
    const snapshot = query === undefined ? (known.get(url) ?? known.get(url.replace(/#.*$/s, ''))) : undefined;
    if (snapshot === undefined) throw refusal;
    return failing(calls.snapshot(snapshot, { signal }));
  }

  /** Versions never change. */
  const described = new Map<string, PublishedApi>();

  async function start(
    open: (options: { readonly onPause: (why: CitewireError | undefined) => void }) => SearchStream<unknown>,
    signal: AbortSignal,
  ): Promise<OpenSearch> {
    let refuse = (_: CitewireError) => {};
    const refused = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    const stream = open({
      onPause(why) {
        if (why !== undefined && why.status !== undefined) refuse(why);
      },
    });
    // It is read to its end whether or not a tool waits for it.
    stream.result.catch(() => {});
    try {
      const search_id = await untilAborted(Promise.race([firstId(stream), refused]), signal);
      return { search_id, events: (over) => remembering(eventsOf(stream, over)), cancel: () => void stream.cancel() };
    } catch (error) {
      stream.cancel();
      throw toAppError(error);
    }
  }

  async function describe(api_stub: string, version: number, signal: AbortSignal): Promise<PublishedApi> {
    const name = `${api_stub}@${version}`;
    const known = described.get(name) ?? (await lists.published.get(api_stub, { limit: 1, signal }));
    described.set(name, known);
    return known;
  }

  /** Why APIs of the pages of the list are left out, by the cursor of the page. */
  const lastReasons = new Map<string, string>();

  function report(cursor: string, reasons: ReadonlySet<string>): void {
    const why = [...reasons].join(' ');
    if (why !== '' && why !== lastReasons.get(cursor)) onUnlisted(why);
    if (why === '') lastReasons.delete(cursor);
    else lastReasons.set(cursor, why);
    if (lastReasons.size > maxReasons) lastReasons.clear();
  }

  const leftOut =
    (signal: AbortSignal, reasons: Set<string>) =>
    (error: unknown): undefined => {
      signal.throwIfAborted();
      const why = toAppError(error);
      if (!(why instanceof AppError)) onFault(why);
      // A key that may not run APIs has none.
      else if (why.code !== 'forbidden') reasons.add(why.message);
      return undefined;
    };
  const failing = <Result>(result: Promise<Result>): Promise<Result> =>
    result.catch((error) => {
      throw toAppError(error);
    });

  return {
    backend: {
      scopes: new Set(keyScopes),
      search: (body, signal) => start((options) => searches.search(body as SearchInput, options), signal),
      research: (body, signal) =>
        start((options) => searches.search({ ...body, background: true } as unknown as SearchInput, options), signal),
      runApi: (api_stub, inputs, signal) =>
        start((options) => searches.callPublished(api_stub, inputs as ApiInputs, options), signal),
      async find(search_id, signal) {
        const record = await failing(calls.getSearch(search_id, { signal }));
        const events =
          record.state === 'running'
            ? (over: AbortSignal) => remembering(eventsOf(searches.follow(search_id), over))
            : () => remembering(recorded(record));
        return { search_id, events };
      },
      async page(request, signal) {
        // The native call is for the web alone, so a page of the index is found there by its snapshot only.
        if (request.url.startsWith('file:')) {
          return pageOfSearch(request, new AppError('validation_error', byItsId), signal);
        }
        return failing(calls.contents(request, { signal })).catch((error: unknown) => {
          if (!(error instanceof AppError) || signal.aborted || !isAboutPage(error)) throw error;
          const { code, message, details } = error;
          return pageOfSearch(request, new AppError(code, `${message} ${byId}`, details), signal);
        });
      },
      snapshot: (id, signal) => failing(calls.snapshot(id, { signal })),
      async apis(cursor, signal) {
        const reasons = new Set<string>();
        const leaveOut = leftOut(signal, reasons);
        const page = await lists.published.browse({ limit: apisPerPage, cursor, signal }).catch(leaveOut);
        const items: CallableApi[] = [];
        const listed = page?.items ?? [];
        for (let at = 0; at < listed.length; at += describedAtOnce) {
          const some = listed.slice(at, at + describedAtOnce);
          const apis = await Promise.all(
            some.map(({ api_stub, version }) => describe(api_stub, version, signal).catch(leaveOut)),
          );
          for (const api of apis) if (api !== undefined) items.push({ ...api, ...schemasOf(api) });
        }
        report(cursor ?? '', reasons);
        return { items, cursor: page?.cursor };
      },
      async designs(signal) {
        const { items } = await failing(calls.designs.list({ limit: designsListed, signal })).catch((error) => {
          // A key that may not design has none.
          if (error instanceof AppError && error.code === 'forbidden') return { items: [] };
          throw error;
        });
        return items;
      },
      design: async (api_id, signal) => JSON.stringify(await failing(calls.designs.get(api_id, { signal }))),
    },
    close() {
      searches.close();
      calls.close();
      lists.close();
    },
  };
}

/** Whether the page is what went wrong, and not the call. */
function isAboutPage({ code }: AppError): boolean {
  return !['unauthorized', 'forbidden', 'rate_limited', 'quota_exceeded', 'overloaded'].includes(code);
}

async function firstId(stream: SearchStream<unknown>): Promise<string> {
  for await (const { search_id } of stream) return search_id;
  throw new AppError('upstream_error', 'The stream ended before the search began.');
}

/** Ends early once the signal fires; other readers of the search are not affected. */
async function* eventsOf(stream: SearchStream<unknown>, signal: AbortSignal): AsyncGenerator<SearchEvent> {
  const frames = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await untilAborted(frames.next(), signal);
      if (done === true) return;
      yield value;
      if (isTerminal(value)) return;
    }
  } catch (error) {
    if (!signal.aborted) throw toAppError(error);
  } finally {
    await frames.return?.();
  }
}

/** The terminal event of an ended search, from its record. */
async function* recorded({ state, ...rest }: SearchRecord): AsyncGenerator<SearchEvent> {
  yield { ...rest, type: `search.${state}` } as unknown as TerminalEvent;
}
