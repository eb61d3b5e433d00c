/**
 * Where a long sentence can be cut so that a part of it still reads: at semicolons and dashes, and at commas before a
 * word that begins a clause. Never within brackets, quotes or code, never so that a crumb is left.
 */

export interface Clause {
  readonly start: number;
  readonly end: number;
}

/** A part with fewer words says too little. */
const fewestWords = 5;
/** A sentence with fewer words is shown whole. */
const shortest = 14;

const boundary =
  /;\s+|\s+[–—-]{1,2}\s+|—|,\s+(?=(?:and|but|or|nor|yet|so|while|whereas|although|though|even|which|who|whom|whose|where|when|because|since|as|after|before|until|unless|if|with|without|including|especially|particularly|such as|despite|following|during|making|leading|resulting|causing|giving|allowing|becoming|being|having|using|\p{Ll}+ing|in which|of which|by which|from which|in order|due to|in addition|along with|as well as|rather than|compared)\b)/gu;

/** Offsets into `text` at which its parts begin and end, in order; one part, the whole, where it cannot be cut. */
export function splitClauses(text: string): Clause[] {
  const whole = [{ start: 0, end: text.length }];
  if (countWords(text) < shortest || /[`|[\]<\n]/.test(text)) return whole;
  const clauses: Clause[] = [];
  let start = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index;
    const next = end + match[0].length;
    if (!isClean(text.slice(start, end), match[0], text.slice(next))) continue;
    if (countWords(text.slice(next)) < fewestWords) break;
    clauses.push({ start, end });
    start = next;
  }
  clauses.push({ start, end: text.length });
  return clauses;
}

/** Whether what stands before the boundary can be left alone, and what follows is no piece of a list or insertion. */
function isClean(before: string, mark: string, after: string): boolean {
  if (isOpen(before) || countWords(before) < fewestWords || dangling.test(before)) return false;
  if (!mark.startsWith(',')) return true;
  // ", which is …, flows": what was begun before the insertion goes on after it.
  if (/^(?:which|who|whom|whose|where|when|\p{Ll}+ing|including|despite|with|without|as|if)\b/u.test(after))
    return !after.replace(boundary, ';').includes(',');
  // ", and Staten Island": the end of a list.
  return !(/^(?:and|or|nor)\b/.test(after) && before.split(/\s+/).slice(-7).join(' ').includes(','));
}

const dangling =
  /\b(?:a|an|the|of|in|on|at|by|for|to|from|with|and|or|but|as|than|that|is|are|was|were|be|been|not|its|his|her|their)$/i;

/** Whether a bracket or quotation mark is opened and not closed. */
function isOpen(text: string): boolean {
  const count = (character: string) => text.split(character).length - 1;
  return count('(') !== count(')') || count('"') % 2 === 1 || count('“') !== count('”') || count('«') !== count('»');
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
