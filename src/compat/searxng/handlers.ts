/** SearXNG's search API: an instance whose one engine is this server. Programs that search with SearXNG need no more than its URL. */
import {
  type SearxngResult,
  type SearxngResults,
  SearxngSearchQuery,
  type TextResult,
} from '../../../protocol/index.ts';
import { AppError, parse } from '../../base/errors.ts';
import type { Service } from '../../service/service.ts';
import type { Context } from '../../transport/http/context.ts';
import type { Doors } from '../../transport/http/door.ts';
import { answerAtDoor } from '../../transport/http/searches.ts';
import { type SearchHit, searchHits } from '../search-results.ts';
import { readOperators, searchOf } from './request.ts';

/** As most engines of SearXNG have. */
const pageResults = 10;
/** The longest form, in bytes. Set by hand: a prompt, each of whose bytes is written as three, fits. */
const maxFormBytes = 200_000;

/** The handlers of the routes of SearXNG. */
export function searxngHandlers(service: Service) {
  const search = (ctx: Context) =>
    answerAtDoor(service, ctx, 'searxng', async () => {
      const asked = parse(SearxngSearchQuery, { ...ctx.query(), ...(await readForm(ctx)) }, 'query');
      const operators = readOperators(asked.q);
      const first = (asked.pageno - 1) * pageResults;
      return {
        input: searchOf(asked, operators, Date.now()),
        result(_, { result }) {
          const hits = searchHits(result as TextResult, Number.POSITIVE_INFINITY);
          return {
            query: asked.q,
            number_of_results: hits.length,
            results: hits.map(showHit).slice(first, first + pageResults),
            answers: [],
            corrections: [],
            infoboxes: [],
            suggestions: [],
            unresponsive_engines: [],
          } satisfies SearxngResults;
        },
      };
    });
  return { searxng_search: search, searxng_search_form: search } satisfies Partial<Doors['handlers']>;
}

/** The fields of the body; none without a body, as of clients that send their parameters in the query. */
async function readForm(ctx: Context): Promise<Record<string, string>> {
  if (ctx.request.method !== 'POST') return {};
  const bytes = await ctx.bytes(maxFormBytes);
  if (bytes.byteLength === 0) return {};
  const type = ctx.request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    const got = type === '' ? 'none' : JSON.stringify(type.slice(0, 100));
    const message = `Expected Content-Type application/x-www-form-urlencoded, or a query and no body; got ${got}.`;
    throw new AppError('unsupported_media_type', message);
  }
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

function showHit({ url, title, text, score, published_at }: SearchHit, at: number): SearxngResult {
  return {
    url,
    title: title || url,
    content: text,
    publishedDate: published_at ?? null,
    engine: 'citewire',
    engines: ['citewire'],
    category: 'general',
    score,
    positions: [at + 1],
    parsed_url: partsOf(url),
    template: 'default.html',
    thumbnail: '',
    img_src: '',
  };
}

/** As Python's `urlparse` divides it. */
function partsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return ['', '', address, '', '', ''];
  return [url.protocol.slice(0, -1), url.host, url.pathname, '', url.search.slice(1), url.hash.slice(1)];
}
