/**
 * The numbers of a statement with their units, ranges and what they measure. Numbers that are part of a date, a time of the day, a
 * version or a name count nothing.
 */

import { type StatedNumber, statedNumbers } from '../../../base/text/stated-numbers.ts';
import { findDates } from '../text/values.ts';
import { isChange } from './changed-amount.ts';

/** What a number measures; those that one unit alone measures are named like it. */
export type Dimension = string;

export interface Measure {
  readonly value: number;
  /** As `unitOf` names it, '' without one. */
  readonly unit: string;
  /** UTF-16 offsets into the text; `end` includes the unit. */
  readonly start: number;
  readonly end: number;
  /** The range that it is an end of, "2 to 4". */
  readonly end_of?: 'low' | 'high';
  /** Whether another takes its place, or it that of another: 120 and 132 of "rises from 120 € to 132 €". */
  readonly change?: 'from' | 'to';
  readonly isYear: boolean;
}

/** Name, dimension, factor to the smallest unit; weeks, months and years are converted only among themselves. */
const units: readonly (readonly [string, Dimension, number, RegExp])[] = [
  ['ms', 'time', 1, /^(?:ms|millis|milliseconds?|millisekunden?)$/],
  ['s', 'time', 1e3, /^(?:s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi)$/],
  ['min', 'time', 6e4, /^(?:mins?|minutes?|minuten?|minutos?|minuti|minuto)$/],
  ['h', 'time', 3.6e6, /^(?:h|hrs?|hours?|stunden?|heures?|horas?|ore|uur|uren)$/],
  ['day', 'time', 8.64e7, /^(?:days?|tagen?|tage|jours?|días?|dias?|giorni|giorno|dagen|dag)$/],
  ['week', 'week', 1, /^(?:weeks?|wochen?|semaines?|semanas?|settimane|weken)$/],
  ['month', 'month', 1, /^(?:months?|monate?n?|mois|mes(?:es)?|mesi|maanden?|maand)$/],
  ['year', 'month', 12, /^(?:years?|yrs?|jahren?|jahre|ans?|années?|años?|anos?|anni|jaren|jaar)$/],
  ['%', 'share', 1, /^(?:%|percent|percentage|pct|prozent)$/],
  [
    'money',
    'money',
    1,
    /^(?:usd|eur|gbp|chf|sek|nok|dkk|jpy|inr|[$€£¥₹]|dollars?|euros?|pounds? sterling|francs?|kr|kronor|kroner|cents?|rupees?)$/,
  ],
  ['byte', 'size', 1, /^bytes?$/],
  ['kb', 'size', 1e3, /^kb$/],
  ['kib', 'size', 1024, /^kib$/],
  ['mb', 'size', 1e6, /^(?:mb|megabytes?)$/],
  ['mib', 'size', 1024 ** 2, /^mib$/],
  ['gb', 'size', 1e9, /^(?:gb|gigabytes?)$/],
  ['gib', 'size', 1024 ** 3, /^gib$/],
  ['tb', 'size', 1e12, /^(?:tb|terabytes?)$/],
  ['mm', 'length', 1, /^(?:mm|millimet(?:er|re)s?)$/],
  ['cm', 'length', 10, /^(?:cm|centimet(?:er|re)s?)$/],
  ['m', 'length', 1e3, /^(?:m|met(?:er|re)s?|metern|mètres?|metros?|metri)$/],
  ['km', 'length', 1e6, /^(?:km|kilomet(?:er|re)s?)$/],
  ['mile', 'length', 1_609_344, /^(?:miles?|mi)$/],
  ['ft', 'length', 304.8, /^(?:feet|ft|foot)$/],
  ['inch', 'length', 25.4, /^(?:inch(?:es)?)$/],
  ['g', 'mass', 1, /^(?:g|grams?|gramm)$/],
  ['kg', 'mass', 1e3, /^(?:kg|kilos?|kilograms?)$/],
  ['t', 'mass', 1e6, /^(?:t|tonnes?)$/],
  ['lb', 'mass', 453.592_37, /^(?:lbs?)$/],
  ['ml', 'volume', 1, /^(?:ml|millilit(?:er|re)s?)$/],
  ['l', 'volume', 1e3, /^(?:l|lit(?:er|re)s?)$/],
  ['°c', 'temperature', 1, /^(?:°c|celsius)$/],
  ['°f', 'fahrenheit', 1, /^(?:°f|fahrenheit)$/],
  ['w', 'watt', 1, /^(?:w|watts?)$/],
  ['kw', 'watt', 1e3, /^(?:kw|kilowatts?)$/],
  ['hz', 'hertz', 1, /^(?:hz|hertz)$/],
  ['khz', 'hertz', 1e3, /^khz$/],
  ['mhz', 'hertz', 1e6, /^mhz$/],
  ['ghz', 'hertz', 1e9, /^ghz$/],
  ['v', 'volt', 1, /^(?:v|volts?)$/],
  ['rpm', 'rpm', 1, /^rpm$/],
  ['nm', 'torque', 1, /^nm$/],
  ['bar', 'bar', 1, /^bar$/],
  ['db', 'decibel', 1, /^(?:db|decibels?)$/],
  ['mph', 'mph', 1, /^mph$/],
  ['kmh', 'kmh', 1, /^(?:km\/h|kmh|kph)$/],
];

