/** Finds the number that a statement gives for a field: one that measures what the field asks for, near the field's words. */

import { plainWordsIn } from '../../../../base/text/plain-words.ts';
import { readWords } from '../../text/words.ts';
import { closeness, type FieldMatch } from '../field-match.ts';
import type { Field } from '../fields.ts';
import type { Proposal } from '../proposals.ts';
import { headingOf, type Statement } from '../statements.ts';
import { findMeasures, type Measure } from './measures.ts';
import { partOf } from './part-of-whole.ts';
import { convert, dimensionOfUnit, namedUnits } from './units.ts';
import { proposeVotes } from './votes.ts';

const upper =
  /\b(?:up to|at most|max(?:imum|\.)?|no (?:more|longer|larger|later) than|not (?:more|longer) than|limit(?:ed)?|within|under|below|less than|larger than|more than|exceed\p{L}*|over|bis zu|höchstens|maximal|or (?:less|fewer))\b/iu;
const lower =
  /\b(?:at least|min(?:imum|\.)?|from|no (?:less|fewer) than|not (?:less|fewer) than|above|over|mindestens|or (?:more|later|newer|higher|above)|and above)\b/iu;
/** Says after a number that it is a bound. */
const after =
  /^\s*(?:\p{L}+ )?(?:or (?:more|later|newer|higher|above|less|fewer)|and above|at (?:most|least)|max(?:imum)?|min(?:imum)?)\b/iu;
/** Numbers of a statement that are looked at; set by hand, far more than a sentence has. */
const maxMeasures = 40;

/** The numbers that may be the field's, with scores. */
export function proposeNumbers(
  field: Field,
  statement: Statement,
  match: FieldMatch,
  isContinental: boolean,
): Proposal[] {
  const { text, valueStart, column, kind } = statement;
  if (field.wantsYear) {
    const counts = proposeCounts(field, statement, match);
    return counts.length > 0 ? counts : proposeYears(statement, match);
  }
  if (field.side !== undefined) return proposeVotes(field.side, statement);
  const heading = headingOf(statement);
  if (match.isLabelled && !/\bper\b/.test(field.key) && (field.counts ? beginsPer : isPer).test(heading)) return [];
  const measures = findMeasures(text, isContinental).slice(0, maxMeasures);
  const elsewhere = namedUnits(`${column} ${kind === 'cell' ? '' : text}`, kind === 'cell' ? '' : column);
  const magnitude = magnitudeIn(heading);
  const isDefault = /\bdefault\b/i.test(text) && statement.label.size > 0;
  return measures.flatMap((measure): Proposal[] => {
    if (match.isLabelled && measure.start < valueStart) return [];
    const read = readMeasure(field, measure, elsewhere, magnitude, match, statement);
    if (read === undefined) return [];
    const near = match.isLabelled
      ? 1 / (1 + measures.indexOf(measure))
      : closeness(match, text, measure.start, measure.end, true);
    const said = text.slice(0, measure.start);
    const isPreset = isDefault && /\bdefault\b[^.]{0,12}$/i.test(said) ? 0.5 : 0;
    return [
      {
        value: read.value,
        start: measure.start,
        end: measure.end,
        score:
          0.9 * near +
          read.score +
          isPreset +
          partOf(measures, measure, field, match, statement) +
          qualified(measures, measure, match, text),
      },
    ];
  });
}

/** "Per serving: 412 kcal" counts no servings, and "Per portion of sugar" is no amount of it; but "per diem" and "per hour rate" are amounts. */
const isPer = /^\W*per\s(?!(?:diem|capita|annum)\b)(?:\d+\s?)?\p{L}+(?:\sof\b.*)?[^\p{L}\p{N}]*$/iu;
const beginsPer = /^\W*per\s/i;

const formerly = /\b(?:old|previous(?:ly)?|former(?:ly)?|prior|before|so far|until now)\b/i;

function readMeasure(
  field: Field,
  { value, unit, end_of, start, end, isYear, isScaled, change }: Measure,
  elsewhere: readonly string[],
  magnitude: number,
  match: FieldMatch,
  { text, label, kind }: Statement,
): { value: number; score: number } | undefined {
  // What is asked for the lowest or highest is asked of both.
  const isChanged = change !== undefined && field.bound === undefined;
  if (isChanged && change !== (field.change ?? 'to')) return undefined;
  if (field.change === 'from' && change === undefined && !formerly.test(text)) return undefined;
  const rangeEnd = isChanged ? undefined : end_of;
  let from = unit;
  let score = 0;
  const isLabelled = match.isLabelled || kind === 'cell';
  if (from === '') {
    const near = elsewhere.filter((each) => field.unit === '' || dimensionOfUnit(each) === field.dimension);
    if (field.unit !== '' && near.length === 1) from = near[0]!;
    else if (
      field.unit !== '' &&
      !(isLabelled && (field.unit === 'money' || field.dimension === undefined || near.length === 0))
    )
      return undefined;
    else if (field.dimension === 'money' && !isLabelled) return undefined;
  }
  const dimension = dimensionOfUnit(from);
  if (isYear && from === '' && !isLabelled) return undefined;
  if (field.dimension !== undefined && dimension !== undefined && !isOf(field.dimension, dimension)) return undefined;
  if (field.unit === '' && field.dimension === undefined && dimension !== undefined) {
    if (field.counts) return undefined;
    if (dimension !== 'share' && !match.isLabelled) score -= 0.1;
  }
  if (field.counts && (!Number.isInteger(value) || value < 0)) return undefined;
  if (field.counts && !isLabelled && !countsNear(match, text, start, end)) return undefined;
  const inUnit = from === '' ? value : convert(value, from, field.unit);
  const converted = inUnit && inMagnitude(inUnit, field.magnitude, isScaled ? 1 : magnitude);
  if (converted === undefined) return undefined;
  score += field.unit !== '' && from === field.unit ? 0.2 : 0;
  if (field.bound !== undefined) {
    const wanted = field.bound === 'min' ? 'low' : 'high';
    if (rangeEnd !== undefined) return rangeEnd === wanted ? { value: converted, score: score + 0.2 } : undefined;
    const words = `${[...label].join(' ')} ${text.slice(Math.max(0, start - 200), start)} ${after.exec(text.slice(end, end + 24))?.[0] ?? ''}`;
    if (!(field.bound === 'min' ? lower : upper).test(words)) return undefined;
  } else if (rangeEnd !== undefined) return undefined;
  return { value: converted, score };
}

