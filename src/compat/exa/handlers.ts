/** Exa's API: a search whose answer is a list of results, the text of pages, and an answer with its sources. */
import {
  ExaAnswerRequest,
  type ExaAnswerResponse,
  ExaContentsRequest,
  type ExaContentsResponse,
  ExaSearchRequest,
  type ExaSearchResponse,
  type StructuredObject,
  type TextResult,
} from '../../../protocol/index.ts';
import { parse } from '../../base/errors.ts';
import type { Service } from '../../service/service.ts';
import type { Doors } from '../../transport/http/door.ts';
import { answerAtDoor } from '../../transport/http/searches.ts';
import { answerText } from '../answer-text.ts';
import { textsOf } from '../page-texts.ts';
import { readPages } from '../read-pages.ts';
import { searchHits } from '../search-results.ts';
import { answerStream } from './answer-events.ts';
import { pageError } from './errors.ts';
import { answerSearchOf, searchOf } from './request.ts';
import { citationOf, pageResults, readTexts, resultOf } from './results.ts';

/** Exa's own default. */
const defaultResults = 10;

/** The handlers of the routes of Exa. */
export function exaHandlers(service: Service) {
  return {
    exa_search: (ctx) =>
      answerAtDoor(service, ctx, 'exa', async () => {
        const begun = performance.now();
        const asked = parse(ExaSearchRequest, await ctx.call.body());
        const texts = readTexts(asked.contents || {});
        return {
          input: searchOf(asked),
          async result(_, { result }) {
            const hits = searchHits(result as TextResult, asked.numResults ?? defaultResults);
            const whole = texts.text ? await textsOf(service, ctx.call, hits, texts.maxCharacters) : [];
            return {
              requestId: ctx.request.id,
              resolvedSearchType: 'auto',
              results: hits.map((hit, at) => resultOf(hit, texts, whole[at])),
              searchTime: Math.round(performance.now() - begun),
            } satisfies ExaSearchResponse;
          },
        };
      }),

    async exa_contents(ctx) {
      const call = await service.authenticate(ctx.call, 'search');
      const { urls, ids, ...given } = parse(ExaContentsRequest, await call.body());
      const asked = readTexts(given);
      // Without a question nothing but the text can be shown.
      const texts = { ...asked, text: asked.text || asked.query === undefined };
      const pages = await readPages(service, call, urls ?? ids!, { query: texts.query, whole: texts.text });
      ctx.json(200, {
        requestId: ctx.request.id,
        results: pages.flatMap((page) => pageResults(page, texts)),
        statuses: pages.map(({ url, error }) =>
          error === undefined ? { id: url, status: 'success' } : { id: url, status: 'error', error: pageError(error) },
        ),
      } satisfies ExaContentsResponse);
    },

    exa_answer: (ctx) =>
      answerAtDoor(service, ctx, 'exa', async () => {
        const asked = parse(ExaAnswerRequest, await ctx.call.body());
        const withText = asked.text === true;
        return {
          input: answerSearchOf(asked),
          events: asked.stream === true ? (run) => answerStream(run, withText) : undefined,
          result(_, ended) {
            const { result, evidence, sources } = ended;
            return {
              requestId: ctx.request.id,
              answer: evidence === undefined ? answerText(ended) : (result as StructuredObject),
              citations: sources.map((source) => citationOf(source, withText)),
            } satisfies ExaAnswerResponse;
          },
        };
      }),
  } satisfies Partial<Doors['handlers']>;
}
