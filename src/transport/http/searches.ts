/** The calls of searches: running one, listing them, reading one or its events, cancelling and removing it. */
import { type CompletedEvent, type DoorName, SearchListQuery } from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import { AppError, invalid, parse } from '../../base/errors.ts';
import { recordedRun } from '../../runs/ended/ended-run.ts';
import type { Echoed } from '../../runs/records/run-records.ts';
import type { Run } from '../../runs/run.ts';
import type { SearchCall, SearchInput } from '../../service/calls.ts';
import { describeSearch, type FoundLog } from '../../service/searches/describe-search.ts';
import type { ServerService, Service } from '../../service/service.ts';
import type { RequestHead } from '../exchange.ts';
import { answerWithResult } from './await-result.ts';
import { type Context, defaultHeaders } from './context.ts';
import type { RouteHandlers } from './router.ts';
import { acceptsEvents, answerWithEvents, type EventStream } from './sse.ts';

/** The handlers of the routes of searches. */
export function searchHandlers(service: ServerService) {
  return {
    search: (ctx) => answerSearch(service, ctx),

    async list_searches(ctx) {
      ctx.json(200, await service.list(ctx.call, parse(SearchListQuery, ctx.query(), 'query')));
    },

    /** 200 with the result once the search has ended, 202 while it runs. */
    async read_search(ctx, { search_id }) {
      const record = await service.read(ctx.call, search_id);
      ctx.json(record.state === 'running' ? 202 : 200, record);
    },

    /**
     * Events after `Last-Event-ID` (`<search_id>:<seq>`) or `?after=`. Once they are no longer kept, those that the record leads
     * to, from the start; after any other seq 410, because their numbers differ. 204 if an ended search has no more: an EventSource
     * then stops, and would otherwise ask again every few seconds.
     */
    async read_events(ctx, { search_id }) {
      const { after, loc } = parsePosition(ctx.request, search_id);
      await withStream(service, ctx, async () => {
        const found = await service.find(ctx.call, search_id);
        if (found.record !== undefined && after > 0) throw eventsGone(search_id);
        const run = readableRun(found);
        const reach = await run.reaches(after);
        if (reach === 'gone' && run.state() === 'completed') throw eventsGone(search_id);
        if (reach !== 'held') {
          throw invalid(loc, `expected at most ${run.log.head()}; got ${after}`, 'less_than_equal');
        }
        if (run.state() !== 'running' && after === run.log.head()) return ctx.send(204, defaultHeaders, '');
        await withReader(service, run, () => answerWithEvents(ctx, run, { after }));
      });
    },

    remove_search: async (ctx, { search_id }) => ctx.json(200, await service.remove(ctx.call, search_id)),

    give_feedback: async (ctx, { search_id }) =>
      ctx.json(200, await service.feedback.giveFeedback(ctx.call, search_id)),
    list_feedback: async (ctx) => ctx.json(200, await service.feedback.listFeedback(ctx.call, ctx.query())),

    cancel_search: async (ctx, { search_id }) => ctx.json(202, await service.cancel(ctx.call, search_id)),
  } satisfies Partial<RouteHandlers>;
}

function eventsGone(search_id: string): AppError {
  const instead = `read them from the start, or GET /v1/search/${search_id}`;
  return new AppError('gone', `The events of ${search_id} are no longer available from this position; ${instead}.`);
}

/** The run of a search that was found; once its log is not kept, one of the events that its record leads to. */
export function readableRun({ run, record }: FoundLog): Run {
  return run ?? recordedRun(record);
}

/** Starts a search and answers with its events or its result. `api` and its `body` make it the run of an API. */
export async function answerSearch(
  service: Service,
  ctx: Context,
  input: Partial<Pick<SearchCall, 'api' | 'background' | 'webhook' | 'body'>> = {},
): Promise<void> {
  const streamed = acceptsEvents(ctx.request);
  const idempotency_key = parseIdempotencyKey(ctx.request);
  const answer = async (send: (run: Run) => Promise<void>) => {
    const how = { streamed, on_disconnect: 'grace', idempotency_key, fresh: wantsFresh(ctx.request) } as const;
    const { run } = await service.search({ ...ctx.call, ...input, ...how });
    beginAnswer(ctx, run);
    await withReader(service, run, () => send(run));
  };
  if (streamed) await withStream(service, ctx, () => answer((run) => answerWithEvents(ctx, run)));
  else await answer((run) => (isUnended(run) ? sendAccepted(ctx, run) : answerWithResult(ctx, run)));
}

