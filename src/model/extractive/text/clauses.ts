/**
 * Where a long sentence can be cut so that a part of it still reads: at semicolons, colons and dashes, and at commas
 * before a word that begins a clause or between long stretches. Never within brackets, quotes or code, never so that a
 * crumb is left.
 */
import { countWords } from './words.ts';

export interface Clause {
  readonly start: number;
  readonly end: number;
}

/** A part with fewer words says too little. */
const fewestWords = 5;
/** A sentence with fewer words is shown whole. */
const shortest = 14;
/** A text with more characters is no sentence, and looking through all its commas would take time. */
const longest = 4000;

const boundary = /[;:]\s+|\s+[–—-]{1,2}\s+|—|,\s+/gu;
const beginsClause =
  /^(?:and|but|or|nor|yet|so|while|whereas|although|though|even|which|who|whom|whose|where|when|because|since|as|after|before|until|unless|if|with|without|including|especially|particularly|such as|despite|following|during|making|leading|resulting|causing|giving|allowing|becoming|being|having|using|\p{Ll}+ing|in which|of which|by which|from which|in order|due to|in addition|along with|as well as|rather than|compared)\b/u;
const begins = {
  insertion: /^(?:which|who|whom|whose|where|when|\p{Ll}+ing|including|despite|with|without|as|if)\b/u,
  predicate: /^(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|should)\b/,
};

/** Offsets into `text` at which its parts begin and end, in order; one part, the whole, where it cannot be cut. */
export function splitClauses(text: string): Clause[] {
  const whole = [{ start: 0, end: text.length }];
  if (text.length > longest || countWords(text) < shortest || /[`|[\]<\n]/.test(text)) return whole;
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
    if (countWords(after) < fewestWords) break;
    clauses.push({ start, end });
    start = next;
  }
  clauses.push({ start, end: text.length });
  return clauses;
}

function canStandAlone(before: string): boolean {
  return !isOpen(before) && countWords(before) >= fewestWords && !dangling.test(before);
}

/** ", which is …, flows": what was begun before it goes on after it. */
function isInsertion(after: string): boolean {
  const [, rest] = /,\s*(.*)/s.exec(after) ?? [];
  return begins.insertion.test(after) && rest !== undefined && !beginsClause.test(rest);
}

/** Whether a comma stands between clauses and not in a list: what begins after it says so, or how far the next marks are. */
function partsClauses(before: string, after: string): boolean {
  // ", and Staten Island": the end of a list.
  if (/^(?:and|or|nor)\b/.test(after)) return !before.split(/\s+/).slice(-7).join(' ').includes(',');
  if (beginsClause.test(after)) return true;
  const stretches = [before.split(/[,;:]/).at(-1)!, after.split(/[,;:]/)[0]!];
  return !begins.predicate.test(after) && stretches.every((stretch) => countWords(stretch) >= fewestWords);
}

const dangling =
  /\b(?:a|an|the|of|in|on|at|by|for|to|from|with|and|or|but|as|than|that|is|are|was|were|be|been|not|its|his|her|their)$/i;

/** Whether a bracket or quotation mark is opened and not closed. */
function isOpen(text: string): boolean {
  const count = (character: string) => text.split(character).length - 1;
  return count('(') !== count(')') || count('"') % 2 === 1 || count('“') !== count('”') || count('«') !== count('»');
}
