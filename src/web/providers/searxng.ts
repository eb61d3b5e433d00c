/** SearXNG's JSON API. Its engines can fail separately: no results together with unresponsive engines is a failure. */
import querystring from 'node:querystring';
import * as z from 'zod';
import { dayMs } from '../../base/values/day.ts';
import type { WebQuery } from '../../engine/ports/web.ts';
import {
  answerOf,
  endpoint,
  hitOf,
  optionalText,
  type ProviderAdapter,
  ProviderError,
  rowsOf,
  withSites,
} from './adapter.ts';

const Row = z.object({ url: z.string(), title: optionalText, content: optionalText, publishedDate: optionalText });
const Answer = z.object({ results: rowsOf(Row), unresponsive_engines: z.array(z.unknown()).catch([]) });

/** The adapter for a SearXNG instance. A user and a password in the URL are for the Basic authentication of a proxy before it. */
export function searxng(baseUrl: string): ProviderAdapter {
  const { href: base, authorization } = takeCredentials(baseUrl);
  return {
    name: 'searxng',
    request(query) {
      const url = endpoint(base, 'search');
      url.searchParams.set('q', withSites(query));
      url.searchParams.set('format', 'json');
      if (query.language !== undefined) url.searchParams.set('language', query.language);
      const range = timeRange(query);
      if (range !== undefined) url.searchParams.set('time_range', range);
      return { url: url.href, init: { headers: { accept: 'application/json', ...authorization } } };
    },
    parse(response) {
      const { results, unresponsive_engines } = answerOf(Answer, response);
      const hits = results.flatMap(
        ({ url, title, content, publishedDate }) => hitOf(url, title, content, publishedDate) ?? [],
      );
      if (hits.length === 0 && unresponsive_engines.length > 0) {
        throw new ProviderError('none of its engines answered.');
      }
      return hits;
    },
  };
}

/** The URL without its user and password, and the header with them: fetch refuses a URL that has them. A stray "%" stays as it is. */
function takeCredentials(baseUrl: string): { readonly href: string; readonly authorization: Record<string, string> } {
  const url = new URL(baseUrl);
  const { username, password } = url;
  if (username === '' && password === '') return { href: baseUrl, authorization: {} };
  url.username = '';
  url.password = '';
  const said = Buffer.from(`${querystring.unescape(username)}:${querystring.unescape(password)}`).toString('base64');
  return { href: url.href, authorization: { authorization: `Basic ${said}` } };
}

/** SearXNG only has ranges that end today: the shortest that includes `from`. */
function timeRange({ from }: WebQuery): string | undefined {
  const days = from === undefined ? Number.NaN : (Date.now() - Date.parse(from)) / dayMs;
  if (!(days >= 0 && days <= 365)) return undefined;
  return days <= 1 ? 'day' : days <= 30 ? 'month' : 'year';
}
