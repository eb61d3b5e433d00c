/** A number or a date, and how two of them compare. */
import { entailsDate, type FoundDate } from '../reading/dates.ts';
import type { Quantity } from '../reading/quantities.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Reading } from '../reading/reading.ts';

/** A number or a date, as it was read. */
export type Figure = (FoundDate & { readonly bound?: undefined }) | Quantity;

/** Whether a figure of the source says one of the claim. */
export function agree(found: Figure, said: Figure): boolean {
  if (isDate(said) !== isDate(found))
    return isDate(said) ? isYear(said, found as Quantity) : isYear(found as FoundDate, said as Quantity);
  return isDate(said) ? entailsDate(found as FoundDate, said) : entails(found as Quantity, said as Quantity);
}

/** Whether a figure is a date. */
export function isDate(figure: Figure): figure is FoundDate {
  return !('value' in figure);
}

/** A bare "1924" in a table may be read as a number. */
function isYear(date: FoundDate, quantity: Quantity): boolean {
  return (
    date.month === undefined && date.span === undefined && quantity.dimension === '' && quantity.value === date.year
  );
}

/** Whether two figures are of one kind, so that one may be where the other is. */
export function isSameKind(found: Figure, said: Figure): boolean {
  if (isDate(said) || isDate(found)) return isDate(said) && isDate(found);
  return (
    found.kind === said.kind && (found.dimension === said.dimension || found.dimension === '' || said.dimension === '')
  );
}

/** Whether two figures follow one another with nothing but function words between them. */
export function isPair({ tokens }: Reading, one: Figure, other: Figure): boolean {
  if (other.from < one.to || other.from - one.to > 4) return false;
  return tokens
    .slice(one.to, other.from)
    .every(({ kind, lower }) => kind === 'function' || kind === 'light' || lower === '–' || lower === '-');
}
