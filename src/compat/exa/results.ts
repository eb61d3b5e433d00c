/** Sources and pages as Exa's clients read them. */
import type { ExaResult, ExaTexts, Source } from '../../../protocol/index.ts';
import { firstCharacters } from '../page-texts.ts';
import type { ReadPage } from '../read-pages.ts';
import type { SearchHit } from '../search-results.ts';

/** Passages of a page that are shown for a query; set by hand. */
const maxPassages = 3;

/** Which texts of a page are asked for. */
export interface AskedTexts {
  readonly text: boolean;
  /** The longest text of a page. */
  readonly maxCharacters: number;
  readonly highlights: boolean;
  readonly summary: boolean;
  /** What a page is to say something about, where it is not a question of its own. */
  readonly query: string | undefined;
}

/** No texts are asked for where nothing is said. */
export function readTexts({ text, highlights, summary }: ExaTexts): AskedTexts {
  const maxCharacters = (typeof text === 'object' ? text?.maxCharacters : undefined) ?? Number.POSITIVE_INFINITY;
  const queries = [highlights, summary].map((each) => (typeof each === 'object' ? each?.query : undefined));
  return {
    text: isAsked(text),
    maxCharacters,
    highlights: isAsked(highlights),
    summary: isAsked(summary),
    query: queries.find((query) => query != null) ?? undefined,
  };
}

function isAsked(given: boolean | object | null | undefined): boolean {
  return given != null && given !== false;
}

/** A result of a search; `text` is the whole text of its page, if that is asked for and there is one. */
export function resultOf(hit: SearchHit, asked: AskedTexts, text: string | null | undefined): ExaResult {
  const { url, title, score, published_at } = hit;
  const said = hit.text === '' ? [] : [hit.text];
  return {
    ...headOf(url, title, published_at),
    score,
    ...(text == null ? {} : { text }),
    ...(asked.highlights ? { highlights: said, highlightScores: said.map(() => score) } : {}),
    ...(asked.summary ? { summary: hit.text } : {}),
  };
}

/** A page that was read; none if it could not be. */
export function pageResults({ url, contents }: ReadPage, asked: AskedTexts): ExaResult[] {
  if (contents === undefined) return [];
  const { title, published_at, passages = [] } = contents.info;
  const said = passages.slice(0, maxPassages).map(({ text }) => text);
  return [
    {
      ...headOf(url, title, published_at),
      ...(asked.text ? { text: firstCharacters(contents.response, asked.maxCharacters) } : {}),
      ...(asked.highlights ? { highlights: said } : {}),
      ...(asked.summary ? { summary: said.join('\n\n') } : {}),
    },
  ];
}

/** A source of an answer, with what its page says about the question where that is asked for. */
export function citationOf({ url, title, published_at, excerpt, snippet }: Source, withText: boolean): ExaResult {
  const text = excerpt?.text ?? snippet ?? '';
  return { ...headOf(url, title, published_at), ...(withText ? { text } : {}) };
}

function headOf(url: string, title: string, published_at: string | undefined) {
  const dated = published_at === undefined ? {} : { publishedDate: published_at };
  return { id: url, url, title: title || url, author: null, ...dated };
}
