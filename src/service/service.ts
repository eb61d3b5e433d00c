/**
 * THE SPINE. A search call is authenticated, charged, parsed and started; from then on it is a run, and the run's log is
 * all that any transport sees of it. `search()` returns a promise of a run: a rejection becomes an HTTP status, a run ends
 * with exactly one terminal event.
 */
import { type KeyUsage, type RateLimitState, type Ticket, TicketRequest } from '../../protocol/index.ts';
import type { Credentials } from '../access/access.ts';
import type { Caller } from '../access/identity.ts';
import { rateLimitState } from '../access/limiter/limiter.ts';
import { rateLimited } from '../access/limiter/rate-limited.ts';
import { plans } from '../access/plans.ts';
import { privateName } from '../access/restriction.ts';
import { checkScope, type Scope } from '../access/scopes.ts';
import { parse } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Designs } from '../designs/designs.ts';
import type { Engine } from '../engine/engine.ts';
import type { Corpus } from '../engine/ports/corpus.ts';
import type { ImageReader } from '../engine/ports/images.ts';
import type { PageReader } from '../engine/ports/web.ts';
import type { Started } from '../runs/idempotency.ts';
import type { FeedbackRecords } from '../runs/records/feedback-records.ts';
import type { Idempotency, RunRecords } from '../runs/records/run-records.ts';
import type { ThreadRecords } from '../runs/records/thread-records.ts';
import type { Registry } from '../runs/registry.ts';
import type { Run } from '../runs/run.ts';
import type { Tracing } from '../runs/tracing.ts';
import type { ScheduleRecords } from '../schedules/schedule-records.ts';
import type { CollectionRecords } from '../sources/collection-records.ts';
import type { BodyCall, Call, CallAccess, Charge, ConnectCall, Connected, SearchCall } from './calls.ts';
import { type ChatCalls, createChatCalls } from './chats.ts';
import { createConnection } from './connection.ts';
import { type ContentsCalls, createContents } from './contents.ts';
import { createDesignCalls, type DesignCalls } from './designs/designs.ts';
import { createRunExample } from './designs/run-example.ts';
import { createFeedbackCalls, type FeedbackCalls } from './feedback.ts';
import { createLargeReads } from './large-reads.ts';
import { createOpenCallers, type OpenCallers } from './open-callers.ts';
import { createScheduleCalls, type ScheduleCalls } from './schedules.ts';
import type { BackgroundRuns } from './searches/background.ts';
import { createEarlierSearchCalls, type EarlierSearchCalls } from './searches/earlier-searches.ts';
import { hashSearch, type ParsedSearch, parseSearch } from './searches/parse-search.ts';
import { createRestartSearch } from './searches/restart-search.ts';
import { channelOf } from './searches/search-channel.ts';
import { specify } from './searches/specify-search.ts';
import { createStartSearch } from './searches/start-search.ts';
import { type CollectionCalls, createCollectionCalls } from './sources/collections.ts';
import { createReaches, type Reaches } from './sources/reach.ts';
import { createSourceCalls, type SourceCalls, type SourceParts } from './sources/sources.ts';
import type { FollowUpMaker } from './suggestions/follow-ups.ts';
import type { SuggestionMaker } from './suggestions/suggestions.ts';
import { createThreadNames } from './threads/name-threads.ts';
import { createSharedThreadCalls, type SharedThreadCalls } from './threads/shared-threads.ts';
import { createThreadCalls, type ThreadCalls } from './threads/threads.ts';
import { createWebhookCalls, type WebhookCalls, type WebhookParts } from './webhooks.ts';

