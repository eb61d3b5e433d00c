/**
 * The language in which Wikipedia is asked: that of the request, or that of the question by its script and its commonest
 * words. The result is always one of a fixed list of codes, because it becomes part of a host's name.
 */
import { languageOfText } from '../../base/text/language.ts';
import type { WebQuery } from '../../engine/ports/web.ts';

/** Wikipedias with over 100,000 articles that readers of these languages use. */
const editions: ReadonlySet<string> = new Set(
  `ar bg bn ca cs da de el en es et eu fa fi fr gl he hi hr hu hy id it ja ka ko lt lv ms nl no pl pt ro ru sk sl sr sv ta th
  tr uk ur vi zh`.split(/\s+/),
);

/** A code from the list of editions; `en` where the query does not tell, or there is no such edition. */
export function wikiLanguage({ text, language }: Pick<WebQuery, 'text' | 'language'>): string {
  const asked = language?.toLowerCase().split('-', 1)[0];
  if (asked !== undefined) return editions.has(asked) ? asked : asked === 'nb' ? 'no' : 'en';
  const found = languageOfText(text);
  return found !== undefined && editions.has(found) ? found : 'en';
}
