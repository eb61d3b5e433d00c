/**
 * Questions that no single page answers: "Who is older, A or B?" needs a page of each, "the wife of the man who built C"
 * a page that the first one names. Here is how such a question is told, and what to look for next: the names in it that
 * no page of the evidence is about, and the names that the best sentences bring in.
 */

import type { Ranked } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import type { Question } from './analyse.ts';

const maxQueries = 4;
/** Sentences whose names are followed. */
const followed = 3;

const comparing =
  /\b(?:both|same|older|younger|oldest|first|earlier|later|more|most|fewer|less|larger|bigger|taller|longer|closer|higher|between|common|or|and)\b/i;
const clause = /\b(?:that|which|who|whose|whom|where)\b/gi;
/** "the college from which …" is said of one thing by way of another, in however few words. */
const within = /\b(?:(?:at|by|for|from|in|of|on|to|with) (?:which|whom)|whose)\b/i;
const kin =
  /['’]s\s+(?:\w+\s+)?(?:father|mother|wife|husband|spouse|son|daughter|brother|sister|parents?|director|author|founder|capital|creator|owner|label|band|team|employer)\b/i;

/** "the husband of …", "the present architect of …": somebody whom a page names and another one is about. */
const roleOf =
  /\bthe\s+(?:[\w-]+\s+){0,2}?(?:husband|wife|spouse|father|mother|son|daughter|brother|sister|parents?|author|writer|poet|director|producer|founder|creator|inventor|discoverer|architect|engineer|designer|composer|publisher|developer|owner|capital|birthplace|successor|predecessor)s?\s+of\b/gi;
/** Where that is what is asked for, one page says it. */
const asksForRole = new RegExp(`^(?:who|what|which)\\s+(?:\\w+\\s+)?(?:is|was|are|were)\\s+${roleOf.source}`, 'i');

/** Whether a question links two things, so that its answer may need two pages. */
export function isCompound(question: Question): boolean {
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

export function bridgeQueries(question: Question, ranked: readonly Ranked[], sources: readonly Source[]): string[] {
  if (!isCompound(question) || ranked.length === 0) return [];
  const titles = new Set(sources.map(({ title }) => plainTitle(title)));
  const asked = question.text.toLowerCase();
  const isNews = (name: string) => !titles.has(name.toLowerCase());
  const named = thingsNamed(question);
  const own = named.filter((name) => named.length > 1 && /\s|\p{Ll}{4}/u.test(name) && isNews(name));
  const brought = inTurns(ranked.slice(0, followed).map(namesOf)).filter(
    (name) => isNews(name) && !asked.includes(name.toLowerCase()),
  );
  return [...new Set([...own, ...brought])].slice(0, maxQueries);
}

/** "Were Ed Wood and Tim Burton …" names two; elsewhere "the Department of Trade and Industry" is one. */
function thingsNamed({ names, kind }: Question): readonly string[] {
  return kind === 'yesno' ? names.flatMap((name) => name.split(/ and (?=\p{Lu})/u)) : names;
}

/** The first of each list, then the second of each: one long sentence does not speak for all. */
function inTurns(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
}

/** A title without what tells it from others of its name: "Ed Wood (film)" is "ed wood". */
export function plainTitle(title: string): string {
  return title.replace(/\s*\([^()]*\)\s*$/, '').toLowerCase();
}

/** Runs of two capitalised words and more, in the order of the text. */
function namesOf({ unit }: Ranked): string[] {
  const found = unit.text.matchAll(
    /\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:of|the|de|van|von)\s+)?\p{Lu}[\p{L}\p{N}'’.-]*)+/gu,
  );
  const names = [...found].map((match) =>
    match[0].replace(/^(?:The|In|On|At|A|An)\s+(?=\p{Lu}\S*\s)/u, '').replace(/(?:['’]s)?[.'’-]*$/, ''),
  );
  return [...new Set(names)].filter((name) => name.includes(' ')).slice(0, 4);
}
