/** Tavily's search API: accepts lists of hosts and a date range directly. */
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

const Row = z.object({ url: z.string(), title: optionalText, content: optionalText, published_date: optionalText });
const Answer = z.object({ results: rowsOf(Row) });

/** The adapter for Tavily. */
export function tavily({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'tavily',
    request(query) {
      const { only, never } = hostsOf(query);
      const body = {
        query: query.text.slice(0, maxQueryLength).toWellFormed(),
        max_results: Math.min(query.limit, 20),
        ...(only.length === 0 ? {} : { include_domains: only }),
        ...(never.length === 0 ? {} : { exclude_domains: never }),
        ...(query.from === undefined ? {} : { start_date: query.from.slice(0, 10) }),
        ...(query.to === undefined ? {} : { end_date: query.to.slice(0, 10) }),
      };
      return jsonPost(endpoint(baseUrl, 'search'), { authorization: `Bearer ${key}` }, body);
    },
    parse(response) {
      return answerOf(Answer, response).results.flatMap(
        ({ url, title, content, published_date }) => hitOf(url, title, content, published_date) ?? [],
      );
    },
  };
}
