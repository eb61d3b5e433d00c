/** The calls that look at searches begun before: the list, one of them, its events, cancelling it. */
import { PageQuery, type SearchRecord } from '../../protocol/index.ts';
import { AppError, invalid, parse } from '../errors.ts';
import type { Run } from '../runs/run.ts';
import type { Call } from '../service/calls.ts';
import type { Service } from '../service.ts';
import type { Exchange, Headers } from './port.ts';
import { replyJson } from './reply.ts';
import { answerAsEvents } from './sse.ts';

export async function listSearches(service: Service, call: Call, exchange: Exchange, headers: Headers): Promise<void> {
  const given = Object.fromEntries(new URLSearchParams(exchange.query));
  const { cursor, limit } = parse(PageQuery, given, 'query');
  replyJson(exchange, 200, await service.list(call, { cursor, limit }), headers);
}

/** 200 with the result once it has ended, 202 while it runs. */
export async function readSearch(
  service: Service,
  call: Call,
  search_id: string,
  exchange: Exchange,
  headers: Headers,
): Promise<void> {
  const { run, record } = await service.find(call, search_id);
  const { created_at, prompts } = (run ?? record)!;
  const state = run?.state() ?? record!.state;
  const terminal = run === undefined ? record!.terminal : run.log.terminal();
  const { type: _, ...last } = terminal ?? {};
  const head = run === undefined ? {} : { head_seq: run.log.head() };
  const body: SearchRecord = { search_id, state, prompt: prompts.at(-1) ?? '', created_at, ...head, ...last };
  replyJson(exchange, terminal === undefined ? 202 : 200, body, headers);
}

/** Behind `Last-Event-ID` (`<search_id>:<seq>`) or `?after=`; 410 once the events are no longer kept. */
export async function readEvents(
  service: Service,
  call: Call,
  search_id: string,
  exchange: Exchange,
  headers: Headers,
): Promise<void> {
  const after = readAfter(exchange, search_id);
  const { run } = await service.find(call, search_id);
  if (run === undefined) {
    throw new AppError(
      'gone',
      `The events of ${search_id} are no longer kept; GET /v1/search/${search_id} has its result.`,
    );
  }
  if (!(await run.reaches(after))) {
    throw invalid(['query', 'after'], `expected at most ${run.log.head()}; got ${after}`, 'less_than_equal');
  }
  await follow(service, run, after, exchange, headers);
}

/** Reads a run as events, counted as a reader of it until the stream ends. */
export async function follow(
  service: Service,
  run: Run,
  after: number,
  exchange: Exchange,
  headers: Headers,
): Promise<void> {
  const leave = service.read(run);
  try {
    if (!exchange.gone.aborted) await answerAsEvents(exchange, run, after, headers);
  } finally {
    leave();
  }
}

export async function cancelSearch(
  service: Service,
  call: Call,
  search_id: string,
  exchange: Exchange,
  headers: Headers,
): Promise<void> {
  const { run, record } = await service.find(call, search_id);
  run?.cancel('client');
  replyJson(exchange, 202, { search_id, state: run?.state() ?? record!.state }, headers);
}

function readAfter(exchange: Exchange, search_id: string): number {
  const given = new URLSearchParams(exchange.query).get('after');
  const lastId = exchange.headers.get('last-event-id');
  const text = given ?? (lastId?.startsWith(`${search_id}:`) ? lastId.slice(search_id.length + 1) : lastId);
  if (text === undefined || text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const loc = given === null ? ['header', 'last-event-id'] : ['query', 'after'];
  throw invalid(loc, `expected a seq, a whole number from 0; got ${JSON.stringify(text.slice(0, 60))}`, 'int_parsing');
}
