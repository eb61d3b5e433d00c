/**
 * The search of any MediaWiki, such as Wikipedia. It needs no key, but expects etiquette: an identifying User-Agent, one call
 * at a time, and respect for Retry-After. Question words are removed, because it requires every word of a query to match.
 */
import * as z from 'zod';
import { userAgent } from '../fetch/fetch.ts';
import { answerOf, hitOf, mayHold, optionalText, type ProviderAdapter, rowsOf } from './adapter.ts';
import { withoutQuestionWords } from './keywords.ts';
import { wikiLanguage } from './wiki-language.ts';

const Answer = z.object({
  query: z.object({
    search: rowsOf(z.object({ title: z.string(), snippet: optionalText })),
    general: z.object({ server: optionalText, articlepath: optionalText }).catch({}),
  }),
});

/**
 * The adapter for a MediaWiki. `wiki` is its base URL, such as `https://en.wikipedia.org`, or the URL of its `api.php`. With
 * `{language}` in it, the wiki of a query's language is asked, or the English one if the rules exclude that.
 */
export function mediawiki(wiki: string): ProviderAdapter {
  const apiIn = (language: string): URL => {
    const url = wiki.replace(/\{language\}|%7Blanguage%7D/i, language);
    return new URL(/\.php$/.test(new URL(url).pathname) ? url : new URL('/w/api.php', url));
  };
  return {
    name: 'mediawiki',
    pace: { intervalMs: 0, maxWaiting: 20 },
    request({ text, limit, rules, language: asked }) {
      const own = wikiLanguage({ text, ...(asked === undefined ? {} : { language: asked }) });
      const language = [own, 'en'].find((each) => mayHold(rules, apiIn(each).hostname));
      if (language === undefined) return undefined;
      const url = apiIn(language);
      const parameters = {
        action: 'query',
        list: 'search',
        srsearch: withoutQuestionWords(text, own),
        srlimit: String(Math.min(limit, 20)),
        // Returns the path of its articles in the same call.
        meta: 'siteinfo',
        siprop: 'general',
        format: 'json',
        formatversion: '2',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, init: { headers: { 'user-agent': userAgent, accept: 'application/json' } } };
    },
    parse(response) {
      const { search, general } = answerOf(Answer, response).query;
      const { server, articlepath } = general;
      const { origin: asked } = apiIn('en');
      const origin = server === undefined ? asked : new URL(server, asked).origin;
      const path = articlepath?.includes('$1') ? articlepath : '/wiki/$1';
      return search.flatMap(({ title, snippet }) => {
        const name = encodeURIComponent(title.replaceAll(' ', '_')).replace(/%(?:2F|3A|2C)/g, decodeURIComponent);
        return hitOf(origin + path.replace('$1', () => name), title, snippet) ?? [];
      });
    },
  };
}
