/**
 * Tavily's API: a search whose answer is a list of results, the text of pages, what pages lead to, and research. Its older clients send the key in the body,
 * which is therefore small here: it is read before anybody knows who sent it.
 */
import {
  crawlLimits,
  TavilyCrawlRequest,
  type TavilyCrawlResponse,
  TavilyExtractRequest,
  type TavilyExtractResponse,
  TavilyMapRequest,
  type TavilyMapResponse,
  TavilySearchRequest,
  type TavilySearchResponse,
  type TextResult,
} from '../../../protocol/index.ts';
import { parse } from '../../base/errors.ts';
import { withoutMarkers } from '../../service/searches/previous-search.ts';
import type { Service } from '../../service/service.ts';
import type { Context } from '../../transport/http/context.ts';
import type { Doors } from '../../transport/http/door.ts';
import { answerAtDoor } from '../../transport/http/searches.ts';
import { textsOf } from '../page-texts.ts';
import { type ReadPage, readPages } from '../read-pages.ts';
import { type SearchHit, searchHits } from '../search-results.ts';
import { callOf, secondsSince } from './call.ts';
import { crawl, crawlDefaults } from './crawl/crawl.ts';
import { researchHandlers } from './research/handlers.ts';
import { tavilySearch } from './search-request.ts';

/** Tavily's own default. */
const defaultResults = 5;
/** Passages of a page that are returned for a query, which is Tavily's own maximum by default. */
const maxPassages = 3;

/** The handlers of the routes of Tavily. */
export function tavilyHandlers(service: Service) {
  return {
    async tavily_search(ctx) {
      const begun = performance.now();
      const call = await callOf(ctx);
      await answerAtDoor(service, { ...ctx, call }, 'tavily', async () => {
        const asked = parse(TavilySearchRequest, await call.body());
        return {
          input: tavilySearch(asked, Date.now()),
          async result(_, { result }) {
            const { query, include_answer, include_raw_content, max_results } = asked;
            const hits = searchHits(result as TextResult, max_results ?? defaultResults);
            const texts = include_raw_content ? await textsOf(service, call, hits) : [];
            return {
              query,
              answer: include_answer ? withoutMarkers(result as TextResult) : null,
              images: [],
              follow_up_questions: null,
              results: hits.map((hit, at) => showHit(hit, texts[at] ?? null)),
              ...measured(ctx, begun),
            } satisfies TavilySearchResponse;
          },
        };
      });
    },

    async tavily_extract(ctx) {
      const begun = performance.now();
      const call = await service.authenticate(await callOf(ctx), 'search');
      const { urls, query } = parse(TavilyExtractRequest, await call.body());
      const pages = await readPages(service, call, [urls].flat(), { query });
      ctx.json(200, {
        results: pages.flatMap(showPage),
        failed_results: pages.flatMap(({ url, error }) => (error === undefined ? [] : [{ url, error: error.message }])),
        ...measured(ctx, begun),
      } satisfies TavilyExtractResponse);
    },

    async tavily_crawl(ctx) {
      const begun = performance.now();
      const call = await service.authenticate(await callOf(ctx), 'search');
      const asked = parse(TavilyCrawlRequest, await call.body());
      const maxPages = Math.min(asked.limit ?? crawlDefaults.limit, crawlLimits.pages);
      const bounds = { pages: maxPages, urls: crawlLimits.links, levels: depthOf(asked) + 1 };
      const { pages } = await crawl(service, call, asked, bounds);
      ctx.json(200, {
        base_url: asked.url,
        results: pages.flatMap(showPage).map(({ url, raw_content, images }) => ({ url, raw_content, images })),
        ...measured(ctx, begun),
      } satisfies TavilyCrawlResponse);
    },

    async tavily_map(ctx) {
      const begun = performance.now();
      const call = await service.authenticate(await callOf(ctx), 'search');
      const asked = parse(TavilyMapRequest, await call.body());
      const maxUrls = Math.min(asked.limit ?? crawlDefaults.limit, crawlLimits.links);
      // The pages at the end are only named, so nobody reads them.
      const bounds = { pages: crawlLimits.pages, urls: maxUrls, levels: depthOf(asked) };
      const { urls } = await crawl(service, call, asked, bounds);
      ctx.json(200, { base_url: asked.url, results: [...urls], ...measured(ctx, begun) } satisfies TavilyMapResponse);
    },
    ...researchHandlers(service),
  } satisfies Partial<Doors['handlers']>;
}

function depthOf({ max_depth }: TavilyMapRequest): number {
  return max_depth ?? crawlDefaults.depth;
}

function showHit({ title, url, text, score, published_at }: SearchHit, raw_content: string | null) {
  const dated = published_at === undefined ? {} : { published_date: published_at };
  return { title, url, content: text, score, raw_content, ...dated };
}

function showPage({ url, contents }: ReadPage) {
  if (contents === undefined) return [];
  const { response, info } = contents;
  const passages = info.passages?.slice(0, maxPassages).map(({ text }) => text);
  return [{ url, title: info.title, raw_content: passages?.join(' [...] ') ?? response, images: [] }];
}

function measured({ request }: Context, begun: number) {
  return { response_time: secondsSince(begun), request_id: request.id };
}
