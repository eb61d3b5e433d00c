/** The beginning of a section or an entry, as an answer quotes it. */
import type { WritablePiece } from '../answer/write-pieces.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import { countWords } from '../text/words.ts';

// Set by hand.
/** Words of prose that an answer takes in; about two sentences, as other answers do. */
const maxWords = 40;
/** Words of a list that a sentence announces. */
const maxListWords = 80;
/** Words of code that is quoted after the sentence that announces it. */
const maxCodeWords = 60;

/**
 * The units of a section from `from` on that fit: whole sentences of its first paragraph, the list or code that it announces, and
 * the code that shows what it says.
 */
export function beginningOf(units: readonly ReadUnit[], from: number): ReadUnit[] {
  const first = units[from]!;
  const taken = [first];
  let words = countWords(first.text);
  for (const unit of units.slice(from + 1)) {
    const last = taken.at(-1)!;
    if (unit.section !== first.section) break;
    if (unit.kind === 'code') {
      if (!isListed(last) && countWords(unit.text) <= maxCodeWords) taken.push(unit);
      break;
    }
    words += countWords(unit.text);
    const isOfList = isListed(unit) && (isListed(last) || last.text.endsWith(':'));
    if (words > (isOfList ? maxListWords : maxWords)) break;
    if (unit.block !== first.block && !isOfList && !last.text.endsWith(':')) break;
    taken.push(unit);
  }
  // What only announces the rest says nothing without it.
  while (taken.length > 1 && taken.at(-1)!.text.endsWith(':')) taken.pop();
  return taken;
}

/** Units of a source. */
interface Quoted {
  readonly source: Source;
  readonly units: readonly ReadUnit[];
}

/** The first code below what was quoted of a section, with the sentence that announces it; nothing if it has been quoted. */
export function codeAfter({ source, units }: Quoted): WritablePiece[] {
  if (units.some(({ kind }) => kind === 'code')) return [];
  const all = readPassage(source).units;
  const last = units.at(-1)!;
  const rest = all.slice(all.indexOf(last) + 1).filter(({ section }) => section === last.section);
  const at = rest.findIndex(({ kind }) => kind === 'code');
  const code = rest[at];
  if (code === undefined || countWords(code.text) > maxCodeWords) return [];
  const before = rest[at - 1];
  return [{ source, units: before?.kind === 'sentence' && before.text.endsWith(':') ? [before, code] : [code] }];
}
