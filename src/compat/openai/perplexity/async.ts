/** Perplexity's asynchronous chat completions: searches in the background. Their ids are those of the searches. */
import type { CompletedEvent } from '../../../../protocol/index.ts';
import {
  type ChatCompletionRequest,
  type PerplexityAsync,
  PerplexityAsyncRequest,
  type RunState,
  type SearchRecord,
} from '../../../../protocol/index.ts';
import { parse } from '../../../base/errors.ts';
import type { Echoed } from '../../../runs/records/run-records.ts';
import type { SearchInput } from '../../../service/calls.ts';
import type { Service } from '../../../service/service.ts';
import type { Doors } from '../../../transport/http/door.ts';
import { answerAtDoor } from '../../../transport/http/searches.ts';
import { unixTime } from '../../unix-time.ts';
import { foundAs } from '../../unknown-search.ts';
import { warningsIn } from '../../warnings.ts';
import { type Asked, completionOf } from '../chat/answer.ts';
import { searchOf } from '../chat/request.ts';
import { forcedFunction } from '../forced-function.ts';

/** The handlers of the routes of asynchronous completions. */
export function perplexityAsyncHandlers(service: Service) {
  return {
    perplexity_create_async: (ctx) =>
      answerAtDoor(service, ctx, 'perplexity', async () => {
        const { request } = parse(PerplexityAsyncRequest, await ctx.call.body());
        const { model } = request;
        return {
          input: inBackground(request, service.models),
          echoed: askedOf(request),
          accepted: ({ search_id: id, created_at }) => completionState({ id, model, created_at, state: 'running' }),
          result: ({ search_id: id, created_at }) => completionState({ id, model, created_at, state: 'completed' }),
        };
      }),

    async perplexity_read_async(ctx, { request_id }) {
      await service.authenticate(ctx.call);
      const finding = service.readWithEchoed(ctx.call, request_id);
      const { record, echoed, run } = await foundAs('asynchronous completion', request_id, finding);
      // Its record has no warnings, its log has them.
      ctx.json(200, asyncOf(record, echoed, run && warningsIn(run.log)));
    },
  } satisfies Partial<Doors['handlers']>;
}

function inBackground(request: ChatCompletionRequest, models: readonly string[]): SearchInput {
  const input = searchOf(request, models);
  if ('request' in input) return { ...input, request: { ...(input.request as object), background: true } };
  return { ...input, background: true };
}

/** What its completion repeats of a request. */
function askedOf(request: ChatCompletionRequest): Asked & Echoed {
  const forced = forcedFunction(request);
  const call = forced === undefined ? {} : { call: { name: forced.name, by: forced.by } };
  return { model: request.model, sources: request.citewire?.sources === true, ...call };
}

/** A search that came through another door has not repeated its request. */
function asyncOf(record: SearchRecord, echoed: Echoed, warned: ReturnType<typeof warningsIn> = {}): PerplexityAsync {
  const { search_id, created_at, state, timings, error } = record;
  const asked: Asked = { model: 'sonar', sources: false, ...echoed };
  const known = { id: search_id, model: asked.model, created_at, state };
  const ended_at = Date.parse(created_at) + (timings?.total_ms ?? 0);
  if (state === 'running') return completionState(known);
  if (state !== 'completed') return completionState({ ...known, ended_at, why: error?.message ?? `It was ${state}.` });
  const response = completionOf({ search_id, created_at }, asked, record as unknown as CompletedEvent, warned);
  return completionState({ ...known, ended_at, response });
}

interface Known {
  readonly id: string;
  readonly model: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly state: RunState;
  /** In ms since 1970. */
  readonly ended_at?: number;
  readonly why?: string;
  readonly response?: PerplexityAsync['response'];
}

function completionState({ id, model, created_at, state, ended_at, why, response = null }: Known): PerplexityAsync {
  const created = unixTime(created_at);
  const ended = ended_at === undefined ? null : Math.floor(ended_at / 1000);
  const isFailed = state !== 'completed' && state !== 'running';
  return {
    id,
    model,
    created_at: created,
    started_at: created,
    completed_at: isFailed ? null : ended,
    failed_at: isFailed ? ended : null,
    status: isFailed ? 'FAILED' : state === 'completed' ? 'COMPLETED' : 'IN_PROGRESS',
    error_message: why ?? null,
    response,
  };
}
