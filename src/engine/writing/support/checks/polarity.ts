/**
 * Whether both say yes, or both say no. A word is turned by a negation of which it is the head, and by an opposite in its place:
 * "was not accepted" is "was rejected", "is not unsafe" is "is safe", and "cannot be used without" is "requires".
 */
import type { Negation } from '../reading/negations.ts';
import type { Reading } from '../reading/reading.ts';
import { compareComparisons } from './comparatives.ts';
import { type Check, contradicted, type Fault, unsupported } from './fault.ts';
import { orientationAt } from './roles.ts';

/** Words that say no by themselves: "closed", "forbidden", "free". A negation elsewhere may be the other half of one. */
const negative = new Set(
  `close forbid prohibit ban exclud reject fail stop end suspend remov cancel abolish unchang disappear lack lose prevent refus deni free hidden hide imposs unknown
  discard throw avoid undamag disabl fals off absent deprec without illeg unless none except discontinu ceas nothing unabl unlik instead otherwise
  nobodi oppos drop abandon scrap`.split(/\s+/),
);
/** Words that say no only of what others there name: "the first" is "nobody before", "only A" is "not B", "must" is "not without". */
const negativeFor: readonly (readonly [RegExp, RegExp])[] = [
  [/^first$/, /^(?:before|earlier|previous|previously|ever|yet|until|prior|since|again)$/],
  [
    /^(?:only|solely|exclusively|just|merely|limited|restricted)$/,
    /^(?:other|others|else|anyone|anybody|anything|any|all|every|everyone|more|further|elsewhere|nobody|none|nothing|also)$/,
  ],
  [
    /^(?:must|requires?|required|needs?|needed|mandatory|compulsory|obligatory)$/,
    /^(?:without|optional|voluntary|unless|can|may|cannot|free|allowed|possible)$/,
  ],
];
/** Words that say no only before another: "ruled out", "turned down", but not "turned on". */
const negativeBefore: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:rule|rules|ruled|ruling)$/, /^out$/],
  [/^(?:turn|turns|turned|turning)$/, /^(?:down|away)$/],
];

/** "Cannot be used without" says that something is required; "people without work" negates nothing else. */
const demanding =
  /^(?:must|only|with|have|has|having|always|requires?|required|needs?|needed|includes?|obligatory|mandatory|compulsory|necessary|lacks?|lacked|lacking|if|unless|no|none|loses?|lost)$/;

