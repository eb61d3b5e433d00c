/**
 * Numbers as a reader takes them: "12 million crowns", "12,000,000", "5 km" and "5,000 m", "a quarter", "twenty-three", "more than
 * 30", "up to 142 km/h", "third". Each has a value in the base unit of its dimension; two quantities agree only if their
 * dimensions do.
 */
import { multipliers, smallNumbers, tens } from '../../../../base/text/numbers.ts';
import type { Token } from './read-text.ts';
import { currencies, symbols, units } from './units.ts';

export interface Quantity {
  /** In the base unit of `dimension`. */
  readonly value: number;
  /** The number as written, without unit and magnitude: two quantities that share it but not the rest contradict each other. */
  readonly digits: number;
  /** A dimension ("length", "percent", "usd"), or '' for what is counted. */
  readonly dimension: string;
  readonly kind: 'cardinal' | 'ordinal' | 'clock';
  /** What is said of it: `about` 12, `more` than 12, at `least` 12, at `most` 12 and up to 12, `less` than 12. */
  readonly bound: 'exact' | 'about' | 'more' | 'least' | 'most' | 'less';
  /** Index of its first token, and of the one after its last, magnitude and unit included. */
  readonly from: number;
  readonly to: number;
  /** Whether a word says it that often is no number: "one", "a", "second", "half". */
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

/** Whether a source that says `found` says `said`, too. */
export function entails(found: Quantity, said: Quantity): boolean {
  if (found.kind !== said.kind) return false;
  if (found.dimension !== said.dimension && found.dimension !== '' && said.dimension !== '')
    return sameDuration(found, said);
  const difference = Math.abs(found.value - said.value);
  const isEqual = difference <= 1e-3 * Math.max(Math.abs(found.value), Math.abs(said.value));
  // With another unit unstated, the number as written may be what agrees: "adults pay 8" of "8 crowns for adults".
  const isSame = isEqual || (found.dimension !== said.dimension && found.digits === said.digits);
  const isClose = isSame || difference <= 0.1 * Math.abs(found.value);
  switch (said.bound) {
    case 'about':
      return isClose;
    case 'more':
      return found.bound === 'more' || found.bound === 'least'
        ? found.value >= said.value
        : found.bound !== 'most' && found.bound !== 'less' && found.value > said.value && found.value < 3 * said.value;
    case 'less':
      return found.bound === 'less' || found.bound === 'most'
        ? found.value <= said.value
        : found.bound !== 'least' && found.bound !== 'more' && found.value < said.value && 3 * found.value > said.value;
    case 'least':
      return isSame && found.bound !== 'most' && found.bound !== 'less';
    case 'most':
      return isSame && found.bound !== 'least' && found.bound !== 'more';
    case 'exact':
      return isSame;
  }
}

/** 12 months and a year, 7 days and a week, 24 hours and a day. */
function sameDuration(found: Quantity, said: Quantity): boolean {
  const seconds = ({ dimension, value }: Quantity) =>
    dimension === 'time'
      ? value
      : dimension === 'days'
        ? value * 86_400
        : dimension === 'months'
          ? value * 2_629_800
          : Number.NaN;
  const [one, other] = [seconds(found), seconds(said)];
  return Math.abs(one - other) <= 0.02 * one;
}

function readQuantity(tokens: readonly Token[], at: number, isTaken: (index: number) => boolean): Quantity | undefined {
  const token = tokens[at]!;
  const other = readOrdinal(tokens, at) ?? readFraction(tokens, at);
  if (other !== undefined) return other;
  const written = readNumber(tokens, at);
  if (written === undefined) return undefined;
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

function isMoney(tokens: readonly Token[], at: number, to: number): boolean {
  return currencies[tokens[at - 1]?.text ?? ''] !== undefined || currencies[tokens[to + 1]?.stem ?? ''] !== undefined;
}

function readOrdinal(tokens: readonly Token[], at: number): Quantity | undefined {
  const { lower } = tokens[at]!;
  const value = /^\d+(?:st|nd|rd|th)$/.test(lower) ? Number.parseInt(lower, 10) : ordinalWords.indexOf(lower);
  if (value <= 0) return undefined;
  const before = tokens[at - 1]?.lower ?? '';
  if (lower === 'third' && (before === 'a' || smallNumbers.includes(before))) return undefined;
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
  if (value === undefined || next === 'a' || next === 'an' || (next === 'of' && tokens[at + 2]?.lower === 'an'))
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

interface Written {
  readonly digits: number;
  readonly value: number;
  readonly to: number;
  readonly isVague: boolean;
}

function readNumber(tokens: readonly Token[], at: number): Written | undefined {
  const token = tokens[at]!;
  if (token.kind === 'number') {
    const value = parseNumber(token.stem);
    return { digits: value, value, to: at + 1, isVague: false };
  }
  const [next, after] = [tokens[at + 1]?.lower, tokens[at + 2]?.lower];
  if (token.stem === 'half' && (next === 'a' || next === 'an'))
    return { digits: 0.5, value: 0.5, to: at + 2, isVague: true };
  if (token.stem === 'quarter' && next === 'of' && after === 'an')
    return { digits: 0.25, value: 0.25, to: at + 3, isVague: true };
  return readNumberWords(tokens, at);
}

function parseNumber(written: string): number {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written)) return Number(written.replaceAll(',', ''));
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(written) && (written.match(/\./g)!.length > 1 || written.includes(',')))
    return Number(written.replaceAll('.', '').replace(',', '.'));
  if (/^\d+,\d+$/.test(written)) return Number(written.replace(',', '.'));
  const clock = /^(\d+):(\d+)/.exec(written);
  return clock === null ? Number.parseFloat(written) : Number(clock[1]) * 60 + Number(clock[2]);
}

