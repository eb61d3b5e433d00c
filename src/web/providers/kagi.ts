/** Kagi's search API, version 1. */
import * as z from 'zod';
import {
  answerOf,
  endpoint,
  hitOf,
  jsonPost,
  type KeyedService,
  optionalText,
  type ProviderAdapter,
  rowsOf,
  withSites,
} from './adapter.ts';

const Row = z.object({ url: z.string(), title: optionalText, snippet: optionalText, time: optionalText });
const Answer = z.object({ data: z.object({ search: rowsOf(Row).default([]) }) });

/** The adapter for Kagi. */
export function kagi({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'kagi',
    request(query) {
      const body = {
        query: withSites(query),
        workflow: 'search',
        limit: Math.min(query.limit, 20),
        ...(query.from === undefined ? {} : { filters: { after: query.from.slice(0, 10) } }),
      };
      return jsonPost(endpoint(baseUrl, 'api/v1/search'), { authorization: `Bearer ${key}` }, body);
    },
    parse(response) {
      return answerOf(Answer, response).data.search.flatMap(
        ({ url, title, snippet, time }) => hitOf(url, title, snippet, time) ?? [],
      );
    },
  };
}
