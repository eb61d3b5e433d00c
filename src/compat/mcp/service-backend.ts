/** The tools over the service of this process: every call is identified, charged and recorded as any other is. */
import { isTerminal, type KeyScope, keyScopes, type SearchEvent } from '../../../protocol/index.ts';
import type { Run } from '../../runs/run.ts';
import type { BodyCall, Call, SearchCall } from '../../service/calls.ts';
import type { Service } from '../../service/service.ts';
import type { Backend, OpenSearch } from './backend.ts';

/** Who calls, and where the state of their limit goes. */
export type CallerOf = Pick<Call, 'request_id' | 'from' | 'onCharged' | 'traceparent'>;

/** Drafts that are listed, and published APIs on a page of the list of tools; set by hand. */
const designsListed = '100';
const apisPerPage = '50';

/** `scopes` are those of the caller's key; none means all. A short-lived process has nothing in the background. */
export function createServiceBackend(
  service: Service,
  caller: CallerOf,
  scopes: readonly string[],
  lasts = true,
): Backend {
  const callOf = (signal: AbortSignal): Call => ({ ...caller, signal });
  const withBody = (signal: AbortSignal, body: unknown): BodyCall => ({ ...callOf(signal), body: async () => body });

  /**
   * A run that is cancelled when its last reader leaves, and the reader that keeps it until it ends: so both a client that
   * leaves during the start and one that cancels later end it.
   */
  async function start(call: Pick<SearchCall, 'api' | 'body'>, signal: AbortSignal): Promise<OpenSearch> {
    const { run } = await service.search({
      ...callOf(signal),
      ...call,
      door: 'mcp',
      streamed: true,
      on_disconnect: 'cancel',
    });
    const cancel = service.attach(run);
    run.done.then(cancel);
    return { search_id: run.search_id, events: (over) => eventsOf(run, over), cancel };
  }

  async function startInBackground(body: object, signal: AbortSignal): Promise<OpenSearch> {
    const background = async () => ({ ...body, background: true });
    const options = { door: 'mcp', streamed: false, on_disconnect: 'continue' } as const;
    const { run } = await service.search({ ...callOf(signal), ...options, body: background });
    return {
      search_id: run.search_id,
      events: (over) => eventsOf(run, over),
      cancel: () => run.cancel('client'),
    };
  }

  async function* eventsOf(run: Run, signal: AbortSignal): AsyncGenerator<SearchEvent> {
    const detach = service.attach(run);
    try {
      yield* readLog(run, signal);
    } finally {
      detach();
    }
  }

  /** The same for a search that was paid for before: readers are counted with the connections of the key. */
  async function* countedEventsOf(run: Run, signal: AbortSignal): AsyncGenerator<SearchEvent> {
    // A call of a tool ends soon by itself.
    const leave = await service.openStream(callOf(signal), () => {});
    try {
      yield* eventsOf(run, signal);
    } finally {
      leave();
    }
  }

  return {
    scopes: new Set(scopes.length === 0 ? keyScopes : keyScopes.filter((each: KeyScope) => scopes.includes(each))),
    search: (body, signal) => start({ body: async () => body }, signal),
    research: (body, signal) => (lasts ? startInBackground(body, signal) : start({ body: async () => body }, signal)),
    runApi: (api_stub, inputs, signal) =>
      start({ api: () => ({ api_stub, version: 'newest' }), body: async () => inputs }, signal),
    async find(search_id, signal) {
      const { run, record } = await service.find(callOf(signal), search_id);
      if (run !== undefined) return { search_id, events: (over) => countedEventsOf(run, over) };
      return {
        search_id,
        async *events() {
          yield record.terminal;
        },
      };
    },
    page: (request, signal) => service.page(withBody(signal, request)),
    snapshot: (id, signal) => service.snapshot(callOf(signal), id),
    apis: (cursor, signal) =>
      service.designs.callable(callOf(signal), { limit: apisPerPage, ...(cursor === undefined ? {} : { cursor }) }),
    designs: async (signal) => (await service.designs.list(callOf(signal), { limit: designsListed })).items,
    design: (api_id, signal) => service.designs.read(callOf(signal), api_id),
  };
}

/** Every event of a run, from the first to the terminal one. Ends early once the signal fires. */
async function* readLog({ log }: Run, signal: AbortSignal): AsyncGenerator<SearchEvent> {
  let wake = () => {};
  const onChange = () => wake();
  const stopWatching = log.watch(onChange);
  signal.addEventListener('abort', onChange, { once: true });
  try {
    for (let cursor = 0; !signal.aborted; ) {
      const entry = log.entry(cursor + 1);
      if (entry === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      cursor = entry.seq;
      yield entry.event;
      if (isTerminal(entry.event)) return;
    }
  } finally {
    stopWatching();
    signal.removeEventListener('abort', onChange);
  }
}