/** "twenty-three", "one hundred and fifty", "eleven hundred", "two and a half", "a dozen". */
function readNumberWords(tokens: readonly Token[], at: number): Written | undefined {
  let total = 0;
  let part = 0;
  let to = at;
  let count = 0;
  for (; to < tokens.length; to += 1) {
    const { lower, kind } = tokens[to]!;
    const small = smallNumbers.indexOf(lower);
    const ten = tens.indexOf(lower);
    if (small >= 0) part += small;
    else if (ten >= 0) part += 20 + 10 * ten;
    else if (count > 0 && (kind === 'mark' ? lower === '-' : lower === 'and') && isNumberWord(tokens[to + 1]?.lower))
      continue;
    else if (multipliers[lower] !== undefined && (count > 0 || ['a', 'an'].includes(tokens[to - 1]?.lower ?? ''))) {
      const factor = multipliers[lower]!;
      if (factor === 100 || factor === 12) part = Math.max(1, part) * factor;
      else {
        total += Math.max(1, part) * factor;
        part = 0;
      }
    } else break;
    count += 1;
  }
  if (count === 0) {
    const once = ['once', 'twice', 'thrice'].indexOf(tokens[at]!.lower);
    return once > 0 ? { digits: once + 1, value: once + 1, to: at + 1, isVague: true } : undefined;
  }
  const value = total + part;
  return {
    digits: value,
    value,
    to,
    isVague: count === 1 && (value <= 1 || (value <= 3 && tokens[at - 1]?.lower === 'the')),
  };
}

function isNumberWord(lower: string | undefined): boolean {
  return (
    lower !== undefined && (smallNumbers.includes(lower) || tens.includes(lower) || multipliers[lower] !== undefined)
  );
}

