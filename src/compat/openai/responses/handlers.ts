/** The calls of responses: creating one, reading it or its events again, cancelling and deleting it. */
import {
  type CompletedEvent,
  type ResponseDeleted,
  ResponseRequest,
  type SearchRecord,
} from '../../../../protocol/index.ts';
import { AppError, invalid, parse } from '../../../base/errors.ts';
import type { Echoed } from '../../../runs/records/run-records.ts';
import type { Run } from '../../../runs/run.ts';
import type { Service } from '../../../service/service.ts';
import type { Context } from '../../../transport/http/context.ts';
import type { Doors } from '../../../transport/http/door.ts';
import {
  answerAtDoor,
  type DoorSearch,
  readableRun,
  withReader,
  withStream,
} from '../../../transport/http/searches.ts';
import { answerWithEvents } from '../../../transport/http/sse.ts';
import { answerText } from '../../answer-text.ts';
import { foundAs } from '../../unknown-search.ts';
import { warningsIn } from '../../warnings.ts';
import { responseEvents } from './events.ts';
import { type Given, givenIn, givenOf } from './given.ts';
import { type Earlier, searchOf } from './request.ts';
import { type About, completedResponse, responseOf, searchIdOf } from './response.ts';

/** The handlers of the routes of responses. */
export function responseHandlers(service: Service) {
  async function search(ctx: Context): Promise<DoorSearch> {
    const request = parse(ResponseRequest, await ctx.call.body());
    const given = givenOf(request);
    const about = (run: Run) => aboutRun(run, given);
    const readEarlier = async (search_id: string): Promise<Earlier | undefined> => {
      const record = await service.read(ctx.call, search_id).catch(() => undefined);
      if (record === undefined) return undefined;
      const answer = record.state === 'completed' ? answerText(record as unknown as CompletedEvent) : undefined;
      return { prompt: record.prompt, answer };
    };
    return {
      input: await searchOf(request, readEarlier, service.models),
      echoed: given,
      events: request.stream === true ? (run) => ({ format: responseEvents(about(run)) }) : undefined,
      result: (run, ended) => completedResponse(about(run), ended, warningsIn(run.log)),
      accepted: (run) => responseOf(about(run), { status: 'in_progress', output: [] }),
    };
  }

  return {
    create_response: (ctx) => answerAtDoor(service, ctx, 'responses', () => search(ctx)),

    async read_response(ctx, { response_id }) {
      await service.authenticate(ctx.call);
      const search_id = searchIdOf(response_id);
      const { stream, starting_after } = ctx.query();
      if (stream !== 'true')
        return ctx.json(
          200,
          responseOfRecord(await foundResponse(response_id, service.readWithEchoed(ctx.call, search_id))),
        );
      const after = parseSequenceNumber(starting_after);
      await withStream(service, ctx, async () => {
        const found = await foundResponse(response_id, service.find(ctx.call, search_id));
        // The events that a record leads to have other numbers.
        if (found.record !== undefined && after >= 0) {
          const instead = 'read them from the start, or retrieve it without stream';
          throw new AppError('gone', `The events of ${response_id} are no longer available from this one; ${instead}.`);
        }
        const run = readableRun(found);
        const format = responseEvents(aboutRun(run, givenIn(run.echoed)), after);
        await withReader(service, run, () => answerWithEvents(ctx, run, { format }));
      });
    },

    async cancel_response(ctx, { response_id }) {
      await service.authenticate(ctx.call);
      const search_id = searchIdOf(response_id);
      await foundResponse(response_id, service.cancel(ctx.call, search_id));
      const { record, echoed } = await service.readWithEchoed(ctx.call, search_id);
      // A search that is still closing its upstream calls will end so.
      const state = record.state === 'running' ? 'cancelled' : record.state;
      ctx.json(200, responseOfRecord({ record: { ...record, state }, echoed }));
    },

    async delete_response(ctx, { response_id }) {
      await service.authenticate(ctx.call);
      await foundResponse(response_id, service.remove(ctx.call, searchIdOf(response_id)));
      ctx.json(200, { id: response_id, object: 'response', deleted: true } satisfies ResponseDeleted);
    },
  } satisfies Partial<Doors['handlers']>;
}

function foundResponse<Value>(response_id: string, finding: Promise<Value>): Promise<Value> {
  return foundAs('response', response_id, finding);
}

function aboutRun(run: Run, given: Given): About {
  const { search_id, created_at, prompts, attempt } = run;
  const background = attempt !== undefined;
  return { search_id, created_at, prompt: prompts.at(-1) ?? '', ...given, background };
}

function responseOfRecord({ record, echoed }: { readonly record: SearchRecord; readonly echoed: Echoed }) {
  const { search_id, created_at, prompt, state, attempt, error, usage } = record;
  const known = { search_id, created_at, prompt, ...givenIn(echoed) };
  const about: About = { ...known, background: attempt !== undefined };
  if (state === 'completed') return completedResponse(about, record as unknown as CompletedEvent);
  const status = state === 'running' ? 'in_progress' : state;
  const why = error === undefined ? null : { code: error.code, message: error.message };
  return responseOf(about, { status, output: [], error: why, usage });
}

/** −1 unless given. Throws a 400 for anything but a whole number. */
function parseSequenceNumber(text: string | undefined): number {
  if (text === undefined || text === '') return -1;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const got = JSON.stringify(text.slice(0, 40));
  throw invalid(
    ['query', 'starting_after'],
    `expected a sequence number, a whole number from 0; got ${got}`,
    'int_parsing',
  );
}
