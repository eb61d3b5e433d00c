/**
 * A claim in the very words of its source, but for a few: what differs was changed on purpose. A negation there, or numbers and names in
 * another order, turn the sentence around, whatever explains such a difference between sentences of different build.
 */
import type { Reading } from '../reading/reading.ts';
import { type Check, contradicted } from './fault.ts';

/** The share of a claim's tokens that must be the same, in their places; set by hand. */
const minSame = 0.6;
const negations = new Set(
  'not never no none nobody nothing neither nor without hardly barely rarely cannot'.split(' '),
);

/** Looks at what differs from a source that is otherwise repeated word for word. */
export const checkNearVerbatim: Check = (claim, source, { matches }) => {
  const [said, found] = [spoken(claim), spoken(source)];
  const [one, other] = differences(said, found);
  if (
    said.length - one.length < minSame * said.length ||
    one.length + other.length === 0 ||
    other.length > one.length + 4
  )
    return [];
  const isNegated = (words: readonly Spoken[]) => words.filter(({ word }) => negations.has(word)).length % 2 === 1;
  // "Not accepted" for "rejected" is for the check of polarity.
  const hasOpposite = [...matches.values()].some(({ relation }) => relation === 'opposite');
  if (!hasOpposite && isNegated(one) !== isNegated(other))
    return [contradicted('negated copy', 'the same words, but negated')];
  // "Marlow and Eastness", or the parts of one date, in another order.
  const [first, last] = [found.indexOf(other[0]!), found.indexOf(other.at(-1)!)];
  const isList = found.slice(first, last + 1).every(({ isFixed, word }) => isFixed || word === 'and' || word === 'or');
  // A name may not look like one at the start of a sentence.
  const fixed = new Set([...one, ...other].flatMap(({ word, isFixed }) => (isFixed ? [word] : [])));
  const order = (words: readonly Spoken[]) => words.flatMap(({ word }) => (fixed.has(word) ? [word] : []));
  const [orderSaid, orderFound] = [order(one), order(other)];
  const isReordered =
    orderSaid.join(' ') !== orderFound.join(' ') &&
    [...orderSaid].sort().join(' ') === [...orderFound].sort().join(' ');
  return isReordered && !isList ? [contradicted('reordered copy', 'the same words, but in another order')] : [];
};

/** The words of each that the other does not have in their place. */
function differences(said: readonly Spoken[], found: readonly Spoken[]): [Spoken[], Spoken[]] {
  const isSame = (at: number) => said[at]!.word === found[at]?.word;
  if (said.length === found.length) return [said.filter((_, at) => !isSame(at)), found.filter((_, at) => !isSame(at))];
  let start = 0;
  while (start < said.length && isSame(start)) start += 1;
  let end = 0;
  const rest = Math.min(said.length, found.length) - start;
  while (end < rest && said.at(-1 - end)!.word === found.at(-1 - end)!.word) end += 1;
  return [said.slice(start, said.length - end), found.slice(start, found.length - end)];
}

interface Spoken {
  readonly word: string;
  /** Whether it is a number or a name: what must not change places. */
  readonly isFixed: boolean;
}

function spoken({ tokens, isFigure, isName }: Reading): Spoken[] {
  return tokens.flatMap(({ kind, lower }, at) =>
    kind === 'mark' ? [] : [{ word: lower, isFixed: isFigure[at]! || isName[at]! }],
  );
}
