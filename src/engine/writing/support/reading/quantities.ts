/**
 * Numbers as a reader takes them: "12 million crowns", "12,000,000", "5 km" and "5,000 m", "a quarter", "twenty-three", "more than
 * 30", "up to 142 km/h", "third". Each has a value in the base unit of its dimension; two quantities agree only if their
 * dimensions do.
 */
import { multipliers, smallNumbers } from '../../../../base/text/numbers.ts';
import { type Bound, boundBefore } from './bounds.ts';
import type { Token } from './read-text.ts';
import { readUnit } from './read-unit.ts';
import { currencies } from './units.ts';
import { readNumber } from './written-numbers.ts';

export interface Quantity {
  /** In the base unit of `dimension`. */
  readonly value: number;
  /** The number as written, without unit and magnitude: two quantities that share it but not the rest contradict each other. */
  readonly digits: number;
  /** A dimension ("length", "percent", "usd"), or '' for what is counted. */
  readonly dimension: string;
  readonly kind: 'cardinal' | 'ordinal' | 'clock';
  readonly bound: Bound;
  /** Index of its first token, and of the one after its last, magnitude and unit included. */
  readonly from: number;
  readonly to: number;
  /** Whether it is a word that often is not a number: "one", "a", "second", "half". */
  readonly isVague: boolean;
}

const fractions: Readonly<Record<string, number>> = { half: 50, quarter: 25, third: 100 / 3 };
const short: Readonly<Record<string, number>> = {
  m: 1e6,
  bn: 1e9,
  k: 1e3,
  tn: 1e12,
  mio: 1e6,
  mrd: 1e9,
  millionen: 1e6,
  milliarden: 1e9,
  millions: 1e6,
  milliards: 1e9,
};
const parts: Readonly<Record<string, number>> = {
  thirds: 3,
  quarters: 4,
  fifths: 5,
  sixths: 6,
  eighths: 8,
  tenths: 10,
};
const ordinalWords = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
);

/** The quantities of a sentence, in order. Dates are left out: `isTaken` says which tokens belong to one. */
export function readQuantities(tokens: readonly Token[], isTaken: (index: number) => boolean): Quantity[] {
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; ) {
    const quantity = isTaken(at) ? undefined : readQuantity(tokens, at, isTaken);
    if (quantity === undefined) at += 1;
    else {
      found.push(quantity);
      at = Math.max(quantity.to, at + 1);
    }
  }
  return shareUnits(tokens, found);
}

/** The denominators in which people give shares. */
const ratios: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1_000, 10_000, 100_000, 1_000_000]);

function readQuantity(tokens: readonly Token[], at: number, isTaken: (index: number) => boolean): Quantity | undefined {
  const token = tokens[at]!;
  const other = readOrdinal(tokens, at) ?? readFraction(tokens, at) ?? readFractions(tokens, at);
  if (other !== undefined) return other;
  const written = readNumber(tokens, at);
  if (written === undefined) return undefined;
  // "1 in 10" and "one in ten" are 10 percent.
  const isShare = tokens[written.to]?.lower === 'in' && tokens[written.to + 1] !== undefined;
  const whole = isShare ? readNumber(tokens, written.to + 1) : undefined;
  if (whole !== undefined && ratios.has(whole.value) && written.value <= whole.value && written.value >= 1) {
    const value = (100 * written.value) / whole.value;
    const range = { from: at, to: whole.to };
    const bound = boundBefore(tokens, at, whole.to);
    return { value, digits: value, dimension: 'percent', kind: 'cardinal', bound, ...range, isVague: false };
  }
  const half = tokens[written.to]?.lower;
  const minutes = half === 'am' || half === 'pm' ? minutesOf(token.stem, written.value, half) : undefined;
  if (minutes !== undefined) {
    const range = { from: at, to: written.to + 1 };
    return {
      value: minutes,
      digits: written.digits,
      dimension: '',
      kind: 'clock',
      bound: 'exact',
      ...range,
      isVague: false,
    };
  }
  let { digits, value, to, isVague } = written;
  for (;;) {
    const next = tokens[to];
    const factor =
      next === undefined
        ? undefined
        : (multipliers[next.lower.replace(/s$/, '')] ??
          (next.start - tokens[to - 1]!.end <= 1 ? short[next.lower] : undefined));
    if (factor === undefined || (next?.lower === 'm' && !isMoney(tokens, at, to))) break;
    value *= factor;
    to += 1;
  }
  let dimension = '';
  const sign = tokens[at - 1]?.text;
  if (sign !== undefined && currencies[sign] !== undefined) dimension = currencies[sign];
  const unit = readUnit(tokens, to, isTaken);
  if (unit !== undefined && dimension === '') {
    value *= unit.factor;
    dimension = unit.dimension;
    to = unit.to;
  }
  if (dimension === '' && token.text.includes(':'))
    return { value: digits, digits, dimension, kind: 'clock', bound: 'exact', from: at, to, isVague };
  if (isVague && dimension === '' && digits === 1) return undefined;
  return { value, digits, dimension, kind: 'cardinal', bound: boundBefore(tokens, at, to), from: at, to, isVague };
}

