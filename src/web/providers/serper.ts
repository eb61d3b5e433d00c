/** Serper's API: the results of Google. */
import * as z from 'zod';
import {
  answerOf,
  endpoint,
  googleDates,
  hitOf,
  jsonPost,
  type KeyedService,
  optionalText,
  type ProviderAdapter,
  rowsOf,
  withSites,
} from './adapter.ts';

const Row = z.object({ link: z.string(), title: optionalText, snippet: optionalText, date: optionalText });
const Answer = z.object({ organic: rowsOf(Row).default([]) });

/** The adapter for Serper. */
export function serper({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'serper',
    request(query) {
      const dates = googleDates(query);
      const body = {
        q: withSites(query),
        // More than ten results cost two credits.
        num: Math.min(query.limit, 10),
        ...(query.language === undefined ? {} : { hl: query.language.toLowerCase() }),
        ...(dates === undefined ? {} : { tbs: dates }),
      };
      return jsonPost(endpoint(baseUrl, 'search'), { 'x-api-key': key }, body);
    },
    parse(response) {
      return answerOf(Answer, response).organic.flatMap(
        ({ link, title, snippet, date }) => hitOf(link, title, snippet, date) ?? [],
      );
    },
  };
}
