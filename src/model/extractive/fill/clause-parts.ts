/**
 * The parts of a sentence that each say something of their own: its clauses, and what "and" or "nor" joins within one. "Has no garden
 * and no lift" denies twice, "is not heated and has a slide" once, and "breakfast and parking are not included" is one part.
 */

/** Offsets into the text that was split. */
export interface ClausePart {
  readonly start: number;
  readonly end: number;
  /** Whether "nor" begins it: it is denied without a denial of its own. */
  readonly isNor: boolean;
}

export const denialWords = String.raw`\b(?:no(?! later| more than| less than| fewer|body| longer than)|not(?! only| later than| more than| less than| until)|never|without|neither|nor|none|cannot|nobody|no longer|excluding|lacks?|lacking|free (?:of|from)(?! charge)|fails? to|unable|kein\p{L}*|nicht|nie|ohne|weder|pas|jamais|sans|nunca|sin|senza|geen|niet|não|sem)\b|n['’]t\b`;

const clauseEnd =
  /[;:]\s|,\s(?:but|while|whereas|although|though|however|yet|aber|mais|pero)\b|\s(?:but|whereas|while|although)\s|,\s(?=(?:and )?(?:the|no|dogs|not)\b)|,\s(?:as|because|since)\s(?=(?:it|they|the|we|there)\b)/giu;
const conjunction = /,?\s(?:and|or|und|oder|et|ou|y|o|e|nor|ni|noch)\s|,\s/giu;

export const auxiliaries = `(?:is|are|was|were|has|have|had|does|do|did|will|would|shall|should|may|can|could|might|must|cannot|ist|sind|war|waren|hat|haben|wird|werden|kann|darf|dürfen|muss|est|sont|ont|es|son|tiene|tienen|hay)(?:n['’]t)?`;
export const verbs =
  '(?:needs?|requires?|offers?|includes?|contains?|provides?|uses?|supports?|takes?|allows?|costs?|comes?|lacks?|pays?|gets?|works?|makes?|charges?|accepts?|opens?|closes?|sells?|serves?|features?)';
const predicate = new RegExp(String.raw`\b(?:${auxiliaries}|${verbs}|\p{L}{2,}ed)(?!\p{L})`, 'iu');
/**
 * "has no slide", "also needs a key", "there is a fee", "the rooms are small"; with an article also "the bag costs extra" and "the
 * amendment failed", but not "the travel costs", "the freshly baked bread".
 */
const beginsPredicate = new RegExp(
  String.raw`^(?:(?:also|then|still|only|usually|always|therefore) )?(?:${auxiliaries}|${verbs}|(?:il|elle) n['’]\p{L}+)(?!\p{L})|^(?:(?!(?:that|which|who|where|when|if|der|die|das|qui|que)\b)[^\s.,;:()]+ ){1,4}?(?:${auxiliaries}|remains?|stays?|failed)(?!\p{L})|^(?:the|its|their|our|your|each|every|all|this|these) (?:[^\s.,;:()]+ ){1,3}?(?:${verbs}(?= (?!and |or |of |in |for )[^\s.,;:()])|\p{L}{2,}ed(?=[.,;)]|$| (?:in|on|at|by|for|with|to|from|the|an?|no|all|its|separately|extra) ))`,
  'iu',
);
const denial = new RegExp(denialWords, 'iu');
const beginsDenial = new RegExp(`^(?:(?:also|then|still|therefore|with|of) )?(?:${denialWords})`, 'iu');
const article = /^(?:an?|ein\p{L}*|une?|una|one|two|three|several|its own|their own)\s/iu;
const weder = /\bweder\b/i;
const deniedNoun = /\b(?:no|kein\p{L}*)\s\p{L}+/iu;

/** The clauses of a text; at least one. */
export function splitClauses(text: string): { start: number; end: number }[] {
  const clauses: { start: number; end: number }[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(clauseEnd)) {
    if (index > start) clauses.push({ start, end: index });
    start = index + (/^[;:]/.test(mark) ? mark.length : 0);
  }
  if (start < text.length) clauses.push({ start, end: text.length });
  return clauses.length === 0 ? [{ start: 0, end: text.length }] : clauses;
}

/** Copies of patterns, by the pattern, so that none is compiled for each clause: with the flag `g`, and with `^` in front. */
const everywhere = new WeakMap<RegExp, RegExp>();
const anchored = new WeakMap<RegExp, RegExp>();

function copyOf(pattern: RegExp, copies: WeakMap<RegExp, RegExp>, copy: () => RegExp): RegExp {
  const known = copies.get(pattern) ?? copy();
  copies.set(pattern, known);
  return known;
}

/** Whether a pattern has a match between two offsets, of which neither is ever below those of the call before. */
type Finder = (start: number, end: number) => boolean;

/** Every match is searched for once, so that the time is linear in the length of a list. */
function findWithin(text: string, pattern: RegExp): Finder {
  const all = copyOf(pattern, everywhere, () => new RegExp(pattern, `${pattern.flags}g`));
  let found: RegExpExecArray | null | undefined;
  return (start, end) => {
    while (found !== null && (found === undefined || found.index < start)) {
      all.lastIndex = start;
      found = all.exec(text);
    }
    if (found === null || found.index >= end) return false;
    // A match that runs past the end may also match when cut there.
    return found.index + found[0].length <= end || pattern.test(text.slice(found.index, end));
  };
}

function atStart(pattern: RegExp | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => false;
  const first = copyOf(pattern, anchored, () => new RegExp(`^(?:${pattern.source})`, pattern.flags));
  return (text) => first.test(text);
}

/**
 * The parts of a clause. `affirms` and `denies` match what is claimed: where one follows the other, as in "open on Friday and closed
 * on Sunday", each has a part of its own.
 */
export function splitParts(clause: string, affirms?: RegExp, denies?: RegExp): ClausePart[] {
  const conjunctions = [...clause.matchAll(conjunction)];
  if (conjunctions.length === 0) return [{ start: 0, end: clause.length, isNor: false }];
  const parts: ClausePart[] = [];
  let start = 0;
  let isNor = false;
  const within = (pattern: RegExp) => findWithin(clause, pattern);
  const [hasWeder, hasDenial, hasPredicate, deniesNoun] = [weder, denial, predicate, deniedNoun].map(within);
  const [isAffirmed, isDenied] = [affirms && within(affirms), denies && within(denies)];
  const [beginsAffirming, beginsDenying] = [atStart(affirms), atStart(denies)];
  const isSplit = (mark: string, end: number, right: string) => {
    const isIn = (find: Finder | undefined) => find?.(start, end) ?? false;
    if (/\b(?:nor|ni)\s$/i.test(mark)) return true;
    if (/\bnoch\s$/i.test(mark)) return isIn(hasWeder);
    if (beginsDenial.test(right) && (isIn(hasDenial) || isIn(hasPredicate) || isIn(isAffirmed))) return true;
    if ((beginsDenying(right) && isIn(isAffirmed)) || (beginsAffirming(right) && isIn(isDenied))) return true;
    if (mark.trim() === ',') return false;
    return (beginsPredicate.test(right) && isIn(hasPredicate)) || (article.test(right) && isIn(deniesNoun));
  };
  for (const { 0: mark, index } of conjunctions) {
    if (index < start) continue;
    const next = index + mark.length;
    if (!isSplit(mark, index, clause.slice(next, next + 80))) continue;
    if (index > start) parts.push({ start, end: index, isNor });
    start = next;
    isNor = /\b(?:nor|ni|noch)\s$/i.test(mark);
  }
  parts.push({ start, end: clause.length, isNor });
  return parts;
}
