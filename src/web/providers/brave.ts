/** Brave's web search API. */
import { fieldsOf, hitOf, type ProviderAdapter, rowsOf, withSites } from './provider.ts';

/** Max. characters of a query, from the API reference. */
const maxQueryChars = 400;

/** The adapter for Brave; `baseUrl` is the API's origin. */
export function brave(options: { readonly key: string; readonly baseUrl: string }): ProviderAdapter {
  return {
    name: 'brave',
    request(query) {
      const { limit, from, to, language } = query;
      const url = new URL('/res/v1/web/search', options.baseUrl);
      url.searchParams.set('q', withSites(query).slice(0, maxQueryChars));
      url.searchParams.set('count', String(Math.min(limit, 20)));
      url.searchParams.set('text_decorations', 'false');
      if (language !== undefined) url.searchParams.set('search_lang', language.slice(0, 2).toLowerCase());
      if (from !== undefined) {
        const end = (to ?? new Date().toISOString()).slice(0, 10);
        url.searchParams.set('freshness', `${from.slice(0, 10)}to${end}`);
      }
      const headers = { accept: 'application/json', 'x-subscription-token': options.key };
      return { url: url.href, init: { headers } };
    },
    parse(response) {
      return rowsOf(fieldsOf(fieldsOf(response).web).results).flatMap(
        ({ url, title, description, page_age }) => hitOf(url, title, description, page_age) ?? [],
      );
    },
  };
}
