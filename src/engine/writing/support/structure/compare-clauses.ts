/**
 * Compares a claim with its source clause by clause: is each thing that the claim says said of the same things, in the same roles, with the same
 * phrases and figures, as certainly? What the words of both have in common is compared elsewhere. Where either has no clauses, or the verbs
 * are unrelated, nothing is decided.
 */
import type { Alignment } from '../alignment.ts';
import { type Context, contradicted, type Fault } from '../checks/fault.ts';
import { entailsDate, excludesDate } from '../reading/dates.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Reading } from '../reading/reading.ts';
import { coverageCount, coverClauses } from './clause-coverage.ts';
import { clausesOf } from './clauses.ts';
import { createArgumentFit, type Fit, type Sides } from './fit-arguments.ts';
import { type ClausePair, createPairing } from './pair-clauses.ts';
import { createPartCheck, restricting } from './part-of-clause.ts';

export interface ClauseComparison {
  /** Counts, in a fixed order, for a model of claims; all 0 where nothing is known. */
  readonly features: readonly number[];
  /** Whether each clause of the claim is said, part by part. */
  readonly isEntailed: boolean;
  /** What is certainly turned: roles, or what is denied. */
  readonly faults: readonly Fault[];
}

const featureCount = 24 + coverageCount;
const nothing: ClauseComparison = { features: new Array<number>(featureCount).fill(0), isEntailed: false, faults: [] };

/** Clauses of either side that are compared; more are no sentence. */
const maxClauses = 12;
/** Verbs of which the same thing is the subject or the object. */
const labile =
  /^(?:open|close|start|begin|end|chang|increas|decreas|grow|move|stop|break|run|burn|melt|sell|turn|meet|marri|join|link|connect|equal|double|play)$/;

/** Words that turn, compare or link what a claim says: it may then be false though each of its clauses is said. */
const turning =
  /^(?:than|more|less|fewer|most|least|because|before|after|since|until|while|if|unless|so|therefore|only|same|as|but|although|though|when|without|except|rather|instead|not|never|no|nobody|none|or)$/;

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
    const isTurned = (pair: ClausePair) =>
      pair.relation === 'opposite' && pair.said.patient?.some(({ head }) => head === at);
    return (
      relation !== 'same' &&
      relation !== 'wider' &&
      !(relation === 'opposite' && pairs.some(isTurned)) &&
      (kind === 'content' || claim.isName[at]) &&
      !context.headings.has(stem)
    );
  }).length;
  const isWhole =
    entailed === said.length &&
    uncovered === 0 &&
    fits.hasFigures({ from: 0, to: claim.tokens.length }, 0, source.tokens.length);
  const isPlain = !claim.tokens.some(({ lower, superlativeOf }) => superlativeOf !== undefined || turning.test(lower));
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
    sum(pairs, ({ phrases }) => phrases.turned),
    sum(pairs, ({ phrases }) => phrases.moved),
    sum(pairs, ({ phrases }) => phrases.missing),
    count(({ isDenied }) => isDenied),
    count(({ isWeaker }) => isWeaker),
    count(({ isConditionLost }) => isConditionLost),
    count(({ isSpeakerLost }) => isSpeakerLost),
    entailed / said.length,
    isWhole ? 1 : 0,
    Math.max(0, ...pairs.map(({ score }) => score)),
    ...coverClauses(said, found, sides),
  ];
  return { features, isEntailed: isWhole && isPlain && pairs.every(isPart), faults: faultsOf(sides, pairs, all) };
}

