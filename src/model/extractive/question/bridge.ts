/**
 * Multi-hop questions, which no single page answers: "Who is older, A or B?" needs a page on each, "the wife of the man
 * who built C" a page that the first one names. Recognises them and names what to search for next: names in the question
 * that no page of the evidence is about, and names that the best sentences introduce.
 */

import type { RankedUnit } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import type { AnalysedQuestion } from './analyse.ts';

// Set by hand on the questions of `npm run bench -- two-hops`.
const maxQueries = 4;
/** Units, from the top of the ranking, whose names are searched for. */
const followedUnits = 3;

const comparing =
  /\b(?:both|same|older|younger|oldest|first|earlier|later|more|most|fewer|less|larger|bigger|taller|longer|closer|higher|between|common|or|and)\b/i;
const clause = /\b(?:that|which|who|whose|whom|where)\b/gi;
/** "the college from which …" describes one thing by another, even in a short question. */
const within = /\b(?:(?:at|by|for|from|in|of|on|to|with) (?:which|whom)|whose)\b/i;
const kin =
  /['’]s\s+(?:\w+\s+)?(?:father|mother|wife|husband|spouse|son|daughter|brother|sister|parents?|director|author|founder|capital|creator|owner|label|band|team|employer)\b/i;

/** "the husband of …", "the present architect of …": one page names the person, another one is about them. */
const roleOf =
  /\bthe\s+(?:[\w-]+\s+){0,2}?(?:husband|wife|spouse|father|mother|son|daughter|brother|sister|parents?|author|writer|poet|director|producer|founder|creator|inventor|discoverer|architect|engineer|designer|composer|publisher|developer|owner|capital|birthplace|successor|predecessor)s?\s+of\b/gi;
/** A question for such a person: one page answers it. */
const asksForRole = new RegExp(`^(?:who|what|which)\\s+(?:\\w+\\s+)?(?:is|was|are|were)\\s+${roleOf.source}`, 'i');

/** Whether a question links two things and its answer may need two pages. */
export function isCompound(question: AnalysedQuestion): boolean {
  const { text, terms, kind } = question;
  if (terms.length < 3) return false;
  if (
    thingsNamed(question).length >= 2 &&
    comparing.test(text) &&
    (kind === 'yesno' || /\bor\b|\bboth\b|\bsame\b|\bcommon\b|\bbetween\b/i.test(text))
  )
    return true;
  if (kin.test(text)) return true;
  if ([...text.matchAll(roleOf)].length > (asksForRole.test(text) ? 1 : 0)) return true;
  if (terms.length > 4 && text.slice(12).search(within) !== -1) return true;
  if (terms.length < 6) return false;
  const clauses = [...text.matchAll(clause)].filter((match) => match.index > 12).length;
  const asksLate =
    /^(?:the|a|an|this|\p{Lu})/u.test(text) && /\b(?:what|which|who|whom|where|when|how)\b/i.test(text.slice(20));
  return clauses > 0 || asksLate;
}

/** At most 4 names to search for next; empty for a question that one page can answer. `ranked` begins with the best unit. */
export function bridgeQueries(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  sources: readonly Source[],
): string[] {
  if (!isCompound(question) || ranked.length === 0) return [];
  const titles = new Set(sources.map(({ title }) => plainTitle(title)));
  const text = question.text.toLowerCase();
  const isNew = (name: string) => !titles.has(name.toLowerCase());
  const named = thingsNamed(question);
  const own = named.filter((name) => named.length > 1 && /\s|\p{Ll}{4}/u.test(name) && isNew(name));
  const introduced = interleave(ranked.slice(0, followedUnits).map(namesOf)).filter(
    (name) => isNew(name) && !text.includes(name.toLowerCase()),
  );
  return [...new Set([...own, ...introduced])].slice(0, maxQueries);
}

/** In a yes-or-no question "Ed Wood and Tim Burton" are two names; elsewhere "Trade and Industry" is one. */
function thingsNamed({ names, kind }: AnalysedQuestion): readonly string[] {
  return kind === 'yesno' ? names.flatMap((name) => name.split(/ and (?=\p{Lu})/u)) : names;
}

/** The first of each list, then the second of each: one sentence with many names does not crowd out the others. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
}

/** A title in lower case without a disambiguation in parentheses: "Ed Wood (film)" is "ed wood". */
export function plainTitle(title: string): string {
  return title.replace(/\s*\([^()]*\)\s*$/, '').toLowerCase();
}

/** Runs of at least two capitalised words, at most 4, in the order of the text. */
function namesOf({ unit }: RankedUnit): string[] {
  const found = unit.text.matchAll(
    /\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:of|the|de|van|von)\s+)?\p{Lu}[\p{L}\p{N}'’.-]*)+/gu,
  );
  const names = [...found].map((match) =>
    match[0].replace(/^(?:The|In|On|At|A|An)\s+(?=\p{Lu}\S*\s)/u, '').replace(/(?:['’]s)?[.'’-]*$/, ''),
  );
  return [...new Set(names)].filter((name) => name.includes(' ')).slice(0, 4);
}