/**
 * Minutes after midnight of "8", "8:30" and "8.30", whose `value` is as it was read; undefined if it is not a time on a
 * 12-hour clock.
 */
function minutesOf(written: string, value: number, half: 'am' | 'pm'): number | undefined {
  const minutes = written.includes(':') ? value : Math.trunc(value) * 60 + Math.round((value % 1) * 100);
  if (minutes < 0 || minutes >= 13 * 60 || minutes % 1 !== 0) return undefined;
  return (minutes % 720) + (half === 'pm' ? 720 : 0);
}

function isMoney(tokens: readonly Token[], at: number, to: number): boolean {
  return currencies[tokens[at - 1]?.text ?? ''] !== undefined || currencies[tokens[to + 1]?.stem ?? ''] !== undefined;
}

/** What follows a share: "of", or nothing of the same phrase. */
function isShare(next: Token | undefined): boolean {
  return next === undefined || next.kind === 'mark' || next.lower === 'of';
}

function readOrdinal(tokens: readonly Token[], at: number): Quantity | undefined {
  const { lower } = tokens[at]!;
  const value = /^\d+(?:st|nd|rd|th)$/.test(lower) ? Number.parseInt(lower, 10) : ordinalWords.indexOf(lower);
  if (value <= 0) return undefined;
  const before = tokens[at - 1]?.lower ?? '';
  if (lower === 'third' && (before === 'a' || smallNumbers.includes(before))) return undefined;
  // "A fifth of the price".
  if ((before === 'a' || before === 'one') && value > 3 && isShare(tokens[at + 1])) {
    const range = { from: at, to: at + 1 };
    const share = 100 / value;
    return {
      value: share,
      digits: share,
      dimension: 'percent',
      kind: 'cardinal',
      bound: 'about',
      ...range,
      isVague: true,
    };
  }
  return {
    value,
    digits: value,
    dimension: '',
    kind: 'ordinal',
    bound: 'exact',
    from: at,
    to: at + 1,
    isVague: lower === 'second' || lower === 'first',
  };
}

/** "by a quarter" and "half of it" are 25 and 50 percent. */
function readFraction(tokens: readonly Token[], at: number): Quantity | undefined {
  const value = fractions[tokens[at]!.stem];
  const [before, next] = [tokens[at - 1]?.lower, tokens[at + 1]?.lower];
  // "Half-time" and "half-hearted" are not numbers.
  if (
    value === undefined ||
    next === 'a' ||
    next === 'an' ||
    next === '-' ||
    (next === 'of' && tokens[at + 2]?.lower === 'an')
  )
    return undefined;
  if (tokens[at]!.stem !== 'half' && before !== 'a' && before !== 'one') return undefined;
  return {
    value,
    digits: value,
    dimension: 'percent',
    kind: 'cardinal',
    bound: 'about',
    from: at,
    to: at + 1,
    isVague: true,
  };
}

/** "Two thirds" and "nine-tenths", in percent. */
function readFractions(tokens: readonly Token[], at: number): Quantity | undefined {
  const count = smallNumbers.indexOf(tokens[at]!.lower);
  const last = tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
  const whole = parts[tokens[last]?.lower ?? ''];
  if (count < 2 || whole === undefined || count >= whole) return undefined;
  const value = (100 * count) / whole;
  const range = { from: at, to: last + 1 };
  return { value, digits: value, dimension: 'percent', kind: 'cardinal', bound: 'about', ...range, isVague: false };
}

/** "40 and 55 million euros", "2 to 8 °C", "25–60 francs": the first number of a range has the unit of the second. */
function shareUnits(tokens: readonly Token[], found: readonly Quantity[]): Quantity[] {
  return found.map((quantity, at) => {
    const next = found[at + 1];
    if (
      next === undefined ||
      quantity.dimension !== '' ||
      quantity.kind !== 'cardinal' ||
      next.kind !== 'cardinal' ||
      quantity.isVague
    )
      return quantity;
    const gap = tokens.slice(quantity.to, next.from).filter(({ text }) => currencies[text] === undefined);
    const isRange = gap.length === 1 && /^(?:to|and|or|-|–|—|by|bis|à|a)$/.test(gap[0]!.lower);
    // In the score "2–0" nothing can be learned from the second number.
    if (!isRange || quantity.value !== quantity.digits || next.digits === 0) return quantity;
    return { ...quantity, value: (quantity.digits * next.value) / (next.digits || 1), dimension: next.dimension };
  });
}
