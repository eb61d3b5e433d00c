/**
 * THE SPINE. A call is identified, counted, parsed and admitted; then it is a run, and the run's log is all that any
 * transport ever sees of it. `search()` returns a promise of a run: a rejection is an HTTP status, a resolved run ends in
 * exactly one terminal event.
 */
import { type KeyUsage, type RateLimitState, type SearchList, TicketRequest } from '../../protocol/index.ts';
import type { Access, Credentials } from '../access/access.ts';
import type { Caller } from '../access/identity.ts';
import { rateLimitState } from '../access/limiter/limiter.ts';
import { rateLimited } from '../access/limiter/rate-limited.ts';
import { checkScope } from '../access/scopes.ts';
import { AppError, parse } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Designs } from '../designs/designs.ts';
import type { RunExample } from '../designs/run-examples.ts';
import type { createEngine } from '../engine/engine.ts';
import type { Corpus } from '../engine/ports/corpus.ts';
import type { ImageReader } from '../engine/ports/images.ts';
import type { PageReader } from '../engine/ports/web.ts';
import type { Started } from '../runs/idempotency.ts';
import type { Found, Registry } from '../runs/registry.ts';
import type { Run } from '../runs/run.ts';
import type { RunRecords } from '../runs/run-records.ts';
import type { BodyCall, Call, Charge, ConnectCall, Connected, ListPage, PublishCall, SearchCall } from './calls.ts';
import { createConnection } from './connection.ts';
import { type ContentsCalls, createContents } from './contents.ts';
import { createDesignCalls, type DesignCalls } from './designs.ts';
import { hashSearch, type ParsedSearch, parseSearch } from './parse-search.ts';
import { createStart, type SearchSpec } from './start-search.ts';

export interface Service extends ContentsCalls {
  readonly designs: DesignCalls;
  /** Signs a connection in. It costs one unit, which pays for its first search, or nothing while there is a run to resume. */
  connect(call: ConnectCall): Promise<Connected>;
  /** Whether whoever signed a connection in may stay. Rejects with 401 or 403 where not, 503 where that cannot be known. */
  recheck(caller: Caller): Promise<void>;
  search(call: SearchCall): Promise<Started>;
  /** The caller's own search: its run while its log is kept, else its record. Rejects with 404. */
  find(call: Call, search_id: string): Promise<Found>;
  /** The same, to be read on over a connection: counted with the upgrades. Rejects with 404 and 429. */
  resume(call: Call, search_id: string): Promise<Found>;
  /** The caller's account's searches that have ended, newest first. */
  list(call: Call, page: ListPage): Promise<SearchList>;
  /** Counts a reader in; the returned function counts it out. */
  attach(run: Run): () => void;
  rateLimit(caller: Caller): Promise<RateLimitState>;
  ticket(call: BodyCall): Promise<{ ticket: string; expires_at: string }>;
  usage(call: Call): Promise<KeyUsage>;
}

export interface Parts {
  readonly access: Access;
  readonly metrics: Metrics;
  readonly runs: Registry;
  readonly records: RunRecords;
  readonly designs: Designs;
  readonly engine: ReturnType<typeof createEngine>;
  readonly corpus: Corpus;
  readonly reader: PageReader;
  readonly images: ImageReader;
}

/** Seconds; a plain answer must come before the proxies on its way give up. */
const deadlines = { streamed: 120, plain: 55 } as const;