export interface Service extends EarlierSearchCalls, ContentsCalls, ChatCalls, OpenCallers {
  readonly designs: DesignCalls;
  readonly threads: ThreadCalls & SharedThreadCalls;
  /**
   * Authenticates a connection. It costs one unit, which pays for its first search, or nothing while the account has a run
   * to resume. Rejects with 401, 403, 429 or 503.
   */
  connect(call: ConnectCall): Promise<Connected>;
  /**
   * The same call with its caller identified, for transports that need this before they read the body. Rejects with 401, 403, 429
   * or 503.
   */
  authenticate<Made extends Call>(call: Made, scope?: Scope): Promise<Made>;
  /** Who calls. Rejects with 401, 403, 429 or 503. */
  identify(call: Call): Promise<Caller>;
  search(call: SearchCall): Promise<Started>;
  /** Counts a reader of the run; the returned function, `detach`, uncounts it. */
  attach(run: Run): () => void;
  rateLimit(caller: Caller): Promise<RateLimitState>;
  ticket(call: BodyCall): Promise<Pick<Ticket, 'ticket' | 'expires_at'>>;
  usage(call: Call): Promise<KeyUsage>;
}

/** The service of a server. A short-lived process, such as a command, has none of what is added here. */
export interface ServerService extends Service {
  readonly feedback: FeedbackCalls;
  readonly webhooks: WebhookCalls;
  readonly schedules: ScheduleCalls;
  readonly sources: SourceCalls;
  readonly collections: CollectionCalls;
}

export interface Parts {
  readonly access: CallAccess;
  /** Absent in a short-lived process, such as a command: it has no background searches. */
  readonly background?: BackgroundRuns | undefined;
  readonly threads: ThreadRecords;
  readonly metrics: Metrics;
  readonly runs: Registry;
  readonly records: RunRecords;
  readonly designs: Designs;
  readonly engine: Engine;
  readonly corpus: Corpus;
  readonly reader: PageReader;
  readonly images: ImageReader;
  readonly suggestions: SuggestionMaker;
  readonly followUps: FollowUpMaker;
  /** Called with the errors of work that no caller waits for. */
  readonly onFault?: ((error: unknown) => void) | undefined;
  /** Absent unless traces are exported. */
  readonly tracing?: Pick<Tracing, 'search'> | undefined;
}

/** A short-lived process, such as a command, has none of what is added here. */
export interface ServerParts extends Parts {
  readonly feedback: FeedbackRecords;
  readonly webhooks: WebhookParts;
  readonly schedules: ScheduleRecords;
  readonly sources: SourceParts;
  readonly collections: CollectionRecords;
}

/**
 * Deadlines in seconds. A plain answer must arrive before the proxies in between give up, most after 60, so that the search has
 * less time if it has to wait for its start.
 */
const deadlines = { streamed: 120, plain: 55 } as const;