/** Whether nobody waits for the end of this run. */
function isUnended(run: Run): boolean {
  return run.attempt !== undefined && run.state() === 'running';
}

/** The 202 of a search in the background. */
async function sendAccepted(ctx: Context, run: Run): Promise<void> {
  ctx.json(202, describeSearch({ run }));
}

/** A search as another protocol asks for it, and how that protocol shows the outcome. */
export interface DoorSearch {
  readonly input: SearchInput;
  /** What the protocol repeats of the request whenever the search is read. */
  readonly echoed?: Echoed;
  /** The events of the run; undefined unless the client asked for them instead of a result. */
  readonly events?: ((run: Run) => EventStream) | undefined;
  /** The body of the 200 that answers a search which has completed; what it throws is answered as an error. */
  result(run: Run, completed: CompletedEvent): unknown;
  /** The body of the 202 that answers a search in the background, where the protocol has them. */
  accepted?(run: Run): unknown;
}

/**
 * Starts a search that came through a door and answers with its events or its result. `read` reads the request; what it
 * throws is answered after the call was charged, as for a native search.
 */
export async function answerAtDoor(service: Service, ctx: Context, door: DoorName, read: () => Promise<DoorSearch>) {
  const idempotency_key = parseIdempotencyKey(ctx.request);
  let asked: DoorSearch | undefined;
  let leave = () => {};
  const input = async () => {
    asked = await read();
    if (asked.events !== undefined) leave = await service.openStream(ctx.call, ctx.breakOff);
    return asked.input;
  };
  try {
    const streamed = () => asked?.events !== undefined;
    const how = { streamed, on_disconnect: 'grace', idempotency_key, fresh: wantsFresh(ctx.request) } as const;
    const call = { ...ctx.call, door, input, echoed: () => asked?.echoed, ...how };
    const { run } = await service.search(call);
    const { events, result, accepted } = asked!;
    beginAnswer(ctx, run);
    if (events === undefined && accepted !== undefined && isUnended(run)) return ctx.json(202, accepted(run));
    await withReader(service, run, () =>
      events === undefined
        ? answerWithResult(ctx, run, (ended) => result(run, ended))
        : answerWithEvents(ctx, run, events(run)),
    );
  } finally {
    leave();
  }
}

/** Trying again would start a second search: OpenAI's clients, which try again by themselves, heed this. */
export function beginAnswer(ctx: Context, run: Run): void {
  ctx.header('x-should-retry', 'false');
  ctx.header('x-search-id', run.search_id);
}

/** An event stream is counted for as long as `answer` takes. */
export async function withStream(service: Service, ctx: Context, answer: () => Promise<void>): Promise<void> {
  const leave = await service.openStream(ctx.call, ctx.breakOff);
  try {
    await answer();
  } finally {
    leave();
  }
}

/** The run has a reader for as long as `answer` takes. */
export async function withReader(service: Service, run: Run, answer: () => Promise<void>): Promise<void> {
  const detach = service.attach(run);
  try {
    await answer();
  } finally {
    detach();
  }
}

/** 1 to 255 visible ASCII characters. Throws a 422 for anything else. */
export function parseIdempotencyKey({ headers }: RequestHead): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(
    ['header', 'idempotency-key'],
    `expected 1 to 255 visible ASCII characters; got ${preview(key)}`,
    'value_error',
  );
}

/** Whether the caller wants nothing that was remembered. */
function wantsFresh({ headers }: RequestHead): boolean {
  return /(?:^|[\s,])no-(?:cache|store)(?:$|[\s,=])/i.test(headers.get('cache-control') ?? '');
}

/**
 * The seq to read on from, 0 unless given, and where it is given. A `Last-Event-ID` of this search comes first: an EventSource
 * that reconnects sends it with the URL that it began with. Throws a 422 for anything but a number.
 */
function parsePosition({ query, headers }: RequestHead, search_id: string): { after: number; loc: string[] } {
  const given = new URLSearchParams(query).get('after') ?? undefined;
  const lastId = headers.get('last-event-id');
  const ownId = lastId?.startsWith(`${search_id}:`) ? lastId.slice(search_id.length + 1) : undefined;
  const text = ownId ?? given ?? lastId ?? '';
  const loc = ownId === undefined && given !== undefined ? ['query', 'after'] : ['header', 'last-event-id'];
  if (text === '') return { after: 0, loc };
  if (/^\d{1,15}$/.test(text)) return { after: Number(text), loc };
  throw invalid(loc, `expected a seq, a whole number from 0; got ${JSON.stringify(text.slice(0, 60))}`, 'int_parsing');
}
