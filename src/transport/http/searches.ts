/** The calls that look at searches begun before: the list, one of them, its events, cancelling it. */
import { PageQuery, type RouteName, type SearchRecord } from '../../../protocol/index.ts';
import { AppError, invalid, parse } from '../../base/errors.ts';
import type { Run } from '../../runs/run.ts';
import type { Service } from '../../service/service.ts';
import type { Exchange, Headers } from '../exchange.ts';
import { callOf } from './call.ts';
import { replyJson } from './reply.ts';
import type { Handle } from './router.ts';
import { answerAsEvents } from './sse.ts';

export function searchHandles(service: Service) {
  return {
    async list_searches(exchange, headers) {
      const given = Object.fromEntries(new URLSearchParams(exchange.query));
      const { cursor, limit } = parse(PageQuery, given, 'query');
      replyJson(exchange, 200, await service.list(callOf(exchange, headers), { cursor, limit }), headers);
    },

    /** 200 with the result once it has ended, 202 while it runs. */
    async read_search(exchange, headers, { search_id = '' }) {
      const { run, record } = await service.find(callOf(exchange, headers), search_id);
      const { created_at, prompts } = (run ?? record)!;
      const state = run?.state() ?? record!.state;
      const terminal = run === undefined ? record!.terminal : run.log.terminal();
      const { type: _, ...last } = terminal ?? {};
      const head = run === undefined ? {} : { head_seq: run.log.head() };
      const body: SearchRecord = { search_id, state, prompt: prompts.at(-1) ?? '', created_at, ...head, ...last };
      replyJson(exchange, terminal === undefined ? 202 : 200, body, headers);
    },

    /** Behind `Last-Event-ID` (`<search_id>:<seq>`) or `?after=`; 410 once the events are no longer kept. */
    async read_events(exchange, headers, { search_id = '' }) {
      const after = readAfter(exchange, search_id);
      const { run } = await service.find(callOf(exchange, headers), search_id);
      if (run === undefined) {
        const instead = `GET /v1/search/${search_id} has its result`;
        throw new AppError('gone', `The events of ${search_id} are no longer kept; ${instead}.`);
      }
      if (!(await run.reaches(after))) {
        throw invalid(['query', 'after'], `expected at most ${run.log.head()}; got ${after}`, 'less_than_equal');
      }
      await follow(run, after, { service, exchange, headers });
    },

    async cancel_search(exchange, headers, { search_id = '' }) {
      const { run, record } = await service.find(callOf(exchange, headers), search_id);
      run?.cancel('client');
      replyJson(exchange, 202, { search_id, state: run?.state() ?? record!.state }, headers);
    },
  } satisfies Partial<Record<RouteName, Handle>>;
}

interface Reading {
  readonly service: Service;
  readonly exchange: Exchange;
  readonly headers: Headers;
}

/** Reads a run as events, counted as a reader of it until the stream ends. */
export async function follow(run: Run, after: number, { service, exchange, headers }: Reading): Promise<void> {
  const leave = service.attach(run);
  try {
    if (!exchange.signal.aborted) await answerAsEvents(exchange, run, after, headers);
  } finally {
    leave();
  }
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
