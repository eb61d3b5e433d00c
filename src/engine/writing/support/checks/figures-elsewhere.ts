/**
 * Whether a figure of the claim is there, but said of something else: where a source has two numbers of a kind, each must stand with its own
 * words.
 */
import type { Alignment } from '../alignment.ts';
import type { Quantity } from '../reading/quantities.ts';
import { phraseOf, type Reading } from '../reading/reading.ts';
import { type Figure, isDate, isPair, isSameKind } from './figure.ts';

/**
 * Whether the words around a figure of the claim stand, in the source, with another figure of its kind. Words that the source has
 * only with the same figure speak for it, words that it has only with another one against it.
 */
export function isBoundElsewhere(
  claim: Reading,
  source: Reading,
  { matches }: Alignment,
  said: Figure,
  equal: readonly Figure[],
  others: readonly Figure[],
): boolean {
  const rivals = others.filter(
    (found) =>
      !equal.includes(found) &&
      !equal.some((same) => isPair(source, same, found) || isPair(source, found, same)) &&
      isDate(found) === isDate(said) &&
      (isDate(found) || found.kind === (said as Quantity).kind),
  );
  if (rivals.length === 0) return isOfAnother(claim, source, matches, said, equal);
  const siblings = [...claim.quantities, ...claim.dates].filter(
    (figure) => figure !== said && isDate(figure) === isDate(said),
  );
  const choices = [...equal, ...rivals];
  const first = Math.min(...choices.map(({ from }) => from));
  let [pro, contra, strange] = [0, 0, 0];
  for (const [at, { at: to }] of matches) {
    // A word of the claim belongs to the figure that it is nearest to.
    if (siblings.some((other) => distance(claim, at, other) <= distance(claim, at, said))) continue;
    const { stem } = source.tokens[to]!;
    const places = source.words.filter((index) => source.tokens[index]!.stem === stem);
    const ranked = choices
      .map((figure) => ({ figure, away: Math.min(...places.map((place) => distance(source, place, figure))) }))
      .sort((a, b) => a.away - b.away);
    const [nearest, second] = ranked;
    if (
      nearest === undefined ||
      (second !== undefined &&
        second.away <= nearest.away &&
        equal.includes(second.figure) !== equal.includes(nearest.figure))
    )
      continue;
    // What precedes all figures may be said of each of them.
    const isApart = !equal.some((figure) => isSameSentence(source, to, figure.from));
    const vote =
      (claim.tokens[at]!.kind === 'light' ? 0.5 : 1) *
      (to < first || isApart ? 0.5 : 1) *
      (isApart && to < equal[0]!.from ? 0.5 : 1);
    if (equal.includes(nearest.figure)) pro += vote;
    else if (isSameKind(nearest.figure, said)) contra += vote;
    else if (nearest.away <= 4) strange += vote;
  }
  contra += 3 * strangers(claim, source, matches, said, equal, rivals);
  for (const preposition of leads(claim, said)) {
    const same = others.filter((figure) => leads(source, figure).includes(preposition));
    if (same.length > 0) same.some((figure) => equal.includes(figure)) ? (pro += 1) : (contra += 2);
  }
  return contra > pro || (pro === 0 && strange >= 1);
}

/** Whether the figure is of somebody else: its clause in the source names another, and the one that the claim names is elsewhere. */
function isOfAnother(
  claim: Reading,
  source: Reading,
  matches: Alignment['matches'],
  said: Figure,
  equal: readonly Figure[],
): boolean {
  const names = [...matches].filter(
    ([at, { at: to }]) =>
      claim.isName[at] && source.isName[to] && claim.clauses[at] === claim.clauses[said.from] && at < said.from,
  );
  const isThere = (clause: number | undefined) => names.some(([, { at }]) => source.clauses[at] === clause);
  // A name without a preposition before it, such as a subject.
  const isFree = (at: number) =>
    source.isName[at] === true &&
    ![...matches.values()].some((match) => match.at === at) &&
    !/\b(?:in|at|on|of|to|by|from|for|with|near|under|son|daughter)\b/.test(phraseOf(source.tokens, at - 4, at));
  const hasOther = (from: number) =>
    source.tokens.some((_, at) => at < from && source.clauses[at] === source.clauses[from] && isFree(at));
  return names.length > 0 && equal.every(({ from }) => !isThere(source.clauses[from]) && hasOther(from));
}

/** How many names that are with a figure of the claim are, in the source, in the clause of another one instead. */
function strangers(
  claim: Reading,
  source: Reading,
  matches: Alignment['matches'],
  said: Figure,
  equal: readonly Figure[],
  rivals: readonly Figure[],
): number {
  let count = 0;
  for (const [at, { at: to }] of matches) {
    if (!claim.isName[at] || !source.isName[to] || at > said.from || claim.clauses[at] !== claim.clauses[said.from])
      continue;
    if ([...claim.quantities, ...claim.dates].some((figure) => figure.from > at && figure.to <= said.from)) continue;
    const clause = source.clauses[to];
    const isWith = (figures: readonly Figure[]) => figures.some(({ from }) => source.clauses[from] === clause);
    const { stem } = source.tokens[to]!;
    const isToo = source.tokens.some(
      (token, index) => token.stem === stem && equal.some(({ from }) => source.clauses[from] === source.clauses[index]),
    );
    if (isWith(rivals.filter((rival) => isSameKind(rival, said))) && !isWith(equal) && !isToo) count += 1;
  }
  return count;
}

function isSameSentence({ tokens }: Reading, one: number, other: number): boolean {
  return !tokens.slice(Math.min(one, other), Math.max(one, other)).some(({ text }) => text === '.');
}

/** "from", "to" and "than" right before a figure decide which one it is. */
function leads({ tokens }: Reading, figure: Figure): string[] {
  const before = tokens[figure.from - 1]?.lower ?? '';
  const word = /[$€£¥]/.test(before) ? (tokens[figure.from - 2]?.lower ?? '') : before;
  return ['from', 'to'].includes(word) ? [word] : [];
}

/** Tokens between a word and a figure; another clause is far away. */
function distance({ clauses, tokens }: Reading, at: number, figure: Figure): number {
  const away = at < figure.from ? figure.from - at : at - figure.to + 1;
  const [low, high] = at < figure.from ? [at, figure.from] : [figure.to, at];
  let commas = 0;
  for (let index = low; index < high; index += 1)
    if (/^(?:,|and|but|or|while)$/.test(tokens[index]!.lower)) commas += 1;
  return away + 30 * Math.abs(clauses[at]! - clauses[figure.from]!) + 6 * commas;
}
