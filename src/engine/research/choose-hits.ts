/**
 * Which hits are opened, judged by what a provider says of them: date, title and snippet. A hit outside the dates is not
 * opened. One that has none of the names asked for comes last, and only a few of those are opened: an engine lists ten
 * pages for every query, and most of the pages after the first are about something else. When in doubt, a hit keeps its place.
 */
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { fold } from '../../base/text/stems/fold.ts';
import { stopWords } from '../../base/text/stop-words.ts';
import type { Hit } from '../ports/web.ts';
import { isWithin, type Scope } from './scope.ts';

/** This many pages are opened even if some are about something else: titles and snippets can be wrong. Set by hand. */
const minPages = 4;
/** A word is as good as the rarest of its query if it weighs this share of it. Set by hand. */
const rareShare = 0.6;
/** Characters of a title or snippet that are read. */
const maxText = 1_000;

/**
 * At most `limit` of `hits`, in the order in which to open them. `queries` are those that found them. Where all are outside
 * the dates, they are opened all the same, unless the request itself sets the dates (`isDated`): dates stated in a prompt
 * may match nothing, and are then lifted.
 */
export function chooseHits(
  hits: readonly Hit[],
  queries: readonly string[],
  scope: Scope,
  limit: number,
  isDated = false,
): Hit[] {
  const dated = hits.filter((hit) => isWithin(hit, scope));
  const open = dated.length > 0 || isDated ? dated : hits;
  const isAbout = createSubjectTest(open, queries);
  const about = open.filter(isAbout);
  if (about.length === 0) return open.slice(0, limit);
  const others = open.filter((hit) => !about.includes(hit)).slice(0, Math.max(0, minPages - about.length));
  return [...about, ...others].slice(0, limit);
}

function createSubjectTest(hits: readonly Hit[], queries: readonly string[]): (hit: Hit) => boolean {
  const words = new Map(hits.map((hit) => [hit, new Set(plainWordsIn(textOf(hit)).flatMap(termsOf))]));
  const weights = new Map<string, number>();
  const weightOf = (term: string) => {
    const known = weights.get(term);
    if (known !== undefined) return known;
    const count = hits.filter((hit) => words.get(hit)!.has(term)).length;
    const weight = count === 0 ? 0 : Math.log(1 + hits.length / count);
    weights.set(term, weight);
    return weight;
  };
  const subjects = queries.map(subjectOf).filter(({ terms }) => terms.length > 0);
  return (hit) => {
    const held = words.get(hit)!;
    if (held.size === 0 || subjects.length === 0) return true;
    return subjects.some(({ terms, isNamed }) => {
      const found = terms.filter((term) => held.has(term));
      if (!isNamed || found.length > terms.length / 2) return found.length > 0;
      const rarest = Math.max(...terms.map(weightOf));
      return found.some((term) => weightOf(term) >= rareShare * rarest);
    });
  };
}

/**
 * The names of a query: words that begin with a capital, have a digit, or are written in a script without capitals. If it
 * has none, all its words.
 */
function subjectOf(query: string): { terms: readonly string[]; isNamed: boolean } {
  const words = plainWordsIn(query).filter((word) => !stopWords.has(comparable(word)));
  const names = words.filter((word) => /^\p{Lu}|\p{N}|\p{Lo}/u.test(word));
  const terms = (names.length > 0 ? names : words).flatMap(termsOf);
  return { terms: [...new Set(terms)], isNamed: names.length > 0 };
}

function textOf({ title, snippet }: Hit): string {
  return `${title.slice(0, maxText)} ${snippet.slice(0, maxText)}`;
}

/** A word without case and marks; in a script that writes no spaces between words, its pairs of characters. */
function termsOf(word: string): string[] {
  if (!/\p{Lo}/u.test(word)) return [comparable(word)];
  const characters = [...word];
  return characters.length < 3 ? [word] : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Without the "s" of a plural. */
function comparable(word: string): string {
  return fold(word).replace(/(?<=\p{L}{3})s$/u, '');
}
