/**
 * Which of two things is more: "A is faster than B" says that B is slower than A, and not that B is faster. A comparison is read as
 * its axis ("fast"), a sign, what is compared and what it is compared with; the latter may be left out, as in "its predecessor was
 * slower".
 */
import type { Alignment } from '../alignment.ts';
import type { Reading } from '../reading/reading.ts';
import { type Check, contradicted } from './fault.ts';

/** More and less of one axis. */
const axes: readonly (readonly [more: string, less: string])[] = [
  ['bigger larger greater', 'smaller'],
  ['taller higher', 'lower shorter'],
  ['longer', 'shorter'],
  ['older', 'younger newer'],
  ['later', 'earlier sooner'],
  ['faster quicker', 'slower'],
  ['heavier', 'lighter'],
  ['stronger', 'weaker'],
  ['dearer costlier pricier', 'cheaper'],
  ['deeper', 'shallower'],
  ['wider broader', 'narrower'],
  ['thicker', 'thinner'],
  ['better', 'worse'],
  ['warmer hotter', 'colder cooler'],
  ['richer wealthier', 'poorer'],
  ['harder', 'easier softer'],
  ['louder noisier', 'quieter'],
  ['brighter', 'darker dimmer'],
  ['steeper', 'flatter gentler'],
  ['nearer closer', 'farther further'],
  ['more', 'fewer less'],
  ['rougher', 'smoother'],
  ['safer', 'riskier'],
  ['wetter', 'drier dryer'],
  ['busier', 'quieter'],
];
const signs = new Map<string, { readonly axis: number; readonly sign: 1 | -1 }[]>();
for (const [axis, [more, less]] of axes.entries())
  for (const [sign, words] of [
    [1, more],
    [-1, less],
  ] as const)
    for (const word of words.split(' ')) signs.set(word, [...(signs.get(word) ?? []), { axis, sign }]);

interface Comparison {
  /** Index of "faster". */
  readonly at: number;
  readonly signs: readonly { readonly axis: number; readonly sign: 1 | -1 }[];
  /** Content words of what is compared, and of what it is compared with. */
  readonly subject: readonly number[];
  readonly standard: readonly number[];
}

/** How far a standard reaches after "than", in tokens; set by hand. */
const maxStandard = 8;

/** Looks for a comparison that the source has the other way round. */
export const checkComparatives: Check = (claim, source, alignment) => {
  const found = compareComparisons(claim, source, alignment);
  return found?.isReversed ? [contradicted('comparison reversed', `the other way round: ${found.words}`)] : [];
};

/** Whether both compare the same two things, and say the same or the opposite of them; undefined if they do not. */
export function compareComparisons(
  claim: Reading,
  source: Reading,
  { matches }: Alignment,
): { readonly isReversed: boolean; readonly words: string } | undefined {
  const said = comparisonsIn(claim);
  if (said.length === 0 || claim.negations.length > 0) return undefined;
  const found = comparisonsIn(source);
  // "More in full sun, but less in weak light" is two comparisons, which this does not tell apart.
  if (isMixed(said) || isMixed(found)) return undefined;
  for (const other of found)
    for (const one of said) {
      const sign = one.signs.flatMap(({ axis, sign }) =>
        other.signs.flatMap((there) => (there.axis === axis ? [sign * there.sign] : [])),
      )[0];
      if (sign === undefined || other.standard.length === 0) continue;
      if (source.negations.some(({ at }) => source.clauses[at] === source.clauses[other.at])) continue;
      const count = (own: readonly number[], there: readonly number[], rest: readonly number[]) =>
        own.filter((at) => isIn(at, there) && !isIn(at, rest)).length;
      // The thing that it is compared with decides or, if that is a pronoun or left out, the thing that is compared.
      const balance =
        count(one.standard, other.standard, other.subject) - count(one.standard, other.subject, other.standard) ||
        count(one.subject, other.subject, other.standard) - count(one.subject, other.standard, other.subject);
      if (balance === 0) continue;
      const words = `${claim.tokens[one.at]!.text} / ${source.tokens[other.at]!.text}`;
      return { isReversed: balance > 0 === (sign === -1), words };
    }
  return undefined;

  function isIn(at: number, there: readonly number[]): boolean {
    const to = matches.get(at)?.at ?? -1;
    const { stem } = claim.tokens[at]!;
    return there.some((index) => index === to || source.tokens[index]!.stem === stem);
  }
}

/** Whether one axis is compared in both directions. */
function isMixed(comparisons: readonly Comparison[]): boolean {
  const seen = comparisons.flatMap((each) => each.signs.map(({ axis, sign }) => `${axis} ${sign}`));
  return seen.some((each) => each.endsWith(' 1') && seen.includes(each.replace(/ 1$/, ' -1')));
}

function comparisonsIn(reading: Reading): Comparison[] {
  const { tokens, isFigure, clauses } = reading;
  const isWord = (at: number) => (tokens[at]!.kind === 'content' || reading.isName[at] === true) && !isFigure[at];
  return tokens.flatMap(({ lower }, at): Comparison[] => {
    const own = signs.get(lower);
    // "No longer" compares nothing, and "more than 300" is a bound.
    if (own === undefined || tokens[at - 1]?.lower === 'no') return [];
    const than = tokens.findIndex((token, index) => index > at && index <= at + 5 && token.lower === 'than');
    if (than !== -1 && isFigure[than + 1]) return [];
    const range = (from: number, to: number) =>
      tokens.flatMap((_, index) => (index >= from && index < to && isWord(index) && index !== at ? [index] : []));
    let end = than + 1;
    while (
      than !== -1 &&
      end < Math.min(tokens.length, than + 1 + maxStandard) &&
      (tokens[end]!.kind !== 'mark' || tokens[end]!.text === '-') &&
      !/^(?:and|but|while|because|which|who|if)$/.test(tokens[end]!.lower)
    )
      end += 1;
    let start = at;
    while (start > 0 && clauses[start - 1] === clauses[at] && tokens[start - 1]!.text !== ';') start -= 1;
    const standard = than === -1 ? [] : range(than + 1, end);
    return [{ at, signs: own, subject: range(start, than === -1 ? at + 1 : than), standard }];
  });
}