const byName = new Map(units.map((unit) => [unit[0], unit]));
const cache = new Map<string, string>();

/** The unit, `ms` or `km`, that a written one or a word of a field's name is; '' if it is not a unit. */
export function unitOf(written: string): string {
  const word = written.toLowerCase();
  const known = cache.get(word);
  if (known !== undefined) return known;
  const unit = units.find(([, , , pattern]) => pattern.test(word))?.[0] ?? '';
  if (cache.size > 5000) cache.clear();
  cache.set(word, unit);
  return unit;
}

const named: readonly (readonly [Dimension, RegExp])[] = [
  [
    'money',
    /^(?:price|prices|cost|costs|fee|fees|rent|salary|budget|deposit|fine|revenue|grant|usd|eur|gbp|preis|kaution|prix|precio|discount)$/i,
  ],
  ['time', /^(?:timeout|duration|interval|period|delay|ttl|lifetime)$/i],
  ['length', /^(?:height|width|length|depth|distance|diameter)$/i],
  ['mass', /^(?:weight|mass)$/i],
  ['temperature', /^(?:temperature|celsius)$/i],
  ['share', /^(?:percent|percentage|pct|share)$/i],
];

/** What a field measures, by its unit or a word of its name; undefined if neither says. */
export function dimensionOf(unit: string, names: readonly string[]): Dimension | undefined {
  if (unit !== '') return byName.get(unit)![1];
  for (const name of [...names].reverse()) {
    const known = named.find(([, pattern]) => pattern.test(name));
    if (known !== undefined) return known[0];
  }
  return undefined;
}

/** The dimension of a unit; undefined for ''. */
export function dimensionOfUnit(unit: string): string | undefined {
  return byName.get(unit)?.[1];
}

/** A number converted to another unit of the same quantity, unchanged without a unit to convert to; undefined if it cannot be. */
export function convert(value: number, from: string, to: string): number | undefined {
  if (from === to || to === '') return value;
  const [source, target] = [byName.get(from), byName.get(to)];
  if (source === undefined || target === undefined || source[1] !== target[1]) return undefined;
  return Number(((value * source[2]) / target[2]).toPrecision(12));
}

