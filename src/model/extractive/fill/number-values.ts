/** Finds the number that a statement gives for a field: one that measures what the field asks for, near the field's words. */

import { plainWordsIn } from '../../../base/text/plain-words.ts';
import { closeness, type FieldMatch } from './field-match.ts';
import type { Field } from './fields.ts';
import { findMeasures, type Measure } from './measures.ts';
import type { Proposal } from './proposals.ts';
import type { Statement } from './statements.ts';
import { convert, dimensionOfUnit, namedUnits } from './units.ts';

const upper =
  /\b(?:up to|at most|max(?:imum|\.)?|no (?:more|longer|larger|later) than|not (?:more|longer) than|limit(?:ed)?|within|under|below|less than|larger than|more than|exceed\p{L}*|over|bis zu|höchstens|maximal|or (?:less|fewer))\b/iu;
const lower =
  /\b(?:at least|min(?:imum|\.)?|from|no (?:less|fewer) than|not (?:less|fewer) than|above|over|mindestens|or (?:more|later|newer|higher|above)|and above)\b/iu;
/** Says after a number that it is a bound. */
const after =
  /^\s*(?:\p{L}+ )?(?:or (?:more|later|newer|higher|above|less|fewer)|and above|at (?:most|least)|max(?:imum)?|min(?:imum)?)\b/iu;
/** Numbers of a statement that are looked at; set by hand, far more than a sentence has. */
const maxMeasures = 40;
/** Dimensions that a number may have in any field. */
const plain = new Set(['share', 'other', '']);

/** The numbers that may be the field's, with scores. */
export function proposeNumbers(
  field: Field,
  statement: Statement,
  match: FieldMatch,
  isContinental: boolean,
): Proposal[] {
  const { text, valueStart, column, kind } = statement;
  if (field.wantsYear) return proposeYears(statement, match);
  const measures = findMeasures(text, isContinental).slice(0, maxMeasures);
  const elsewhere = namedUnits(`${column} ${kind === 'cell' ? '' : text}`, kind === 'cell' ? '' : column);
  const isDefault = /\bdefault\b/i.test(text) && statement.label.size > 0;
  return measures.flatMap((measure): Proposal[] => {
    if (match.isLabelled && measure.start < valueStart) return [];
    const read = readMeasure(field, measure, elsewhere, match, statement);
    if (read === undefined) return [];
    const near = match.isLabelled
      ? 1 / (1 + measures.indexOf(measure))
      : closeness(match, text, measure.start, measure.end);
    const said = text.slice(0, measure.start);
    const isPreset = isDefault && /\bdefault\b[^.]{0,12}$/i.test(said) ? 0.5 : 0;
    return [
      {
        value: read.value,
        start: measure.start,
        end: measure.end,
        score: 0.9 * near + read.score + isPreset + partOf(measures, measure, match, text),
      },
    ];
  });
}

function readMeasure(
  field: Field,
  { value, unit, end_of, start, end, isYear, change }: Measure,
  elsewhere: readonly string[],
  match: FieldMatch,
  { text, label, kind }: Statement,
): { value: number; score: number } | undefined {
  // What is asked for the lowest or highest is asked of both.
  const isChanged = change !== undefined && field.bound === undefined;
  if (isChanged && change === 'from') return undefined;
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
    if (!plain.has(dimension) && !match.isLabelled) score -= 0.1;
  }
  if (field.counts && (!Number.isInteger(value) || value < 0)) return undefined;
  if (field.counts && !isLabelled && !countsNear(match, text, start, end)) return undefined;
  const converted = from === '' ? value : convert(value, from, field.unit);
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

/** For "17 of the 240 lamps are broken" and "240 lamps, of which 17 are broken": which of the two numbers is the field's. */
function partOf(measures: readonly Measure[], measure: Measure, match: FieldMatch, text: string): number {
  const at = measures.indexOf(measure);
  const pairs = [
    [measures[at - 1], measure],
    [measure, measures[at + 1]],
  ] as const;
  for (const [first, second] of pairs) {
    if (first === undefined || second === undefined || second.start - first.end > 120) continue;
    const between = text.slice(first.end, second.start);
    const isWithin = /^\s+of (?:the |its |our |all )?$/.test(between);
    if (!isWithin && !/\bof (?:which|them|these|those)\s+(?:about |some |only )?$/.test(between)) continue;
    const verb = /\b(?:is|are|was|were|have|has|comes?|goes|went)\b/.exec(text.slice(second.end, second.end + 120));
    const from = second.end + (isWithin ? (verb?.index ?? 120) : 0);
    const isPart = match.places.some((places) => places.length > 0 && places.every(({ start }) => start >= from));
    const part = isWithin ? first : second;
    return (measure === part) === isPart ? 0.5 : -0.5;
  }
  return 0;
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

function proposeYears({ text }: Statement, match: FieldMatch): Proposal[] {
  return [...text.matchAll(/(?<![\p{N}.,:/$€£-])(?:1[0-9]|20)\d{2}(?![\p{N}%]|[.,]\p{N})/gu)].map((found) => ({
    value: Number(found[0]),
    start: found.index,
    end: found.index + 4,
    score: closeness(match, text, found.index, found.index + 4),
  }));
}
