/** What a number counts, and for what time: "12 staff and 40 seats" is not "40 staff", "three times a week" not three times a day. */
import type { Reading } from '../reading/reading.ts';
import type { Figure } from './figure.ts';

/** Whether a number of the claim counts what, in the source, another number counts: "40 staff" of "12 staff and 40 seats". */
export function isOfOtherNoun(
  claim: Reading,
  source: Reading,
  said: Figure,
  equal: readonly Figure[],
  others: readonly Figure[],
): boolean {
  const noun = countedBy(claim, said);
  if (noun === undefined || !('value' in said)) return false;
  const isCounted = (figure: Figure) => countedBy(source, figure) === noun;
  const nouns = equal.map((figure) => countedBy(source, figure));
  return (
    nouns.every((other) => other !== undefined && other !== noun) &&
    others.some((figure) => !equal.includes(figure) && isCounted(figure))
  );
}

/** The stem of the noun right after a number without a unit, in the plural; undefined if there is none. */
function countedBy({ tokens }: Reading, figure: Figure): string | undefined {
  const next = tokens[figure.to];
  const isNoun = next?.kind === 'content' && (/[^s]s$/.test(next.lower) || collective.test(next.lower));
  return !('value' in figure) || figure.dimension !== '' || !isNoun ? undefined : next.stem;
}

/** Nouns that are counted without an "s". */
const collective = /^(?:staff|people|women|men|children|sheep|fish|aircraft|police|crew|personnel)$/;

const periods: ReadonlySet<string> = new Set('second minute hour day night week month quarter season year'.split(' '));
const adverbs: Readonly<Record<string, string>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  yearly: 'year',
  annually: 'year',
};
/** Tokens between a figure and its period: "three more concerts a week"; set by hand. */
const maxBetween = 3;

/** Whether the source gives a figure of the claim for another period only: `equal` are its figures that agree. */
export function isOfOtherPeriod(claim: Reading, source: Reading, said: Figure, equal: readonly Figure[]): boolean {
  const period = 'value' in said ? periodAfter(claim, said) : undefined;
  const others = equal.map((figure) => periodAfter(source, figure));
  return period !== undefined && others.every((other) => other !== undefined && other !== period);
}

/** The period for which a figure is given. */
function periodAfter({ tokens }: Reading, { to }: Figure): string | undefined {
  for (let at = to; at <= Math.min(tokens.length - 1, to + maxBetween); at += 1) {
    const { lower, kind } = tokens[at]!;
    const next = tokens[at + 1]?.lower ?? '';
    if (adverbs[lower] !== undefined) return adverbs[lower];
    if (/^(?:a|an|per|each|every)$/.test(lower) && periods.has(next)) return next;
    if (kind === 'mark' || kind === 'number' || /^(?:and|or|but|to|in|on|at|from|until|for)$/.test(lower)) break;
  }
  return undefined;
}