export function createService(parts: Parts): Service {
  const { access, runs, records, designs, corpus, reader } = parts;
  const start = createStart(parts);

  const count: Charge = async (caller, call) => {
    const rate = await access.take(caller);
    call.onCharged(rate);
    if (!rate.allowed) throw rateLimited(rate, 'calls');
  };

  /** What the caller asks for, if their key may. */
  async function askedBy(caller: Caller, call: SearchCall): Promise<ParsedSearch> {
    const asked = await parseSearch(call);
    checkScope(caller, 'request' in asked ? 'search' : 'run');
    return asked;
  }

  /** What there is to research: a run of an API is its design, filled with the inputs. */
  async function questionOf({ account_id }: Caller, asked: ParsedSearch): Promise<SearchSpec> {
    if ('request' in asked) return asked;
    const { name, inputs, at } = asked.run;
    return designs.question(account_id, name, inputs, at);
  }

  /** Waits for the end of a run that its caller wants to hear of at once or not at all. */
  function runExample(caller: Caller, { request_id, signal }: PublishCall, deadline: number): RunExample {
    return async (question) => {
      const seconds = Math.max(0.001, (deadline - performance.now()) / 1000);
      const run = await start(caller, { request_id, signal, on_disconnect: 'cancel' }, question, seconds);
      const leave = runs.attach(run);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      const terminal = await run.done;
      leave();
      return { search_id: run.search_id, terminal };
    };
  }

  async function find({ account_id }: Caller, search_id: string): Promise<Found> {
    const found = await runs.find(account_id, search_id);
    if (found.run !== undefined || found.record !== undefined) return found;
    throw new AppError('not_found', `There is no search ${JSON.stringify(search_id.slice(0, 64))} for this account.`);
  }

  return {
    async connect(call) {
      const grant = 'ticket' in call.from ? await access.redeem(call.from.ticket, call.from.origin) : undefined;
      const caller = grant?.caller ?? (await access.identify(call.from as Credentials));
      const leave = access.admission.connect(caller);
      try {
        await access.takeResume(caller);
        const resumable = await runs.hasResumable(caller.account_id);
        if (!resumable) await count(caller, call);
        const rate_limit = rateLimitState(await access.peek(caller));
        return { connection: createConnection(call.request_id, grant ?? { caller }, !resumable), rate_limit, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },

    recheck: async (caller) => void (await access.identify(caller)),

    async search(call) {
      const { connection, idempotency_key: key } = call;
      const caller = await access.identify(call.from);
      const pay = async () => {
        if (!connection?.consumePrepaid()) await count(caller, call);
      };
      const most = call.streamed ? deadlines.streamed : deadlines.plain;
      if (key === undefined) {
        await pay();
        const question = await questionOf(caller, await askedBy(caller, call));
        return { run: await start(caller, call, question, most), deduplicated: false };
      }
      // Asking again costs nothing; asking what cannot be answered costs what it does without a key.
      const asked = await askedBy(caller, call).catch(async (error) => {
        await pay();
        throw error;
      });
      const idempotency = { key, hash: hashSearch(asked) };
      return runs.startIdempotent(caller.account_id, idempotency, async () => {
        await pay();
        return start(caller, call, await questionOf(caller, asked), most, idempotency);
      });
    },

    attach: (run) => runs.attach(run),

    find: async (call, search_id) => find(await access.identify(call.from), search_id),

    async resume(call, search_id) {
      const caller = await access.identify(call.from);
      await access.takeResume(caller);
      return find(caller, search_id);
    },

    async list(call, { cursor, limit }) {
      const caller = await access.identify(call.from);
      checkScope(caller, 'search');
      const { account_id } = caller;
      await runs.whenRecorded(account_id);
      const { items, cursor: next } = await records.list(account_id, { cursor, limit });
      const shown = items.map(({ prompts, ...item }) => ({ ...item, prompt: prompts.at(-1) ?? '' }));
      return { items: shown, ...(next === undefined ? {} : { cursor: next }) };
    },

    ...createContents({ access, count, reader, corpus }),
    designs: createDesignCalls({ access, count, designs, runExample }),

    rateLimit: async (caller) => rateLimitState(await access.peek(caller)),

    async ticket(call) {
      const caller = await access.identify(call.from);
      return access.issueTicket(caller, parse(TicketRequest, await call.body()));
    },

    usage: async (call) => access.usage.report(await access.identify(call.from)),
  };
}
