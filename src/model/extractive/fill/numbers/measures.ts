/**
 * The numbers of a statement with their units, ranges and what they measure. Numbers that are part of a date, a time of the day, a
 * version or a name count nothing.
 */

import { type StatedNumber, statedNumbers } from '../../../../base/text/stated-numbers.ts';
import { findDates } from '../../text/values.ts';
import { isChange } from './changed-amount.ts';
import { dimensionOfUnit, unitOf } from './units.ts';

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
  /** Whether it is written with its magnitude: "2.5 billion". */
  readonly isScaled: boolean;
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
  const found: Measure[] = [];
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
      } else if (far === 'money' && /^\s\p{Lu}/u.test(after)) {
        // "412 million US dollars", "50 Swiss francs"
        unit = far;
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
    found.push({ value: exact, unit, start, end: stop, isYear, isScaled: value !== digits });
  }
  return found.map((measure, i) => {
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

const continental =
  /\b(?:und|der|die|das|nicht|ist|oder|mit|für|les|des|est|avec|pour|el|los|las|con|para|il|gli|della|het|een|niet|voor|não|uma|com)\b/giu;

/** Whether a text is in a language that separates thousands with a full stop. */
export function isContinentalText(text: string): boolean {
  return (text.slice(0, 2000).match(continental)?.length ?? 0) > (text.length < 600 ? 3 : 8);
}
