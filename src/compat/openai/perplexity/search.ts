/** Perplexity's search, whose answer is a list of results. Its filters are those of its chat completions. */
import {
  PerplexitySearchRequest,
  type PerplexitySearchResponse,
  type SearchRequest,
  type TextResult,
} from '../../../../protocol/index.ts';
import { parse } from '../../../base/errors.ts';
import type { Service } from '../../../service/service.ts';
import type { Doors } from '../../../transport/http/door.ts';
import { answerAtDoor } from '../../../transport/http/searches.ts';
import { type FieldNames, namedBy } from '../../error-text.ts';
import { firstCharacters } from '../../page-texts.ts';
import { type SearchHit, searchHits } from '../../search-results.ts';
import { collectionsOf, effortOf, searchOptions } from '../search-options.ts';

/** What fields of a search are made from; chat completions have other ones. */
const fields: FieldNames = {
  prompt: 'query',
  source_whitelist: 'search_domain_filter',
  source_blacklist: 'search_domain_filter',
  from: 'search_after_date_filter',
  to: 'search_before_date_filter',
};

/** Perplexity's own default. */
const defaultResults = 10;
/** In English, on average. */
const charactersPerToken = 4;

/** The handler of the route of Perplexity's search. */
export function perplexitySearchHandlers(service: Service) {
  return {
    perplexity_search: (ctx) =>
      namedBy(
        fields,
        answerAtDoor(service, ctx, 'perplexity', async () => {
          const asked = parse(PerplexitySearchRequest, await ctx.call.body());
          const maxCharacters = charactersPerToken * (asked.max_tokens_per_page ?? Number.POSITIVE_INFINITY);
          return {
            input: { request: searchOf(asked) },
            result({ search_id }, { result }) {
              const hits = searchHits(result as TextResult, asked.max_results ?? defaultResults);
              const results = hits.map((hit) => resultOf(hit, maxCharacters));
              return { id: search_id, results, server_time: null } satisfies PerplexitySearchResponse;
            },
          };
        }),
      ),
  } satisfies Partial<Doors['handlers']>;
}

/** Not yet validated. */
function searchOf({ query, search_context_size, ...asked }: PerplexitySearchRequest): Partial<SearchRequest> {
  return {
    prompt: [query].flat().join('; '),
    answer: false,
    ...searchOptions(asked),
    ...collectionsOf(asked),
    ...effortOf(search_context_size ?? 'low'),
  };
}

function resultOf({ title, url, text, published_at }: SearchHit, maxCharacters: number) {
  const date = published_at?.slice(0, 10) ?? null;
  return { title: title || url, url, snippet: firstCharacters(text, maxCharacters), date, last_updated: null };
}
