/**
 * THE SPINE. A call is identified, counted, parsed and admitted; then it is a run, and the run's log is all that any
 * transport ever sees of it. `search()` returns a promise of a run: a rejection is an HTTP status, a resolved run ends in
 * exactly one terminal event.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  type Contents,
  ContentsRequest,
  everySource,
  type KeyUsage,
  type PageContents,
  type RateLimitState,
  type SearchEvent,
  type SearchList,
  SearchRequest,
  type TerminalEvent,
  TicketRequest,
  validationIssues,
} from '../protocol/index.ts';
import type { Access, Credentials } from './access/access.ts';
import type { Caller } from './access/identity.ts';
import { type RateDecision, rateLimitState } from './access/limiter.ts';
import { plans } from './access/plans.ts';
import { rateLimited } from './access/rate-limited.ts';
import { type Connection, createConnection } from './connection.ts';
import type { createEngine } from './engine/engine.ts';
import type { Corpus, PageReader, Pictures } from './engine/ports.ts';
import { AppError, invalid } from './errors.ts';
import type { Metrics } from './metrics.ts';
import type { Idempotency, RunRecord, RunRecords } from './runs/records.ts';
import type { OnDisconnect, Registry, Started } from './runs/registry.ts';
import { stateOf } from './runs/replay.ts';
import type { Run } from './runs/run.ts';

export interface Call {
  readonly request_id: string;
  /** Who calls: their key, or the caller that a connection signed in as. */
  readonly from: Credentials | Caller;
  /** Told what is left of the key's minute as soon as the call is counted, before anything else can fail. */
  readonly onCounted: (rate: RateDecision) => void;
}

export interface SearchCall extends Call {
  /** The request's JSON; rejects when there is none. */
  readonly body: () => Promise<unknown>;
  readonly streamed: boolean;
  readonly on_disconnect: OnDisconnect;
  /** The connection it came over, where one may hold several searches. */
  readonly connection?: Connection;
  /** The caller's own name for this request: asking again with it gives the same run and costs nothing. */
  readonly idempotency_key?: string | undefined;
  /** Fires when the caller leaves before there is a run. */
  readonly gone: AbortSignal;
}

