/**
 * GitHub's search for repositories, by name, description and README. Their dates are those of the last change, not of
 * publication, so hits have none.
 */
import * as z from 'zod';
import { userAgent } from '../fetch/fetch.ts';
import { answerOf, endpoint, hitOf, mayHold, optionalText, type ProviderAdapter, rowsOf } from './adapter.ts';
import { keywordsOf } from './keywords.ts';

const Row = z.object({ html_url: z.string(), full_name: optionalText, description: optionalText });
const Answer = z.object({ items: rowsOf(Row) });

/** Searches a minute, from the API reference: without a token and with one. */
const perMinute = { anonymous: 10, authenticated: 30 };

/** The adapter for GitHub; a token only raises its limit. */
export function github(options: { readonly baseUrl: string; readonly token?: string | undefined }): ProviderAdapter {
  const { baseUrl, token } = options;
  return {
    name: 'github',
    // It asks clients not to send requests concurrently.
    pace: { intervalMs: 0, maxWaiting: 8 },
    perMinute: token === undefined ? perMinute.anonymous : perMinute.authenticated,
    request({ text, limit, rules }) {
      // Every word must be found: more than a few find nothing. The API refuses more than 256 characters.
      const words = keywordsOf(text, 6).join(' ').slice(0, 220);
      if (words === '' || !mayHold(rules, 'github.com')) return undefined;
      const url = endpoint(baseUrl, 'search/repositories');
      url.searchParams.set('q', `${words} in:name,description,readme`);
      url.searchParams.set('per_page', String(Math.min(limit, 20)));
      const headers = {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': userAgent,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      return { url: url.href, init: { headers } };
    },
    parse(response) {
      return answerOf(Answer, response).items.flatMap(
        ({ html_url, full_name, description }) => hitOf(html_url, full_name, description) ?? [],
      );
    },
  };
}
