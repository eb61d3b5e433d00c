/** Exa's search API: accepts lists of hosts and a date range directly. Its highlights serve as snippets. */
import * as z from 'zod';
import { maxQueryLength } from '../../base/values/query-length.ts';
import {
  answerOf,
  endpoint,
  hitOf,
  hostsOf,
  jsonPost,
  type KeyedService,
  optionalText,
  type ProviderAdapter,
  rowsOf,
} from './adapter.ts';

const Row = z.object({
  url: z.string(),
  title: optionalText,
  highlights: z.array(z.string()).catch([]),
  publishedDate: optionalText,
});
const Answer = z.object({ results: rowsOf(Row) });

/** The adapter for Exa. */
export function exa({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'exa',
    request(query) {
      const { only, never } = hostsOf(query);
      const body = {
        query: query.text.slice(0, maxQueryLength).toWellFormed(),
        type: 'auto',
        numResults: Math.min(query.limit, 25),
        contents: { highlights: { maxCharacters: 500 } },
        ...(only.length === 0 ? {} : { includeDomains: only }),
        ...(never.length === 0 ? {} : { excludeDomains: never }),
        ...(query.from === undefined ? {} : { startPublishedDate: `${query.from.slice(0, 10)}T00:00:00.000Z` }),
        ...(query.to === undefined ? {} : { endPublishedDate: `${query.to.slice(0, 10)}T23:59:59.999Z` }),
      };
      return jsonPost(endpoint(baseUrl, 'search'), { 'x-api-key': key }, body);
    },
    parse(response) {
      return answerOf(Answer, response).results.flatMap(
        ({ url, title, highlights, publishedDate }) => hitOf(url, title, highlights.join(' … '), publishedDate) ?? [],
      );
    },
  };
}
