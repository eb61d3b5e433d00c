/** SearXNG's JSON API. Its engines can fail separately: no results together with unresponsive engines is a failure. */
import type { WebQuery } from '../../engine/ports/web.ts';
import { fieldsOf, hitOf, type ProviderAdapter, ProviderError, rowsOf, withSites } from './provider.ts';

/** The adapter for a SearXNG instance. */
export function searxng(baseUrl: string): ProviderAdapter {
  return {
    name: 'searxng',
    request(query) {
      const url = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
      url.searchParams.set('q', withSites(query));
      url.searchParams.set('format', 'json');
      if (query.language !== undefined) url.searchParams.set('language', query.language);
      const range = timeRange(query);
      if (range !== undefined) url.searchParams.set('time_range', range);
      return { url: url.href, init: { headers: { accept: 'application/json' } } };
    },
    parse(response) {
      const { results, unresponsive_engines } = fieldsOf(response);
      const hits = rowsOf(results).flatMap(
        ({ url, title, content, publishedDate }) => hitOf(url, title, content, publishedDate) ?? [],
      );
      if (hits.length === 0 && Array.isArray(unresponsive_engines) && unresponsive_engines.length > 0) {
        throw new ProviderError('none of its engines answered.');
      }
      return hits;
    },
  };
}

const dayMs = 86_400_000;

/** SearXNG only has ranges that end today: the shortest that includes `from`. */
function timeRange({ from }: WebQuery): string | undefined {
  const days = from === undefined ? Number.NaN : (Date.now() - Date.parse(from)) / dayMs;
  if (!(days >= 0 && days <= 365)) return undefined;
  return days <= 1 ? 'day' : days <= 30 ? 'month' : 'year';
}