/** "Revenue (EUR million)", "Sales in billions", "Income, £m", "Umsatz (TEUR)", "Costs (k€)" */
function magnitudeIn(heading: string): number {
  if (/\b(?:billions?|bn|Mrd)\b|[€$£]\s?bn\b/i.test(heading)) return 1e9;
  if (/\b(?:millions?|mn|Mio|(?:EUR|USD|GBP|CHF)\s?m|M(?:EUR|USD|GBP|CHF))\b|[€$£]\s?m\b/i.test(heading)) return 1e6;
  return /\b(?:in thousands?|thousand (?:eur|euros?|usd|dollars|gbp|pounds)|[€$£]\s?k|T(?:EUR|USD|CHF)|k(?:EUR|USD|GBP|CHF))\b|\bk[€$£]|['’]000\b/i.test(
    heading,
  )
    ? 1e3
    : 1;
}

/** A number in the magnitude of the field's name; undefined for one so small that it may be in that magnitude already. */
function inMagnitude(value: number, wanted: number, stated: number): number | undefined {
  if (wanted === stated) return value;
  if (wanted > 1 && stated === 1 && Math.abs(value) < Math.max(1000, wanted / 100) && value !== 0) return undefined;
  return Number(((value * stated) / wanted).toPrecision(12));
}

/** For "three years for private customers and one year for commercial use": the number right before what the field is for. */
function qualified(measures: readonly Measure[], measure: Measure, match: FieldMatch, text: string): number {
  if (measures.length < 2) return 0;
  const isRightBefore = ({ end }: Measure) =>
    match.places.some(
      (places) =>
        places.length > 0 &&
        places.every((place) => place.start >= end) &&
        places.some((place) =>
          /^\s(?:for|in|per|on|with|at)\s(?:the |an? |all |our |each |every )?(?:\p{L}+\s){0,2}$/u.test(
            text.slice(end, place.start),
          ),
        ),
    );
  return isRightBefore(measure) ? 0.3 : 0;
}

/** A word of time may name weeks, months or days without a unit to convert to. */
function isOf(wanted: string, dimension: string): boolean {
  return (
    wanted === dimension ||
    (wanted === 'time' && (dimension === 'week' || dimension === 'month')) ||
    (wanted === 'money' && dimension === 'share')
  );
}

/** Whether one of the counted words is right around the number: "up to three outdoor sensors", "Sensors: 3". */
function countsNear(match: FieldMatch, text: string, start: number, end: number): boolean {
  return match.places.flat().some((place) => {
    const between = place.start >= end ? text.slice(end, place.start) : text.slice(place.end, start);
    if (place.start < end && place.end > start) return true;
    const words = plainWordsIn(between).length;
    return place.start >= end ? words <= 3 && !/[.,;:]/.test(between) : words <= 2 && !/[.,;]/.test(between);
  });
}

/** How many things an event happened to: "340 flats were built" for `flats/built`, and what a label says that is no year, "Opened: 45". */
function proposeCounts(
  { counted, key }: Field,
  { text, valueStart }: Statement,
  { isLabelled }: FieldMatch,
): Proposal[] {
  if (/\b(?:year|yr)\b/.test(key)) return [];
  const found = [
    ...text.matchAll(/(?<![\p{L}\p{N}.,:/$€£-])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\p{L}\p{N}%]|[.,:/-]\p{N})/gu),
  ];
  return found
    .filter(({ 0: written, index }) => {
      const rest = text.slice(index + written.length);
      if (isLabelled && index >= valueStart && !/^(?:1\d|20)\d\d$/.test(written))
        return /^[\s*_]*$/.test(text.slice(valueStart, index)) && /^[\s*_]*(?:$|[.;](?:\s|$))/.test(rest);
      const after = readWords(/^(?:\s[\p{L}-]+){1,3}/u.exec(rest)?.[0] ?? '');
      return counted.some((word) => after.some(({ stem }) => stem === word.stem));
    })
    .map(({ 0: written, index }) => ({
      value: Number(written.replaceAll(',', '')),
      start: index,
      end: index + written.length,
      score: 1,
    }));
}

function proposeYears({ text }: Statement, match: FieldMatch): Proposal[] {
  return [...text.matchAll(/(?<![\p{N}.,:/$€£-])(?:1[0-9]|20)\d{2}(?![\p{N}%]|[.,]\p{N})/gu)].map((found) => ({
    value: Number(found[0]),
    start: found.index,
    end: found.index + 4,
    score:
      closeness(match, text, found.index, found.index + 4, true) +
      (/(?<!\p{L})(?:in|since|anno|en|im|um|on \S+ \S+|about|around)\s$/iu.test(text.slice(0, found.index)) ? 0.1 : 0),
  }));
}