/** `cursor` is one that a page gave. */
export interface ListPage {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface ContentsCall extends Call {
  readonly body: () => Promise<unknown>;
  readonly gone: AbortSignal;
}

export interface ConnectCall extends Omit<Call, 'from'> {
  /** A key, or a ticket that was bought with one. */
  readonly from: Credentials | { readonly ticket: string; readonly origin: string | undefined };
}

/** A connection that was let in; `leave` counts it out. */
export interface Connected {
  readonly connection: Connection;
  readonly rate_limit: RateLimitState;
  readonly leave: () => void;
}

export interface Service {
  /** Signs a connection in. It costs one unit, which pays for its first search, or nothing while there is a run to resume. */
  connect(call: ConnectCall): Promise<Connected>;
  search(call: SearchCall): Promise<Started>;
  /** The caller's own run while its log is kept. */
  run(caller: Caller, search_id: string): Run | undefined;
  /** The caller's own search: its run while its log is kept, else its record. Rejects with 404. */
  find(call: Call, search_id: string): Promise<{ run: Run | undefined; record: RunRecord | undefined }>;
  /** The caller's account's searches that have ended, newest first. */
  list(call: Call, page: ListPage): Promise<SearchList>;
  /** Counts a reader in; the returned function counts it out. */
  read(run: Run): () => void;
  /** A page, read now or lately; with a query, what in it answers that. */
  contents(call: ContentsCall): Promise<Contents>;
  snapshot(call: Call, id: string): Promise<PageContents>;
  rateLimit(caller: Caller): Promise<RateLimitState>;
  ticket(call: Call & { readonly body: () => Promise<unknown> }): Promise<{ ticket: string; expires_at: string }>;
  usage(call: Call): Promise<KeyUsage>;
}

export interface Parts {
  readonly access: Access;
  readonly metrics: Metrics;
  readonly runs: Registry;
  readonly records: RunRecords;
  readonly engine: ReturnType<typeof createEngine>;
  readonly corpus: Corpus;
  readonly reader: PageReader;
  readonly pictures: Pictures;
}

/** Seconds; a plain answer must come before the proxies on its way give up. */
const deadlines = { streamed: 120, plain: 55 } as const;

export function createService(parts: Parts): Service {
  const { access, metrics, runs, records, engine, corpus, reader, pictures } = parts;

  /** Counts one unit, said to the call. Rejects with 429. */
  async function count(caller: Caller, call: Pick<Call, 'onCounted'>): Promise<void> {
    const rate = await access.take(caller);
    call.onCounted(rate);
    if (!rate.allowed) throw rateLimited(rate, 'calls');
  }

  /** Admits the search and sets it going. */
  async function start(
    caller: Caller,
    call: SearchCall,
    request: SearchRequest,
    idempotency: Idempotency | undefined,
  ): Promise<Run> {
    const previous = await followed(caller, request.previous_search_id);
    const place = call.connection === undefined ? {} : { connection: call.connection.id };
    const picture = request.image === undefined ? undefined : await pictures.open(request.image, call.gone);
    const permit = await access.admission.admit(caller, place, call.gone);
    const begun = performance.now();
    const most = call.streamed ? deadlines.streamed : deadlines.plain;
    const seconds = Math.min(most, request.max?.seconds ?? most);
    const run = runs.start(
      {
        account_id: caller.account_id,
        request_id: call.request_id,
        prompts: [...previous, request.prompt],
        mode: request.output_format === undefined ? 'text' : 'structured',
        engine: engine.name,
        deadline_ms: 1000 * seconds,
        onDisconnect: call.on_disconnect,
        grace_ms: 1000 * plans[caller.plan].grace_s,
        idempotency,
      },
      (search_id, signal) => {
        const events = engine.research({ search_id, request, previous, picture, seconds }, signal);
        return permit.throttled ? preceded(throttled, events) : events;
      },
    );
    access.usage.count(caller.key_id, 'searches');
    if (permit.throttled) metrics.searchThrottled();
    run.done.then((terminal) => {
      permit.release();
      metrics.searchEnded(stateOf(terminal), (performance.now() - begun) / 1000);
      for (const [direction, tokens] of tokensOf(terminal)) {
        metrics.tokens(direction, tokens);
        access.usage.count(caller.key_id, `${direction}_tokens`, tokens);
      }
    });
    return run;
  }

  /** The prompts of the search that this one follows, oldest first. */
  async function followed(caller: Caller, search_id: string | undefined): Promise<readonly string[]> {
    if (search_id === undefined) return [];
    const { account_id } = caller;
    const before = runs.get(account_id, search_id) ?? (await records.get(account_id, search_id));
    if (before !== undefined) return before.prompts;
    const msg = `expected the id of one of your searches; got ${JSON.stringify(search_id)}`;
    throw invalid(['body', 'previous_search_id'], msg, 'value_error');
  }

  return {
    async connect(call) {
      const grant = 'ticket' in call.from ? await access.redeem(call.from.ticket, call.from.origin) : undefined;
      const caller = grant?.caller ?? (await access.identify(call.from as Credentials));
      const leave = access.admission.connect(caller);
      try {
        await access.takeUpgrade(caller);
        const resumable = runs.holds(caller.account_id);
        if (!resumable) await count(caller, call);
        const rate_limit = rateLimitState(await access.peek(caller));
        return { connection: createConnection(call.request_id, grant ?? { caller }, !resumable), rate_limit, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },

    async search(call) {
      const { connection, idempotency_key: key } = call;
      const caller = await access.identify(call.from);
      const pay = async () => {
        if (!connection?.takePaid()) await count(caller, call);
      };
      const read = async () => {
        const body = await call.body();
        return parse(SearchRequest, connection === undefined ? body : connection.admit(body));
      };
      if (key === undefined) {
        await pay();
        return { run: await start(caller, call, await read(), undefined), deduplicated: false };
      }
      const request = await read();
      const idempotency = { key, hash: createHash('sha256').update(JSON.stringify(request)).digest('base64url') };
      return runs.once(caller.account_id, idempotency, async () => {
        await pay();
        return start(caller, call, request, idempotency);
      });
    },

    run: (caller, search_id) => runs.get(caller.account_id, search_id),
    read: (run) => runs.attach(run),

    async find(call, search_id) {
      const { account_id } = await access.identify(call.from);
      const run = runs.get(account_id, search_id);
      const record = run === undefined ? await records.get(account_id, search_id) : undefined;
      if (run !== undefined || record !== undefined) return { run, record };
      throw new AppError('not_found', `There is no search ${JSON.stringify(search_id.slice(0, 64))} for this account.`);
    },

    async list(call, { cursor, limit }) {
      const { account_id } = await access.identify(call.from);
      await runs.recorded(account_id);
      const { items, cursor: next } = await records.list(account_id, { cursor, limit });
      const shown = items.map(({ prompts, ...item }) => ({ ...item, prompt: prompts.at(-1) ?? '' }));
      return { items: shown, ...(next === undefined ? {} : { cursor: next }) };
    },

    async contents(call) {
      const caller = await access.identify(call.from);
      await count(caller, call);
      access.usage.count(caller.key_id, 'contents');
      const { url, query } = parse(ContentsRequest, await call.body());
      const { snapshot, info } = await reader.read(url, { rules: everySource }, call.gone).catch((error) => {
        throw aboutUrl(error);
      });
      const { links, warnings } = info;
      const response: Contents = {
        response: snapshot.text,
        info: { snapshot: snapshot.id, ...info, links: [...links], warnings: [...warnings] },
      };
      if (query === undefined) return response;
      const ranked = await corpus.rank({ text: query, limit: passagesOfPage, pages: [snapshot] }, call.gone);
      const passages = ranked.map(({ start, end, text, headings, score }) => ({ start, end, text, headings, score }));
      return { ...response, info: { ...response.info, passages } };
    },

    async snapshot(call, id) {
      await access.identify(call.from);
      const snapshot = await corpus.snapshot(id, never);
      if (snapshot === undefined)
        throw new AppError('not_found', `There is no snapshot ${JSON.stringify(id.slice(0, 64))}.`);
      const { url, title, text, published_at } = snapshot;
      const date = published_at === undefined ? {} : { published_at };
      return { response: text, info: { snapshot: id, final_url: url, title, ...date } };
    },

    rateLimit: async (caller) => rateLimitState(await access.peek(caller)),

    async ticket(call) {
      const caller = await access.identify(call.from);
      return access.issueTicket(caller, parse(TicketRequest, await call.body()));
    },

    usage: async (call) => access.usage.report(await access.identify(call.from)),
  };
}

/** Most passages of one page that answer a query. */
const passagesOfPage = 10;
const never = new AbortController().signal;

async function* preceded(first: SearchEvent, events: AsyncGenerator<SearchEvent, void>) {
  yield first;
  yield* events;
}

const throttled = {
  type: 'warning',
  code: 'throttled',
  message: 'The server is busy: searches of the starter plan wait their turn.',
} as const;

/** A page that this server may not or cannot read is a fault of the URL that names it. */
function aboutUrl(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status !== 422) return error;
  const { code, message } = error;
  return new AppError(code, message, { issues: [{ loc: ['body', 'url'], msg: message, type: code }], cause: error });
}

/** Throws a 422 that names every field at fault. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  part: 'body' | 'query' = 'body',
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = validationIssues(parsed.error, part, input);
  const message = issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)[0] ?? 'The request does not fit its schema.';
  throw new AppError('validation_error', message, { issues });
}

function tokensOf({ usage }: TerminalEvent): ['input' | 'output', number][] {
  const tokens: ['input' | 'output', number][] = [
    ['input', usage.tokens_in],
    ['output', usage.tokens_out],
  ];
  return tokens.filter(([, count]) => count > 0);
}
