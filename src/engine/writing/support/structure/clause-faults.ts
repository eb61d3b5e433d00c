/**
 * The faults that clauses show by themselves: roles, an agent, an object, a phrase or a figure that certainly differs, and
 * a denial on one side.
 */
import { contradicted, type Fault } from '../checks/fault.ts';
import { entailsDate, excludesDate } from '../reading/dates.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Reading } from '../reading/reading.ts';
import { relate } from '../reading/word-relations.ts';
import type { Clause } from './clause.ts';
import type { ArgumentFit, Fit, Sides } from './fit-arguments.ts';
import type { ClausePair } from './pair-clauses.ts';
import { restricting } from './part-of-clause.ts';
import { labile } from './verb-forms.ts';

/**
 * The faults of the best `pairs`, among `all` pairs and `others`, the clauses of the source: roles, an object, a phrase or
 * a figure, and a denial on one side.
 */
export function faultsOf(
  { claim, source }: Sides,
  pairs: readonly ClausePair[],
  all: readonly ClausePair[],
  others: readonly Clause[],
  fits: ArgumentFit,
): Fault[] {
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
  const taken = pairs.find((pair) => isTaken(pair));
  const misdated = misdatedQuantity(claim, source);
  const denied = pairs.find(
    (pair) =>
      isFreeIn(pair) &&
      pair.isDenied &&
      (isEvent(pair) || (pair.relation === 'related' && !pair.said.isCopula && !pair.found.isCopula)) &&
      isFitting(pair) &&
      (pair.said.patient === undefined) === (pair.found.patient === undefined) &&
      pair.said.role === pair.found.role &&
      isFramedAlike(pair) &&
      !pair.said.isConditional &&
      !pair.found.isConditional &&
      pair.phrases.missing + pair.phrases.moved + pair.phrases.changed === 0,
  );
  /** Whether neither clause depends on a verb such as "say", "plan" or "fail", or both depend on the same one. */
  function isFramedAlike({ said, found }: ClausePair): boolean {
    if (said.frame === undefined || found.frame === undefined) return said.frame === found.frame;
    return relate(claim.tokens[said.frame]!.stem, source.tokens[found.frame]!.stem) === 'same';
  }

  /** Whether nothing in either clause limits it, besides the negation itself. */
  function isFreeIn({ said, found }: ClausePair): boolean {
    const isLimited = (reading: Reading, { from, to }: ClausePair['said']) =>
      reading.tokens.slice(from, to).some(({ lower }) => restricting.test(lower) && !/^(?:not|no|never)$/.test(lower));
    return !isLimited(claim, said) && !isLimited(source, found);
  }
  /**
   * "The county paid for the survey, which the trust organised", said as "the trust paid for it": who acts does something else
   * there.
   */
  function isTaken(pair: ClausePair): boolean {
    const { said, agent, patient } = pair;
    return (
      isEvent(pair) &&
      agent === 'other' &&
      patient === 'same' &&
      !labile.test(claim.tokens[said.verb]!.stem) &&
      others.some(
        (other) =>
          other.agent !== undefined &&
          source.tokens[other.verb]!.stem !== claim.tokens[said.verb]!.stem &&
          fits.fitOf(said.agent, other.agent) === 'same',
      )
    );
  }
  const verbOf = ({ said }: ClausePair) => `"${claim.tokens[said.verb]!.text}"`;
  return [
    ...(swapped === undefined ? [] : [contradicted('clause roles', `roles of ${verbOf(swapped)}`)]),
    ...(clashing === undefined
      ? []
      : [contradicted(`clause ${clashing.clash!}`, `another ${clashing.clash!} of ${verbOf(clashing)}`)]),
    ...(taken === undefined ? [] : [contradicted('clause agent', `another agent of ${verbOf(taken)}`)]),
    ...(misdated ? [contradicted('clause figure', 'a figure of another date')] : []),
    ...(denied === undefined ? [] : [contradicted('clause polarity', `${verbOf(denied)} is denied on one side`)]),
  ];
}

/** Tokens between a figure and the date that it belongs to: "61 million euros in 2023". */
const maxBetween = 2;

/**
 * Whether the one figure of a claim is, in the source, right before another date than the claim's one date, which is there too.
 */
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
