/** What a number counts: "12 staff and 40 seats" is not "40 staff". */
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
