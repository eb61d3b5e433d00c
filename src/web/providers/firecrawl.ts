/** Firecrawl's search API, hosted or self-hosted. Only its results are used: the pages are read by this server. */
import * as z from 'zod';
import { maxQueryLength } from '../../base/values/query-length.ts';
import {
  answerOf,
  endpoint,
  googleDates,
  hitOf,
  hostsOf,
  jsonPost,
  optionalText,
  type ProviderAdapter,
  ProviderError,
  rowsOf,
} from './adapter.ts';

const Web = z.object({ url: z.string(), title: optionalText, description: optionalText });
const News = z.object({ url: z.string(), title: optionalText, snippet: optionalText, date: optionalText });
const Answer = z.object({
  success: z.boolean().default(true),
  data: z.object({ web: rowsOf(Web).default([]), news: rowsOf(News).default([]) }),
});

/** The adapter for Firecrawl; a self-hosted one needs no key. */
export function firecrawl(options: { readonly key?: string | undefined; readonly baseUrl: string }): ProviderAdapter {
  return {
    name: 'firecrawl',
    request(query) {
      const { only, never } = hostsOf(query);
      const dates = googleDates(query);
      const body = {
        query: query.text.slice(0, maxQueryLength).toWellFormed(),
        limit: Math.min(query.limit, 20),
        sources: ['web'],
        // The API refuses both lists together; hits of excluded hosts are dropped here anyway.
        ...(only.length > 0 ? { includeDomains: only } : never.length > 0 ? { excludeDomains: never } : {}),
        ...(dates === undefined ? {} : { tbs: dates }),
      };
      const headers: Record<string, string> =
        options.key === undefined ? {} : { authorization: `Bearer ${options.key}` };
      return jsonPost(endpoint(options.baseUrl, 'v2/search'), headers, body);
    },
    parse(response) {
      const { success, data } = answerOf(Answer, response);
      if (!success) throw new ProviderError('it reported a failure.');
      return [
        ...data.web.flatMap(({ url, title, description }) => hitOf(url, title, description) ?? []),
        ...data.news.flatMap(({ url, title, snippet, date }) => hitOf(url, title, snippet, date) ?? []),
      ];
    },
  };
}