/** Compares what claim and source negate. */
export const checkPolarity: Check = (claim, source, alignment) => {
  const { matches, reverse } = alignment;
  const faults: Fault[] = [];
  const saidHeads = headsOf(claim, (at) => matches.get(at)?.relation === 'same');
  const foundHeads = headsOf(source, (at) => matches.get(reverse.get(at) ?? -1)?.relation === 'same');

  /** Matched words that only one side negates: [claim's index, source's index]. */
  const negated: { readonly said: [number, number][]; readonly found: [number, number][] } = { said: [], found: [] };
  const seen = new Set<number>();
  for (const [at, { at: to, relation }] of matches) {
    const [said, found] = [saidHeads.has(at), foundHeads.has(to)];
    if (found) seen.add(to);
    const words = `${claim.tokens[at]!.text} / ${source.tokens[to]!.text}`;
    if (relation === 'rival') {
      if (!said && !found) faults.push(contradicted('rival', `rival: ${words}`));
    } else if (relation === 'opposite' || relation === 'converse') {
      const orientation = orientationAt(claim, source, alignment, at);
      const isReversed = relation === 'opposite' ? orientation !== 'inverted' : orientation === 'straight';
      const isExchanged =
        /er$|^(?:more|less|better|worse)$/.test(claim.tokens[at]!.lower) &&
        compareComparisons(claim, source, alignment)?.isReversed === false;
      if (isReversed && said === found && !isExchanged) faults.push(contradicted('opposite', `opposite: ${words}`));
    } else if (said && !found) negated.said.push([at, to]);
    else if (found && !said && !isSaidElsewhere(to) && !isInsteadOf(at, to)) negated.found.push([at, to]);
  }
  const looseSaid = claim.negations.filter(
    ({ at, head, by }) =>
      by !== 'instead' &&
      !(by === 'word' && matches.has(at)) &&
      (head === undefined || (saidHeads.has(head) && !matches.has(head))),
  );
  const isDemanding = claim.tokens.some(({ lower }) => demanding.test(lower));
  const looseFound = source.negations.filter(
    ({ at, head, by }) =>
      by !== 'instead' &&
      (isDemanding || source.tokens[at]!.lower !== 'without') &&
      isNear(at) &&
      (head === undefined || (foundHeads.has(head) && !seen.has(head))),
  );
  const [freeSaid, freeFound] = [
    negativeIn(claim, source, (at) => matches.has(at)),
    negativeIn(source, claim, (at) => reverse.has(at) || !isNear(at)),
  ];
  // A negation on one side alone may answer one elsewhere in the clause: "nobody may enter", "entering is not allowed".
  const isAnswered = (
    reading: Reading,
    index: number,
    free: readonly number[],
    loose: readonly Negation[],
    width: 0 | 1,
  ) =>
    free.some(
      (at) =>
        Math.abs(reading.clauses[at]! - reading.clauses[index]!) <= width || reading.tokens[at]!.lower === 'false',
    ) || loose.some(({ at }) => Math.abs(reading.clauses[at]! - reading.clauses[index]!) <= 1 - width);
  const openSaid = negated.said.filter(([, to]) => !isAnswered(source, to, freeFound, looseFound, 0));
  const openFound = negated.found.filter(([at]) => !isAnswered(claim, at, freeSaid, looseSaid, 1));
  const isDouble =
    negated.said.length + negated.found.length === 2 && (negated.said.length === 0 || negated.found.length === 0);

  // "No jobs would be cut" and "not to cut any jobs": one negation, of another word of the same clause.
  const isSameScope =
    negated.said.some(([at]) => negated.found.some(([other]) => claim.clauses[at] === claim.clauses[other])) &&
    [...claim.negations, ...source.negations].every(({ by }) => by !== 'instead');
  if (openSaid.length + openFound.length > 0 && !isSameScope) {
    if (!isDouble) faults.push(contradicted('negated', 'negated on one side'));
  } else if (negated.said.length + negated.found.length > 0) return faults;
  else if (looseSaid.length > 0 && looseFound.length + freeFound.length === 0)
    faults.push(unsupported('negated in the claim', 'negated, but not in the source'));
  else if (looseFound.some(({ at }) => isIn(at)) && looseSaid.length + freeSaid.length === 0 && isMissing())
    faults.push(unsupported('negated in the source', 'negated in the source'));
  return faults;

  /** Whether the same word is in the source without a negation, too: "must never be frozen; insulin that has been frozen …". */
  function isSaidElsewhere(to: number): boolean {
    const { stem } = source.tokens[to]!;
    return source.words.some(
      (at) => at !== to && source.tokens[at]!.stem === stem && !foundHeads.has(at) && othersIn(at) >= 2,
    );
  }

  /** How many other words of the claim are in the clause of the source that this is in. */
  function othersIn(index: number): number {
    const { stem } = source.tokens[index]!;
    return [...matches.values()].filter(({ at }) => source.tokens[at]!.stem !== stem && isSameClause(at, index)).length;
  }

  function isSameClause(one: number, other: number): boolean {
    return source.clauses[one] === source.clauses[other];
  }

  function isIn(index: number): boolean {
    return [...matches.values()].some(({ at }) => isSameClause(at, index));
  }

  /** "Instead of daily" negates that very word, not one that is related to it. */
  function isInsteadOf(at: number, to: number): boolean {
    const isEqual = claim.tokens[at]!.stem === source.tokens[to]!.stem;
    return !isEqual && source.negations.some(({ head, by }) => head === to && by === 'instead');
  }

  /** Whether the claim takes up the clause of the source that this is in. */
  function isNear(index: number): boolean {
    return [...matches.values()].some(({ at }) => Math.abs(source.clauses[at]! - source.clauses[index]!) <= 1);
  }

  /** Whether the claim has a word that nothing in the source stands for: the verb that is negated there, perhaps. */
  function isMissing(): boolean {
    return claim.words.some((at) => !matches.has(at) && claim.tokens[at]!.kind === 'content' && !claim.isName[at]);
  }
};

/** The words that an odd number of negations is about. A word such as "refused" that is on both sides turns nothing. */
function headsOf(reading: Reading, isShared: (at: number) => boolean): ReadonlySet<number> {
  const heads = new Set<number>();
  for (const { at, head, by } of reading.negations) {
    if (head === undefined || (by === 'word' && isShared(at))) continue;
    if (!heads.delete(head)) heads.add(head);
  }
  return heads;
}

/** Words that may answer a negation of `other`. */
function negativeIn({ tokens, negations }: Reading, other: Reading, isTaken: (at: number) => boolean): number[] {
  const cues = new Set(negations.map(({ at }) => at));
  return tokens.flatMap(({ stem, lower }, at) => {
    if (cues.has(at) || isTaken(at) || isShared(lower)) return [];
    const following = negativeBefore.find(([word]) => word.test(lower))?.[1];
    if (following !== undefined) return following.test(tokens[at + 1]?.lower ?? '') ? [at] : [];
    const isLeftOpen = stem === 'open' && tokens[at - 1]?.stem === 'leav';
    const named = negativeFor.find(([word]) => word.test(lower))?.[1];
    const isNegative =
      isLeftOpen ||
      (named === undefined
        ? negative.has(stem) || negative.has(lower)
        : other.tokens.some((token) => named.test(token.lower)));
    return isNegative ? [at] : [];
  });

  /** A small word that both have, such as "off", answers nothing. */
  function isShared(word: string): boolean {
    return word === 'off' && other.tokens.some(({ lower }) => lower === word);
  }
}
