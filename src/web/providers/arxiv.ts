/** arXiv's API: preprints, their abstracts as snippets, in an Atom feed. Its terms ask for one request every three seconds. */

import { innerText } from '../extract/html/blocks.ts';
import { elementsOf, parseHtml, select } from '../extract/html/html-tree.ts';
import { userAgent } from '../fetch/fetch.ts';
import { endpoint, hitOf, mayHold, type ProviderAdapter, ProviderError } from './adapter.ts';
import { keywordsOf } from './keywords.ts';

/** Of up to this many words, all must be found; of more, any, and pages with the most of them come first. Set by hand. */
const maxRequired = 3;

/** The adapter for arXiv. `intervalMs` is the time between requests. */
export function arxiv({
  baseUrl,
  intervalMs = 3_000,
}: {
  readonly baseUrl: string;
  readonly intervalMs?: number;
}): ProviderAdapter {
  return {
    name: 'arxiv',
    format: 'text',
    pace: { intervalMs, maxWaiting: 2 },
    request({ text, limit, rules, from, to }) {
      const words = keywordsOf(text, 8).map((word) => `all:"${word}"`);
      if (words.length === 0 || !mayHold(rules, 'arxiv.org')) return undefined;
      const about = `(${words.join(words.length > maxRequired ? ' OR ' : ' AND ')})`;
      const day = (date: string) => date.slice(0, 10).replaceAll('-', '');
      const range = `submittedDate:[${day(from ?? '1991-01-01')}0000 TO ${day(to ?? '2999-12-31')}2359]`;
      const url = endpoint(baseUrl, 'api/query');
      const dated = from === undefined && to === undefined ? about : `${about} AND ${range}`;
      url.searchParams.set('search_query', dated);
      url.searchParams.set('max_results', String(Math.min(limit, 20)));
      url.searchParams.set('sortBy', 'relevance');
      return { url: url.href, init: { headers: { 'user-agent': userAgent } } };
    },
    parse(response) {
      const feed = select(parseHtml(String(response), true))
        .children('feed')
        .first();
      if (feed.length === 0) throw new ProviderError('it answered in an unexpected format.');
      return elementsOf(feed.children('entry')).flatMap((entry) => {
        const [id = '', title, summary, published] = ['id', 'title', 'summary', 'published'].map((name) => {
          const field = entry.children.find((child) => typeof child !== 'string' && child.name === name);
          return field === undefined || typeof field === 'string' ? undefined : innerText(field);
        });
        // A query that it rejects is an entry too.
        if (id.includes('/api/errors')) throw new ProviderError('it rejected the query.', { isOfQuery: true });
        return (
          hitOf(id.trim().replace(/^http:\/\/arxiv\.org\//, 'https://arxiv.org/'), title, summary, published) ?? []
        );
      });
    },
  };
}
