/**
 * Compares a claim with its source clause by clause: is each thing that the claim says said of the same things, in the same roles,
 * with the same phrases and figures, as certainly? What the words of both have in common is compared elsewhere. Where either has no
 * clauses, or the verbs are unrelated, nothing is decided.
 */
import type { Alignment } from '../alignment.ts';
import type { Context, Fault } from '../checks/fault.ts';
import type { Reading } from '../reading/reading.ts';
import { coverageCount, coverClauses } from './clause-coverage.ts';
import { faultsOf } from './clause-faults.ts';
import { clausesOf } from './clauses.ts';
import { createArgumentFit, type Fit } from './fit-arguments.ts';
import { type ClausePair, createPairing } from './pair-clauses.ts';
import { createPartCheck } from './part-of-clause.ts';

export interface ClauseComparison {
  /** Counts, in a fixed order, for a model of claims; all 0 where nothing is known. */
  readonly features: readonly number[];
  /** Whether each clause of the claim is said, part by part. */
  readonly isEntailed: boolean;
  /** What is certainly reversed: roles, or what is denied. */
  readonly faults: readonly Fault[];
}

const featureCount = 27 + coverageCount;
const nothing: ClauseComparison = { features: new Array<number>(featureCount).fill(0), isEntailed: false, faults: [] };

/** Clauses of either side that are compared; a text with more is not a sentence. */
const maxClauses = 12;

/** Words that turn, compare or link what a claim says: it may then be false though each of its clauses is said. */
const turning =
  /^(?:than|more|less|fewer|most|least|because|before|after|since|until|while|if|unless|so|therefore|only|same|as|but|although|though|when|without|except|rather|instead|ever|not|never|no|nobody|none|or)$/;

/** Compares all clauses of a claim with those of one candidate; `language` is the page's, and only English has clauses here. */
export function compareClauses(
  claim: Reading,
  source: Reading,
  alignment: Alignment,
  context: Context,
  language: string | undefined,
): ClauseComparison {
  if (language !== undefined && language !== 'en') return nothing;
  const said = clausesOf(claim)
    .filter(({ marker }) => marker !== 'implied')
    .slice(0, maxClauses);
  const found = clausesOf(source).slice(0, 3 * maxClauses);
  if (said.length === 0 || found.length === 0) return nothing;
  const sides = { claim, source, alignment, context };
  const fits = createArgumentFit(sides);
  const pairOf = createPairing(sides, fits);
  const isPart = createPartCheck(sides, fits);
  const all = said.flatMap((clause) => found.flatMap((other) => pairOf(clause, other) ?? []));
  const best = said.map((clause) => {
    const pairs = all.filter((pair) => pair.said === clause);
    return pairs.reduce<ClausePair | undefined>(
      (top, pair) => (top === undefined || pair.score > top.score ? pair : top),
      undefined,
    );
  });
  const pairs = best.filter((pair): pair is ClausePair => pair !== undefined);
  const count = (test: (pair: ClausePair) => boolean) => pairs.filter(test).length;
  const entailed = count(isEntailed);
  const uncovered = claim.words.filter((at) => {
    const relation = alignment.matches.get(at)?.relation;
    const { stem, kind } = claim.tokens[at]!;
    const isOfOpposite = (pair: ClausePair) =>
      pair.relation === 'opposite' && pair.said.patient?.some(({ head }) => head === at);
    return (
      relation !== 'same' &&
      relation !== 'wider' &&
      !(relation === 'opposite' && pairs.some(isOfOpposite)) &&
      (kind === 'content' || claim.isName[at]) &&
      !context.headings.has(stem)
    );
  }).length;
  const isWhole =
    entailed === said.length &&
    uncovered === 0 &&
    fits.hasFigures({ from: 0, to: claim.tokens.length }, 0, source.tokens.length);
  const isPlain = !claim.tokens.some(
    ({ lower, superlativeOf }, at) => superlativeOf !== undefined || (turning.test(lower) && !isBound(claim, at)),
  );
  const features = [
    said.length,
    found.length,
    pairs.length / said.length,
    count(({ relation }) => relation === 'equal'),
    count(({ relation }) => relation === 'related'),
    count(({ relation }) => relation === 'opposite'),
    count(({ agent }) => agent === 'same'),
    count(({ agent }) => agent === 'other'),
    count(({ agent }) => agent === 'unsaid'),
    count(({ patient }) => patient === 'same'),
    count(({ patient }) => patient === 'other'),
    count(({ patient }) => patient === 'unsaid'),
    count(({ isSwapped }) => isSwapped),
    sum(pairs, ({ phrases }) => phrases.same),
    sum(pairs, ({ phrases }) => phrases.changed),
    sum(pairs, ({ phrases }) => phrases.moved),
    sum(pairs, ({ phrases }) => phrases.missing),
    count(({ isDenied }) => isDenied),
    count(({ isWeaker }) => isWeaker),
    count(({ isConditionLost }) => isConditionLost),
    count(({ isSpeakerLost }) => isSpeakerLost),
    entailed / said.length,
    isWhole ? 1 : 0,
    Math.max(0, ...pairs.map(({ score }) => score)),
    uncovered,
    isPlain ? 1 : 0,
    count(isPart) / said.length,
    ...coverClauses(said, found, sides),
  ];
  return {
    features,
    isEntailed: isWhole && isPlain && pairs.every(isPart),
    faults: faultsOf(sides, pairs, all, found, fits),
  };
}

/** "More than" before a figure is a part of it. */
function isBound({ tokens, isFigure }: Reading, at: number): boolean {
  const than = tokens[at]!.lower === 'than' ? at : at + 1;
  return (
    tokens[than]?.lower === 'than' &&
    isFigure[than + 1] === true &&
    /^(?:more|less|fewer)$/.test(tokens[than - 1]?.lower ?? '')
  );
}

function isEntailed({ said, relation, agent, patient, phrases, ...flags }: ClausePair): boolean {
  const isFit = (fit: Fit) => fit === 'same' || fit === 'absent';
  return (
    (relation === 'equal' || (relation === 'opposite' && said.isCopula)) &&
    isFit(agent) &&
    isFit(patient) &&
    (said.agent !== undefined || said.patient !== undefined) &&
    !flags.isSwapped &&
    phrases.changed + phrases.moved + phrases.missing === 0 &&
    !flags.isDenied &&
    !flags.isWeaker &&
    !flags.isConditionLost &&
    !flags.isSpeakerLost
  );
}

function sum(pairs: readonly ClausePair[], of: (pair: ClausePair) => number): number {
  return pairs.reduce((all, pair) => all + of(pair), 0);
}