function readUnit(
  tokens: readonly Token[],
  at: number,
  isTaken: (index: number) => boolean,
): { dimension: string; factor: number; to: number } | undefined {
  let to = at;
  if (tokens[to]?.lower === '-') to += 1;
  const token = tokens[to];
  if (token === undefined || isTaken(to)) return undefined;
  if (token.lower === '°') {
    const scale = tokens[to + 1]?.text;
    return {
      dimension: scale === 'F' ? 'fahrenheit' : scale === 'C' ? 'celsius' : 'degrees',
      factor: 1,
      to: scale === 'C' || scale === 'F' ? to + 2 : to + 1,
    };
  }
  const cube = token.stem === 'cubic' || token.stem === 'squar' ? token.stem : undefined;
  if (cube !== undefined) {
    const [, factor = 1] = units[tokens[to + 1]?.stem ?? ''] ?? [];
    return { dimension: cube, factor: factor ** (cube === 'cubic' ? 3 : 2), to: to + 2 };
  }
  const currency = currencies[token.stem] ?? currencies[token.text];
  if (currency !== undefined && currency !== '') return { dimension: currency, factor: 1, to: to + 1 };
  if (token.lower === 'per' && tokens[to + 1]?.stem === 'cent') return { dimension: 'percent', factor: 1, to: to + 2 };
  const unit = units[token.stem] ?? units[token.lower];
  if (
    unit === undefined ||
    (symbols.has(token.lower) &&
      token.lower.length <= 2 &&
      token.kind === 'content' &&
      /^[A-Z]$/.test(token.text) &&
      token.text !== 'W' &&
      token.text !== 'L')
  )
    return undefined;
  const [dimension, factor] = unit;
  // "km/h" and "kilometres per hour" are a speed.
  const [slash, hour] = [tokens[to + 1]?.lower, tokens[to + 2]?.stem];
  if (dimension === 'length' && (hour === 'hour' || hour === 'second') && (slash === 'per' || slash === 'an'))
    return { dimension: 'speed', factor: hour === 'hour' ? factor / 1e3 : factor * 3.6, to: to + 3 };
  if (dimension === 'length' && (slash === 'h' || slash === 's') && tokens[to + 1]!.start === token.end + 1)
    return { dimension: 'speed', factor: slash === 'h' ? factor / 1e3 : factor * 3.6, to: to + 2 };
  return { dimension, factor, to: to + 1 };
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
    if (!isRange || quantity.value !== quantity.digits) return quantity;
    return { ...quantity, value: (quantity.digits * next.value) / (next.digits || 1), dimension: next.dimension };
  });
}

function boundBefore(tokens: readonly Token[], from: number, to: number): Quantity['bound'] {
  const start = currencies[tokens[from - 1]?.text ?? ''] === undefined ? from : from - 1;
  const before = tokens
    .slice(Math.max(0, start - 4), start)
    .map(({ lower }) => lower)
    .join(' ');
  const after = tokens
    .slice(to, to + 3)
    .map(({ lower }) => lower)
    .join(' ');
  if (
    /(?:no|not) (?:more|longer|later|greater|higher|larger) than$|(?:at most|up to|as (?:much|many|long|high|far) as|maximum of|limited to|capped at|not exceed|within)$/.test(
      before,
    ) ||
    /^or (?:less|fewer)|^at most|^or below/.test(after)
  )
    return 'most';
  if (
    /(?:no|not) (?:less|fewer|lower|smaller) than$|(?:at least|minimum of|not under)$/.test(before) ||
    /^or (?:more|over|older|above)|^at least/.test(after)
  )
    return 'least';
  if (
    /(?:more|greater|larger|longer|higher|older|bigger|heavier|faster|better) than$|\b(?:over|above|exceeding|exceeds|exceeded|beyond)$/.test(
      before,
    )
  )
    return 'more';
  if (/(?:less|fewer|lower|smaller|shorter|younger|lighter|slower) than$|\b(?:under|below|nearly|almost)$/.test(before))
    return /nearly|almost/.test(before) ? 'about' : 'less';
  if (
    /\b(?:about|around|roughly|approximately|some|circa|ca|approx|estimated|rund|etwa|environ|unos)(?: \.)?$/.test(
      before,
    ) ||
    /^or so/.test(after)
  )
    return 'about';
  return 'exact';
}