const unitAfter = /^[`*]*(?:\s?(%|°\s?[CF]|[€$£¥₹])|[ \u00a0-]?(\p{L}{1,12}(?:\/h)?))(?![\p{L}\p{N}])/u;
const currencyBefore = /(?:[$€£¥₹]|\b(?:US\$|USD|EUR|GBP|CHF|INR))[ \u00a0]?$/;
/** "+49 (0)30 123456", "0049 30 123456": its groups are no quantities. */
const telephone = /(?<![\p{L}\p{N}.,])(?:\+\d|0\d)\d*(?:[ \u00a0/().-]{1,3}\d+)+/gu;
const joint = /^\s*(?:[-–—]|to|bis|until|through|à|a|tot)\s*$/u;

/** "+1 250 000", "+1.250.000": an amount with its sign. */
const signedAmount = /^\+\d{1,3}(?:([ \u00a0.])\d{3}(?:\1\d{3})?)$/u;

/** Whether a match is a telephone number; one is in no unit. */
function isCall({ 0: call, index }: RegExpExecArray, text: string): boolean {
  if (call.replace(/\D/g, '').length < 7 || signedAmount.test(call)) return false;
  const after = unitAfter.exec(text.slice(index + call.length, index + call.length + 20));
  const written = after?.[1] ?? after?.[2] ?? '';
  return unitOf(written.replace(/\s/g, '')) === '' || wordsAndUnits.test(written);
}

/** Words after a telephone number that are also units: "+49 30 123456 in the evening". */
const wordsAndUnits = /^(?:in|a|am|m|h|s)$/i;
/** "3/4", "1/2". */
const fraction = /^(?:1\/[23458]|2\/[35]|3\/[458]|4\/5|[57]\/8)$/;

/** Whether a number after "230/", in `before`, is another value, and no part of a fraction; such a one has a unit. */
function isAlternative(before: string, value: number): boolean {
  const [, first] = /(?<![\p{L}\p{N}./-])(\d+)\/$/u.exec(before) ?? [];
  if (first === undefined || fraction.test(`${first}/${value}`)) return false;
  return Number(first) >= 10 || Number(first) < value;
}

/** In order. `isContinental` decides for "1.234" whether it is a thousand. */
export function findMeasures(text: string, isContinental: boolean): Measure[] {
  const dates = findDates(text).filter(({ text: date }) => !/^\d{4}$/.test(date));
  const calls = [...text.matchAll(telephone)].filter((match) => isCall(match, text));
  const found: (Measure & { digitsEnd: number })[] = [];
  for (const number of withOnes(text)) {
    const { value, digits, start, end } = number;
    const before = text.slice(Math.max(0, start - 8), start);
    const after = text.slice(end, end + 20);
    if (
      /[\p{L}\p{N}_][-/_]$|[\p{N}\p{L}][:.]$|\p{N}[x×]\s?$|#$/u.test(before) &&
      !/^[-−]/.test(text.slice(start, end))
    ) {
      if (!/\p{N}[-–]$/u.test(before) && !isAlternative(before, value)) continue;
    }
    if (/^(?:[:/]\p{N}|\.\p{N}|st\b|nd\b|rd\b|th\b|[-_]\p{N}{2}-)/u.test(after)) continue;
    if (dates.some((date) => date.start < end && date.end > start)) continue;
    if (calls.some(({ 0: call, index }) => index < end && index + call.length > start)) continue;
    const match = unitAfter.exec(after);
    const written = match?.[1] ?? match?.[2] ?? '';
    const isMoney = currencyBefore.test(before);
    const isHalf = /^\s(?:and a half)\b/.exec(after);
    let unit = isMoney ? 'money' : unitOf(written.replace(/\s/g, ''));
    let stop = unit === '' || isMoney ? end : end + match![0].length;
    let exact = value;
    if (isHalf !== null) {
      exact += 0.5;
      stop = end + isHalf[0].length;
      const next = unitAfter.exec(text.slice(stop, stop + 20));
      const halved = unitOf(next?.[2] ?? '');
      if (halved !== '') [unit, stop] = [halved, stop + next![0].length];
    }
    // "5 working days", "three paid months": one word may be in between.
    if (unit === '' && match?.[2] !== undefined) {
      const further = /^[ -]\p{L}{2,10} (\p{L}{3,8})(?!\p{L})/u.exec(after);
      const far = unitOf(further?.[1] ?? '');
      if (
        dimensionOfUnit(far) !== undefined &&
        /^\s?(?:working|calendar|business|full|paid|consecutive|nautical)\b/.test(after)
      ) {
        if (!/nautical/.test(after)) unit = far;
        stop = end + further![0].length;
      }
    }
    if (unit === '' && /\p{N}\/$/u.test(before)) continue;
    const twin = found.at(-1);
    if (twin !== undefined && twin.start === start) {
      // Read in two ways, "1.234".
      if (isContinental) found.pop();
      else continue;
    }
    const isYear =
      Number.isInteger(digits) &&
      digits >= 1000 &&
      digits < 2100 &&
      value === digits &&
      unit === '' &&
      end - start === 4;
    found.push({ value: exact, unit, start, end: stop, isYear, digitsEnd: end });
  }
  return found.map(({ digitsEnd, ...measure }, i) => {
    const next = found[i + 1];
    const last = found[i - 1];
    const isLow = next !== undefined && isRange(text, measure, next);
    const isHigh = last !== undefined && isRange(text, last, measure);
    const isFrom = next !== undefined && isChange(text, measure, next);
    const isTo = last !== undefined && isChange(text, last, measure);
    const unit = isLow && measure.unit === '' ? next.unit : measure.unit;
    return {
      ...measure,
      unit,
      ...(isLow ? { end_of: 'low' as const } : isHigh ? { end_of: 'high' as const } : {}),
      ...(isFrom ? { change: 'from' as const } : isTo ? { change: 'to' as const } : {}),
    };
  });
}

/** The numbers of a text, and "one" where it counts: "one hour", "one guest", "half an hour". */
function withOnes(text: string): StatedNumber[] {
  const ones = [
    ...text.matchAll(
      /(?<![\p{L}\p{N}-]|\bno )(?:one(?=[ -]\p{L})(?! (?:of|another|or|and|hundred|thousand|million)\b)|half an?(?= \p{L}))/giu,
    ),
  ];
  const found = ones.map(({ 0: said, index }) => {
    const value = /^half/i.test(said) ? 0.5 : 1;
    return { value, digits: value, start: index, end: index + said.length };
  });
  const numbers = statedNumbers(text);
  return found.length === 0 ? numbers : [...numbers, ...found].sort((a, b) => a.start - b.start);
}

function isRange(text: string, low: Measure, high: Measure): boolean {
  const between = text.slice(low.end, high.start);
  if (low.value >= high.value) return false;
  if (joint.test(between)) return true;
  const and = /^\s*(?:and|und|et|y|e|en)\s*$/u.test(between);
  return (
    and &&
    /\b(?:between|zwischen|entre|tra|tussen)\s[^.]{0,12}$/i.test(text.slice(Math.max(0, low.start - 30), low.start))
  );
}

/** The units that a text names without a number: "in milliseconds", "Distance (km)"; and a label, "Working hours". */
export function namedUnits(text: string, label = ''): string[] {
  const ofLabel =
    label.match(/(?<![\p{L}-])(?:hours|days|weeks|months|years|Stunden|Tage|Wochen|Monate|Jahre)(?=\P{L}*$)/iu) ?? [];
  const found = text.match(/(?<=\bin |\()\p{L}{1,13}(?=\)|\b)|\b(?:milli)?seconds\b|\bminutes\b|[€$£%]/gu) ?? [];
  return [...new Set([...ofLabel, ...found].map(unitOf).filter(Boolean))];
}

const continental =
  /\b(?:und|der|die|das|nicht|ist|oder|mit|für|les|des|est|avec|pour|el|los|las|con|para|il|gli|della|het|een|niet|voor|não|uma|com)\b/giu;

/** Whether a text is in a language that separates thousands with a full stop. */
export function isContinentalText(text: string): boolean {
  return (text.slice(0, 2000).match(continental)?.length ?? 0) > (text.length < 600 ? 3 : 8);
}
