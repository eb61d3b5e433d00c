/**
 * Splits a long sentence into clauses that read on their own: at semicolons, colons and dashes, and at commas before a
 * word that begins a clause or between long stretches. Never within brackets, quotes or code, and never into a fragment.
 */
import { countWords } from './words.ts';

/** Offsets into the text. */
export interface Clause {
  readonly start: number;
  readonly end: number;
}

// Set by hand.
/** Words; a shorter clause says too little. */
const minClauseWords = 5;
/** Words; a shorter sentence is shown whole. */
const minSentenceWords = 14;
/** Characters; a longer text is not a sentence, and its commas would take quadratic time. */
const maxLength = 4000;

const boundary = /[;:]\s+|\s+[–—-]{1,2}\s+|—|,\s+/gu;
const beginsClause =
  /^(?:and|but|or|nor|yet|so|while|whereas|although|though|even|which|who|whom|whose|where|when|because|since|as|after|before|until|unless|if|with|without|including|especially|particularly|such as|despite|following|during|making|leading|resulting|causing|giving|allowing|becoming|being|having|using|\p{Ll}+ing|in which|of which|by which|from which|in order|due to|in addition|along with|as well as|rather than|compared)\b/u;
const begins = {
  insertion: /^(?:which|who|whom|whose|where|when|\p{Ll}+ing|including|despite|with|without|as|if)\b/u,
  predicate: /^(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|should)\b/,
};

/** The clauses of a sentence, in order and without the marks between them; one, the whole, if it cannot be cut. */
export function splitClauses(text: string): Clause[] {
  const whole = [{ start: 0, end: text.length }];
  if (text.length > maxLength || countWords(text) < minSentenceWords || /[`|[\]<\n]/.test(text)) return whole;
  const clauses: Clause[] = [];
  let start = 0;
  let inserted = false;
  for (const match of text.matchAll(boundary)) {
    const end = match.index;
    const next = end + match[0].length;
    const [before, after] = [text.slice(start, end), text.slice(next)];
    const isComma = match[0].startsWith(',');
    const closes = inserted && isComma;
    inserted = isComma && isInsertion(after);
    if (closes || inserted || !canStandAlone(before)) continue;
    if (isComma && !partsClauses(before, after)) continue;
    if (countWords(after) < minClauseWords) break;
    clauses.push({ start, end });
    start = next;
  }
  clauses.push({ start, end: text.length });
  return clauses;
}

function canStandAlone(before: string): boolean {
  return !isOpen(before) && countWords(before) >= minClauseWords && !dangling.test(before);
}

/** Whether what follows a comma is an insertion, ", which is …, flows": the clause before it goes on after it. */
function isInsertion(after: string): boolean {
  const [, rest] = /,\s*(.*)/s.exec(after) ?? [];
  return begins.insertion.test(after) && rest !== undefined && !beginsClause.test(rest);
}

/** Whether a comma separates clauses and not items of a list: by the word after it, or by the distance to the next marks. */
function partsClauses(before: string, after: string): boolean {
  // ", and Staten Island": the end of a list.
  if (/^(?:and|or|nor)\b/.test(after)) return !before.split(/\s+/).slice(-7).join(' ').includes(',');
  if (beginsClause.test(after)) return true;
  const stretches = [before.split(/[,;:]/).at(-1)!, after.split(/[,;:]/)[0]!];
  return !begins.predicate.test(after) && stretches.every((stretch) => countWords(stretch) >= minClauseWords);
}

const dangling =
  /\b(?:a|an|the|of|in|on|at|by|for|to|from|with|and|or|but|as|than|that|is|are|was|were|be|been|not|its|his|her|their)$/i;

/** Whether a bracket or quotation mark is not closed. */
function isOpen(text: string): boolean {
  const count = (character: string) => text.split(character).length - 1;
  return count('(') !== count(')') || count('"') % 2 === 1 || count('“') !== count('”') || count('«') !== count('»');
}
