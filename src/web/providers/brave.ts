/** Brave's web search API. */
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

const Row = z.object({ url: z.string(), title: optionalText, description: optionalText, page_age: optionalText });
/** Without results, there is no `web`. */
const Answer = z.object({ web: z.object({ results: rowsOf(Row).default([]) }).default({ results: [] }) });

/** The adapter for Brave. */
export function brave({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'brave',
    request(query) {
      const { limit, from, to, language } = query;
      const url = endpoint(baseUrl, 'res/v1/web/search');
      url.searchParams.set('q', withSites(query));
      url.searchParams.set('count', String(Math.min(limit, 20)));
      url.searchParams.set('text_decorations', 'false');
      if (language !== undefined) url.searchParams.set('search_lang', language.slice(0, 2).toLowerCase());
      if (from !== undefined) {
        const end = (to ?? new Date().toISOString()).slice(0, 10);
        url.searchParams.set('freshness', `${from.slice(0, 10)}to${end}`);
      }
      const headers = { accept: 'application/json', 'x-subscription-token': key };
      return { url: url.href, init: { headers } };
    },
    parse(response) {
      return answerOf(Answer, response).web.results.flatMap(
        ({ url, title, description, page_age }) => hitOf(url, title, description, page_age) ?? [],
      );
    },
  };
}
