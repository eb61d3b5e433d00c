/** Tavily's search API: accepts lists of hosts and a date range directly. */
import { fieldsOf, hitOf, type ProviderAdapter, rowsOf } from './provider.ts';

/** The adapter for Tavily. */
export function tavily(options: { readonly key: string; readonly baseUrl: string }): ProviderAdapter {
  return {
    name: 'tavily',
    request({ text, limit, rules, from, to }) {
      const body = {
        query: text.slice(0, 400),
        max_results: Math.min(limit, 20),
        ...(rules.only.length === 0 ? {} : { include_domains: rules.only.map(({ host }) => host) }),
        ...(rules.never.length === 0
          ? {}
          : { exclude_domains: rules.never.filter(({ path }) => path === '').map(({ host }) => host) }),
        ...(from === undefined ? {} : { start_date: from.slice(0, 10) }),
        ...(to === undefined ? {} : { end_date: to.slice(0, 10) }),
      };
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${options.key}` };
      return {
        url: new URL('/search', options.baseUrl).href,
        init: { method: 'POST', headers, body: JSON.stringify(body) },
      };
    },
    parse(response) {
      return rowsOf(fieldsOf(response).results).flatMap(
        ({ url, title, content, published_date }) => hitOf(url, title, content, published_date) ?? [],
      );
    },
  };
}
