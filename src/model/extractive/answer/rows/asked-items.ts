/**
 * The items of lists that a question asks for by what they have in common: "Which dishes are vegan?" of a menu whose courses are
 * lists. As with rows, each of them is as good as the others.
 */
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { readRowQuestion } from '../../question/asked/row-question.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { stemOf } from '../../text/words.ts';
import type { WritablePiece } from '../write-pieces.ts';
import { isGeneric } from './named-cells.ts';

/** How many items an answer shows, and how many words an item has before it counts as prose. Set by hand. */
const maxItems = 12;
const maxWords = 16;
/** What the items of any list may be called. */
const kinds: ReadonlySet<string> = new Set(
  'dish meal food option choice product anything something get order eat drink serve'.split(' ').map(stemOf),
);
/** What asks for several things: not "What does it cost to …?". */
const asksForSeveral =
  /^\W*(?:and )?(?:(?:which|what) (?:\p{Ll}+ )?\p{Ll}{2,}(?:s|es)? (?:are|do|have|contain|can|come)\b|(?:do|does) (?:you|they) (?:have|offer|sell|serve) (?:any|some|anything|something)\b|(?:is|are) there (?:any|some|anything|something)\b|what (?:\p{Ll}+ )?can i\b|how many )/iu;

/** Such items of one page, at least two, in its order; none where a sentence or a row says the same. */
export function quoteAskedItems(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece[] {
  const wanted = readRowQuestion(question.asked);
  if (wanted === undefined || wanted.isNegated || question.language !== undefined) return [];
  if (!asksForSeveral.test(question.asked)) return [];
  const asked = question.terms.flatMap(({ stem }) => (kinds.has(stem) || isGeneric(stem, undefined) ? [] : [stem]));
  if (asked.length === 0) return [];
  const says = ({ words }: ReadUnit) => asked.every((stem) => words.some((word) => word.stem === stem));
  const found = sources.flatMap((source) =>
    readPassage(source)
      .units.filter(says)
      .map((unit) => ({ source, unit })),
  );
  const isItem = ({ unit }: { readonly unit: ReadUnit }) => unit.kind === 'item' && unit.words.length <= maxWords;
  const isOfOne = found.every(({ source }) => source.url === found[0]!.source.url);
  if (found.length < 2 || found.length > maxItems || !isOfOne || !found.every(isItem)) return [];
  return found
    .toSorted((a, b) => a.source.start + a.unit.start - (b.source.start + b.unit.start))
    .map(({ source, unit }) => ({ source, units: [unit] }));
}