/** The service of a server. `parts` are opened and closed by the caller. */
export function createService(parts: ServerParts): ServerService;
/** The service of a short-lived process. */
export function createService(parts: Parts): Service;
/** Either of them, by its parts. */
export function createService(parts: Parts | ServerParts): Service {
  const { access, metrics, runs, background, threads, designs, engine, corpus, reader } = parts;
  const ofServer = 'collections' in parts ? parts : undefined;
  const { onFault = () => {} } = parts;
  const nameThread = createThreadNames({ access, metrics, engine, threads, onFault });
  const webhooks = ofServer && createWebhookCalls(ofServer.webhooks, access);
  const reaches = createReaches(ofServer?.collections);
  const start = createStartSearch({ ...parts, reaches, nameThread, webhookOfRun: webhooks?.ofRun });
  background?.start(createRestartSearch({ access, runs, start, engine: parts.engine.name }));
  const largeRead = createLargeReads();

  const charge: Charge = async (caller, call) => {
    const rate = await access.take(caller);
    call.onCharged(rate);
    if (!rate.allowed) throw rateLimited(rate, 'calls');
  };

  /** Parses the call and checks that the caller's scopes allow it. Spends nothing. */
  async function parseAllowed(caller: Caller, call: SearchCall): Promise<ParsedSearch> {
    const search = await parseSearch(call);
    checkScope(caller, 'request' in search ? 'search' : 'run');
    return search;
  }

  return {
    async connect(call) {
      const grant = 'ticket' in call.from ? await access.redeem(call.from.ticket, call.from.origin) : undefined;
      const caller = grant?.caller ?? (await access.identify(call.from as Credentials));
      const leave = access.admission.connect(caller);
      try {
        await access.takeResume(caller);
        const isResumable = await runs.hasResumable(caller.account_id);
        if (!isResumable) await charge(caller, call);
        const rate_limit = rateLimitState(await access.peek(caller));
        const { request_id, traceparent } = call;
        const connection = createConnection(request_id, grant ?? { caller }, !isResumable, traceparent);
        return { connection, rate_limit, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },

    async authenticate(call, scope) {
      const caller = await access.identify(call.from);
      if (scope !== undefined) checkScope(caller, scope);
      return { ...call, from: caller };
    },

    identify: (call) => access.identify(call.from),

    async search(call) {
      const { connection, idempotency_key, streamed } = call;
      const called = performance.now();
      const caller = await access.identify(call.from);
      const parsed = lazy(() => parseAllowed(caller, call));

      const begin = async (idempotency?: Idempotency): Promise<Run> => {
        if (!connection?.consumePrepaid()) await charge(caller, call);
        const spec = await specify(await parsed(), caller, designs);
        connection?.countSearch();
        const isStreamed = typeof streamed === 'function' ? streamed() : streamed;
        const isBackground = spec.request.background === true;
        const maxSeconds = isBackground
          ? plans[caller.plan].background_s
          : deadlines[isStreamed ? 'streamed' : 'plain'];
        const answerBy = isBackground || isStreamed ? undefined : called + 1000 * maxSeconds;
        const channel = call.channel ?? channelOf(call, isBackground, isStreamed);
        const started = { ...call, channel };
        return start({ caller, call: started, spec, maxSeconds, answerBy, idempotency, echoed: call.echoed?.() });
      };

      if (idempotency_key === undefined) return { run: await begin(), deduplicated: false };
      // Repeating a request is free, so the search it repeats is looked up first. An invalid request repeats nothing and is
      // charged.
      const hashes = await parsed().then(
        (search) => hashSearch(search, call.echoed?.()),
        () => undefined,
      );
      if (hashes === undefined) return { run: await begin(), deduplicated: false };
      const { hash, earlierHash } = hashes;
      const idempotency = { key: privateName(caller, idempotency_key), hash };
      return runs.startIdempotent(caller.account_id, { ...idempotency, earlierHash }, () => begin(idempotency));
    },

    attach: (run) => runs.attach(run),
    ...(webhooks && serverCalls(ofServer, webhooks, reaches)),

    ...createOpenCallers(access, runs),
    ...createEarlierSearchCalls({ ...parts, largeRead }),
    ...createChatCalls(parts),
    ...createContents({ access, charge, reader, corpus, largeRead, reaches }),
    threads: {
      ...createThreadCalls({ access, runs, threads, largeRead }),
      ...createSharedThreadCalls({ access, runs, threads, corpus, collections: ofServer?.collections, largeRead }),
    },
    designs: createDesignCalls({
      access,
      charge,
      designs,
      largeRead,
      runExample: createRunExample(runs, start),
      reaches,
    }),

    rateLimit: async (caller) => rateLimitState(await access.peek(caller)),

    async ticket(call) {
      const caller = await access.identify(call.from);
      return access.issueTicket(caller, parse(TicketRequest, await call.body()));
    },

    usage: async (call) => access.usage.report(await access.identify(call.from)),
  };
}

/** Calls `make` when its result is first needed, and never again. */
function lazy<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

/** The calls that only a server has. */
function serverCalls(
  { access, runs, designs, feedback, schedules, sources, collections }: ServerParts,
  webhooks: ReturnType<typeof createWebhookCalls>,
  reaches: Reaches,
): Omit<ServerService, keyof Service> {
  return {
    feedback: createFeedbackCalls({ access, runs, feedback }),
    webhooks: webhooks.calls,
    schedules: createScheduleCalls({ access, records: schedules, designs, webhookOfRun: webhooks.ofRun }),
    sources: createSourceCalls(sources, { access, reaches, collections }),
    collections: createCollectionCalls({ records: collections, index: sources.index }, access),
  };
}
