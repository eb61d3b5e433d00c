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
  type PageContents,
  type RateLimitState,
  type SearchList,
  SearchRequest,
  validationIssues,
} from '../protocol/index.ts';
import type { Admission } from './access/admission.ts';
import type { Caller, Identity } from './access/identity.ts';
import { type Limiter, type RateDecision, rateLimitHeaders, rateLimitState } from './access/limiter.ts';
import { plans } from './access/plans.ts';
import type { createEngine } from './engine/engine.ts';
import type { Corpus, PageReader } from './engine/ports.ts';
import { AppError, invalid } from './errors.ts';
import type { Idempotency, RunRecord, RunRecords } from './runs/records.ts';
import type { OnDisconnect, Registry, Started } from './runs/registry.ts';
import type { Run } from './runs/run.ts';

export interface Credentials {
  readonly api_key: string | undefined;
  /** The client's address, for counting failed sign-ins. */
  readonly address: string;
}

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
  /** Whether this call was counted before: an upgrade has paid for the first search of its connection. */
  readonly paid?: boolean;
  readonly streamed: boolean;
  readonly on_disconnect: OnDisconnect;
  /** The connection it came over, where one may hold several searches. */
  readonly connection?: string;
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

export interface Service {
  /** Identifies the caller and counts one unit. Rejects with 401, 403 or 429. */
  open(call: Call): Promise<Caller>;
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
}

export interface Parts {
  readonly identity: Identity;
  readonly limiter: Limiter;
  readonly admission: Admission;
  readonly runs: Registry;
  readonly records: RunRecords;
  readonly engine: ReturnType<typeof createEngine>;
  readonly corpus: Corpus;
  readonly reader: PageReader;
}

/** Seconds; a plain answer must come before the proxies on its way give up. */
const deadlines = { streamed: 120, plain: 55 } as const;

export function createService(parts: Parts): Service {
  const { identity, limiter, admission, runs, records, engine, corpus, reader } = parts;
  const identify = ({ from }: Call): Promise<Caller> =>
    'api_key' in from ? identity.identify(from.api_key, from.address) : identity.recheck(from);

  async function count(caller: Caller, call: Call): Promise<void> {
    const rate = await limiter.take(caller.key_id, plans[caller.plan].calls);
    call.onCounted(rate);
    if (!rate.allowed) throw overLimit(rate);
  }

  async function open(call: Call): Promise<Caller> {
    const caller = await identify(call);
    await count(caller, call);
    return caller;
  }

  /** Admits the search and sets it going. */
  async function start(
    caller: Caller,
    call: SearchCall,
    request: SearchRequest,
    idempotency: Idempotency | undefined,
  ): Promise<Run> {
    const previous = await followed(caller, request.previous_search_id);
    const place = call.connection === undefined ? {} : { connection: call.connection };
    const permit = await admission.admit(caller, place, call.gone);
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
      async function* (search_id, signal) {
        if (permit.throttled) yield throttled;
        yield* engine.research({ search_id, request, previous, seconds }, signal);
      },
    );
    run.done.then(() => permit.release());
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
    open,

    async search(call) {
      const caller = await identify(call);
      const { idempotency_key: key } = call;
      if (key === undefined) {
        if (!call.paid) await count(caller, call);
        const request = parse(SearchRequest, await call.body());
        return { run: await start(caller, call, request, undefined), deduplicated: false };
      }
      const request = parse(SearchRequest, await call.body());
      const idempotency = { key, hash: createHash('sha256').update(JSON.stringify(request)).digest('base64url') };
      return runs.once(caller.account_id, idempotency, async () => {
        if (!call.paid) await count(caller, call);
        return start(caller, call, request, idempotency);
      });
    },

    run: (caller, search_id) => runs.get(caller.account_id, search_id),
    read: (run) => runs.attach(run),

    async find(call, search_id) {
      const { account_id } = await identify(call);
      const run = runs.get(account_id, search_id);
      const record = run === undefined ? await records.get(account_id, search_id) : undefined;
      if (run !== undefined || record !== undefined) return { run, record };
      throw new AppError('not_found', `There is no search ${JSON.stringify(search_id.slice(0, 64))} for this account.`);
    },

    async list(call, { cursor, limit }) {
      const { account_id } = await identify(call);
      const { items, cursor: next } = await records.list(account_id, { cursor, limit });
      const shown = items.map(({ prompts, ...item }) => ({ ...item, prompt: prompts.at(-1) ?? '' }));
      return { items: shown, ...(next === undefined ? {} : { cursor: next }) };
    },

    async contents(call) {
      await open(call);
      const { url, query } = parse(ContentsRequest, await call.body());
      const { snapshot, info } = await reader.read(url, { rules: everySource }, call.gone);
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
      await identify(call);
      const snapshot = await corpus.snapshot(id, never);
      if (snapshot === undefined)
        throw new AppError('not_found', `There is no snapshot ${JSON.stringify(id.slice(0, 64))}.`);
      const { url, title, text, published_at } = snapshot;
      const date = published_at === undefined ? {} : { published_at };
      return { response: text, info: { snapshot: id, final_url: url, title, ...date } };
    },

    async rateLimit(caller) {
      return rateLimitState(await limiter.peek(caller.key_id, plans[caller.plan].calls));
    },
  };
}

/** Most passages of one page that answer a query. */
const passagesOfPage = 10;
const never = new AbortController().signal;

const throttled = {
  type: 'warning',
  code: 'throttled',
  message: 'The server is busy: searches of the starter plan wait their turn.',
} as const;

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

function overLimit(rate: RateDecision): AppError {
  const wait = (rate.retry_after_ms / 1000).toFixed(1);
  return new AppError(
    'rate_limited',
    `This key may make ${rate.limit} calls in ${rate.window_s} s; try again in ${wait} s.`,
    {
      retry_after_ms: rate.retry_after_ms,
      headers: rateLimitHeaders(rate),
    },
  );
}
