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

/** Max. words of a query, operators included, by Brave's reference. */
const maxWords = 50;

/** The values of `search_lang` that are languages of one code, by Brave's reference. Any other value is refused with 422. */
const languages = new Set(
  'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
    ' ',
  ),
);

/** Brave's code for a BCP 47 tag; undefined for a language that it does not know. */
function searchLanguage(tag: string): string | undefined {
  const [language = '', ...subtags] = tag.toLowerCase().split('-');
  const has = (...wanted: string[]) => wanted.some((each) => subtags.includes(each));
  if (language === 'ja') return 'jp';
  if (language === 'no') return 'nb';
  if (language === 'pt') return has('pt') ? 'pt-pt' : 'pt-br';
  if (language === 'en' && has('gb')) return 'en-gb';
  if (language === 'zh') {
    return has('hant') || (has('tw', 'hk', 'mo') && !has('hans')) ? 'zh-hant' : 'zh-hans';
  }
  return languages.has(language) ? language : undefined;
}

/** The adapter for Brave. */
export function brave({ key, baseUrl }: KeyedService): ProviderAdapter {
  return {
    name: 'brave',
    request(query) {
      const { limit, from, to, language } = query;
      const url = endpoint(baseUrl, 'res/v1/web/search');
      url.searchParams.set('q', withSites(query, maxWords));
      url.searchParams.set('count', String(Math.min(limit, 20)));
      url.searchParams.set('text_decorations', 'false');
      const searchLang = language === undefined ? undefined : searchLanguage(language);
      if (searchLang !== undefined) url.searchParams.set('search_lang', searchLang);
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
