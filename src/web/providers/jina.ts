/** Jina's search API (s.jina.ai), asked for the results without the contents of their pages. */
import * as z from 'zod';
import {
  answerOf,
  endpoint,
  hitOf,
  type KeyedService,
  optionalText,
  type ProviderAdapter,
  rowsOf,
  withSites,
} from './adapter.ts';

const Row = z.object({ url: z.string(), title: optionalText, description: optionalText, date: optionalText });
const Answer = z.object({ data: rowsOf(Row) });

/** The adapter for Jina. It has no parameter for dates: hits outside them are dropped by their dates. */
export function jina({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'jina',
    // "No search results available for query".
    emptyStatus: 422,
    request(query) {
      const url = endpoint(baseUrl, '');
      url.searchParams.set('q', withSites(query));
      url.searchParams.set('num', String(Math.min(query.limit, 20)));
      if (query.language !== undefined) url.searchParams.set('hl', query.language.toLowerCase().split('-', 1)[0]!);
      const headers = { accept: 'application/json', authorization: `Bearer ${key}`, 'x-respond-with': 'no-content' };
      return { url: url.href, init: { headers } };
    },
    parse(response) {
      return answerOf(Answer, response).data.flatMap(
        ({ url, title, description, date }) => hitOf(url, title, description, date) ?? [],
      );
    },
  };
}
