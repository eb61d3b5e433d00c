/** The calls of research: starting it, as a search in the background or with its events, and reading what it has found. */
import {
  type CompletedEvent,
  type TavilyResearch,
  TavilyResearchRequest,
  type TavilyResearchTask,
} from '../../../../protocol/index.ts';
import { parse } from '../../../base/errors.ts';
import type { Service } from '../../../service/service.ts';
import type { Doors } from '../../../transport/http/door.ts';
import { answerAtDoor } from '../../../transport/http/searches.ts';
import { foundAs } from '../../unknown-search.ts';
import { callOf, secondsSince } from '../call.ts';
import { researchEvents } from './events.ts';
import { reportOf } from './report.ts';
import { defaultModel, researchSearch } from './request.ts';

/** The handlers of the routes of research. */
export function researchHandlers(service: Service) {
  return {
    async tavily_research(ctx) {
      const begun = performance.now();
      const call = await callOf(ctx);
      await answerAtDoor(service, { ...ctx, call }, 'tavily', async () => {
        const asked = parse(TavilyResearchRequest, await call.body());
        const model = asked.model ?? defaultModel;
        const task = (
          run: { readonly search_id: string; readonly created_at: string },
          status: TavilyResearchTask['status'],
        ) => ({
          request_id: run.search_id,
          created_at: run.created_at,
          status,
          input: asked.input,
          model,
          response_time: secondsSince(begun),
        });
        return {
          input: researchSearch(asked),
          events: asked.stream ? (run) => ({ format: researchEvents(run, model) }) : undefined,
          accepted: (run): TavilyResearchTask => task(run, 'pending'),
          result: (run): TavilyResearchTask => task(run, 'completed'),
        };
      });
    },

    async tavily_read_research(ctx, { request_id }) {
      const { search_id, created_at, state, timings, error, ...record } = await foundAs(
        'research',
        request_id,
        service.read(ctx.call, request_id),
      );
      const status = state === 'completed' ? 'completed' : state === 'running' ? 'in_progress' : 'failed';
      const research: TavilyResearch = {
        request_id: search_id,
        created_at,
        status,
        ...(status === 'completed' ? reportOf(record as unknown as CompletedEvent) : {}),
        ...(status === 'failed' ? { error: error?.message ?? `The search was ${state}.` } : {}),
        response_time: (timings?.total_ms ?? Date.now() - Date.parse(created_at)) / 1000,
      };
      ctx.json(state === 'running' ? 202 : 200, research);
    },
  } satisfies Partial<Doors['handlers']>;
}