/** What the best `pairs` turn, among `all` pairs: roles, an object, a phrase or a figure, and what is denied. */
function faultsOf({ claim, source }: Sides, pairs: readonly ClausePair[], all: readonly ClausePair[]): Fault[] {
  const isFree = ![...claim.tokens, ...source.tokens].some(({ lower }) => restricting.test(lower));
  const isEvent = ({ relation, said: one, found: other }: ClausePair) =>
    relation === 'equal' && !one.isCopula && !other.isCopula;
  const swapped = pairs.find(
    (pair) => pair.isSwapped && isEvent(pair) && !labile.test(claim.tokens[pair.said.verb]!.stem),
  );
  // Unless another clause says it.
  const clashing = all.find(
    (pair) =>
      pair.clash !== undefined &&
      (pair.clash === 'figure' || pair.clash === 'agent' || isFree) &&
      (isEvent(pair) || (pair.relation === 'equal' && pair.agent === 'same' && pair.patient === 'same')) &&
      !all.some((other) => other.said === pair.said && other.clash === undefined && isFitting(other)),
  );
  const misdated = misdatedQuantity(claim, source);
  const denied = pairs.find(
    (pair) =>
      isFree &&
      pair.isDenied &&
      isEvent(pair) &&
      isFitting(pair) &&
      (pair.said.patient === undefined) === (pair.found.patient === undefined) &&
      pair.said.role === 'main' &&
      pair.found.role === 'main' &&
      pair.phrases.missing + pair.phrases.moved + pair.phrases.turned === 0,
  );
  const verbOf = ({ said }: ClausePair) => `"${claim.tokens[said.verb]!.text}"`;
  return [
    ...(swapped === undefined ? [] : [contradicted('clause roles', `roles of ${verbOf(swapped)}`)]),
    ...(clashing === undefined
      ? []
      : [contradicted(`clause ${clashing.clash!}`, `another ${clashing.clash!} of ${verbOf(clashing)}`)]),
    ...(misdated ? [contradicted('clause figure', 'a figure of another date')] : []),
    ...(denied === undefined ? [] : [contradicted('clause polarity', `${verbOf(denied)} is denied on one side`)]),
  ];
}

/** Tokens between a figure and the date that it is of: "61 million euros in 2023". */
const maxBetween = 2;

/** Whether the one figure of a claim stands, in the source, right before another date than the claim's one date, which is there too. */
function misdatedQuantity(claim: Reading, source: Reading): boolean {
  const amounts = claim.quantities.filter(({ isVague }) => !isVague);
  const [amount] = amounts;
  const [date] = claim.dates;
  if (amount === undefined || date === undefined || amounts.length > 1 || claim.dates.length > 1) return false;
  const equal = source.quantities.filter((quantity) => entails(quantity, amount));
  const others = source.quantities.filter((quantity) => !entails(quantity, amount));
  const dateOf = ({ to }: { readonly to: number }) =>
    source.dates.find(({ from }) => from >= to && from - to <= maxBetween);
  return (
    equal.length > 0 &&
    equal.every((quantity) => {
      const own = dateOf(quantity);
      return own !== undefined && excludesDate(own, date);
    }) &&
    others.some((quantity) => {
      const own = dateOf(quantity);
      return own !== undefined && entailsDate(own, date);
    })
  );
}

function isFitting({ agent, patient }: ClausePair): boolean {
  const isFit = (fit: Fit) => fit === 'same' || fit === 'absent';
  return isFit(agent) && isFit(patient) && (agent === 'same' || patient === 'same');
}

function isEntailed({ said, relation, agent, patient, phrases, ...flags }: ClausePair): boolean {
  const isFit = (fit: Fit) => fit === 'same' || fit === 'absent';
  return (
    (relation === 'equal' || (relation === 'opposite' && said.isCopula)) &&
    isFit(agent) &&
    isFit(patient) &&
    (said.agent !== undefined || said.patient !== undefined) &&
    !flags.isSwapped &&
    phrases.turned + phrases.moved + phrases.missing === 0 &&
    !flags.isDenied &&
    !flags.isWeaker &&
    !flags.isConditionLost &&
    !flags.isSpeakerLost
  );
}

function sum(pairs: readonly ClausePair[], of: (pair: ClausePair) => number): number {
  return pairs.reduce((all, pair) => all + of(pair), 0);
}
