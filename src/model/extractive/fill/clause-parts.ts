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

const auxiliaries = `(?:is|are|was|were|has|have|had|does|do|did|will|would|shall|should|may|can|could|might|must|cannot|ist|sind|war|waren|hat|haben|wird|werden|kann|darf|dürfen|muss|est|sont|ont|es|son|tiene|tienen|hay)(?:n['’]t)?`;
const verbs =
  '(?:needs?|requires?|offers?|includes?|contains?|provides?|uses?|supports?|takes?|allows?|costs?|comes?|lacks?|pays?|gets?|works?|makes?|charges?|accepts?|opens?|closes?|sells?|serves?|features?)';
const predicate = new RegExp(String.raw`\b(?:${auxiliaries}|${verbs}|\p{L}{2,}ed)(?!\p{L})`, 'iu');
/** "has no slide", "also needs a key", "there is a fee", "the rooms are small". */
const beginsPredicate = new RegExp(
  String.raw`^(?:(?:also|then|still|only|usually|always|therefore) )?(?:${auxiliaries}|${verbs}|(?:il|elle) n['’]\p{L}+)(?!\p{L})|^(?:(?!(?:that|which|who|where|when|if|der|die|das|qui|que)\b)[^\s.,;:()]+ ){1,4}?${auxiliaries}(?!\p{L})`,
  'iu',
);
const hasDenial = new RegExp(denialWords, 'iu');
const beginsDenial = new RegExp(`^(?:(?:also|then|still|therefore|with|of) )?(?:${denialWords})`, 'iu');
const article = /^(?:an?|ein\p{L}*|une?|una|one|two|three|several|its own|their own)\s/iu;
const deniesNoun = /\b(?:no|kein\p{L}*)\s\p{L}+/iu;

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

/**
 * The parts of a clause. `affirms` and `denies` match what is claimed: where one follows the other, as in "open on Friday and closed
 * on Sunday", each has a part of its own.
 */
export function splitParts(clause: string, affirms?: RegExp, denies?: RegExp): ClausePart[] {
  const parts: ClausePart[] = [];
  let start = 0;
  let isNor = false;
  const begins = (pattern: RegExp | undefined, text: string) => pattern !== undefined && text.search(pattern) === 0;
  const isSplit = (mark: string, left: string, right: string) => {
    if (/\b(?:nor|ni)\s$/i.test(mark)) return true;
    if (/\bnoch\s$/i.test(mark)) return /\bweder\b/i.test(left);
    const isSaid = hasDenial.test(left) || predicate.test(left) || (affirms?.test(left) ?? false);
    const isOpposite =
      ((affirms?.test(left) ?? false) && begins(denies, right)) ||
      ((denies?.test(left) ?? false) && begins(affirms, right));
    if (mark.startsWith(',') && mark.trim() === ',') return (isSaid && beginsDenial.test(right)) || isOpposite;
    return (
      isOpposite ||
      (isSaid && beginsDenial.test(right)) ||
      (predicate.test(left) && beginsPredicate.test(right)) ||
      (deniesNoun.test(left) && article.test(right))
    );
  };
  for (const { 0: mark, index } of clause.matchAll(conjunction)) {
    if (index < start) continue;
    const next = index + mark.length;
    if (!isSplit(mark, clause.slice(start, index), clause.slice(next, next + 80))) continue;
    if (index > start) parts.push({ start, end: index, isNor });
    start = next;
    isNor = /\b(?:nor|ni|noch)\s$/i.test(mark);
  }
  parts.push({ start, end: clause.length, isNor });
  return parts;
}
