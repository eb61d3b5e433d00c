/**
 * What one unit of the evidence offers for one field, best first. A guess is worth more the better its unit answers the
 * question, the closer it stands to the field's own words and the question's, and the better its unit of measure fits.
 */
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import type { RankedUnit } from '../rank/rank.ts';
import {
  convert,
  findCode,
  findDates,
  findNames,
  findNumbers,
  findQuoted,
  maskMarkup,
  type NumberSpan,
  type Span,
} from '../text/values.ts';
import { readWords, type Word } from '../text/words.ts';
import type { Field } from './fields.ts';

export interface ValueCandidate {
  readonly value: string | number | boolean;
  /** Offsets into the evidence's text. */
  readonly start: number;
  readonly end: number;
  /** Higher is better; about 0 is a coin's toss. */
  readonly score: number;
  readonly unit: RankedUnit;
}

/** What every field of a unit is looked for in. */
export interface UnitText {
  readonly unit: RankedUnit;
  readonly masked: string;
  readonly words: readonly Word[];
  /** How good the unit is as an answer, 0 the best. */
  readonly relativeScore: number;
}

export function readUnitText(unit: RankedUnit, best: number): UnitText {
  const raw = unit.source.text.slice(unit.unit.start, unit.unit.end);
  const masked = maskMarkup(raw);
  return { unit, masked, words: readWords(masked), relativeScore: Math.max(-4, (unit.score - best) / 3) };
}

export function findValueCandidates(field: Field, question: AnalysedQuestion, ground: UnitText): ValueCandidate[] {
  const near = nearness(field, question, ground);
  const base = ground.relativeScore + near.unit;
  const make = (span: Span, value: ValueCandidate['value'], score: number): ValueCandidate => ({
    value,
    start: ground.unit.unit.start + span.start,
    end: ground.unit.unit.start + span.end,
    score: base + score,
    unit: ground.unit,
  });
  return offers(field, question, ground)
    .map(({ span, value, score }) => make(span, value, score + near.at(span)))
    .sort((a, b) => b.score - a.score);
}

interface Offer {
  readonly span: Span;
  readonly value: ValueCandidate['value'];
  readonly score: number;
}

function offers(field: Field, question: AnalysedQuestion, ground: UnitText): Offer[] {
  const { masked } = ground;
  const whole: Span = { start: 0, end: masked.length, text: ground.unit.unit.text };
  const text = (spans: readonly Span[], score: number) =>
    spans.filter(({ text }) => text !== '').map((span) => ({ span, value: span.text, score }));
  const fresh = (spans: readonly Span[]) => spans.filter((span) => isNew(span, question, ground));
  switch (field.role) {
    case 'number':
      return findNumbers(masked).flatMap((number) => offerNumber(field, question, number, masked));
    case 'boolean':
      return offerBoolean(field, question, ground);
    case 'sentence':
      return ground.unit.unit.kind === 'code' ? [] : text([describing(whole, ground)], 0.5);
    case 'block':
      return ground.unit.unit.kind === 'code'
        ? [{ span: whole, value: codeWithin(whole.text), score: 1 }]
        : text(findCode(masked), -0.5);
    case 'code':
      return text(findCode(masked), 0.5).map((offer, i) => ({
        ...offer,
        score: offer.score - 0.3 * i - codePenalty(offer.span, field, question, ground),
      }));
    case 'date':
      return text(findDates(masked), 0.5).map((offer) => ({
        ...offer,
        score: offer.score + 0.1 * Math.min(4, offer.span.text.split(' ').length),
      }));
    case 'address':
      return text(addresses(ground), 0.5);
    case 'name':
      return [
        ...text(fresh(namesIn(masked)), 0.3),
        ...text(fresh(findQuoted(masked)), 0),
        ...text(leadOf(ground), 0.4),
      ];
    case 'phrase':
      return [
        ...text(fresh(findQuoted(masked)), 0.1),
        ...text(fresh(findCode(masked)), 0.2),
        ...text(fresh(namesIn(masked)), 0),
        ...(ground.unit.unit.kind === 'code' ? [] : text([whole], -0.4)),
      ];
  }
}

function offerNumber(field: Field, question: AnalysedQuestion, number: NumberSpan, masked: string): Offer[] {
  if (field.wantsYear) return number.year ? [{ span: number, value: number.value, score: 0.6 }] : [];
  if (number.dated && number.unit === '' && question.kind !== 'date') return [];
  let from = number.unit;
  let score = 0;
  if (field.unit !== '' && from === '') {
    // "Default: `300e3` … in milliseconds": the unit is named elsewhere in the sentence.
    const named = unitNamed(masked, field.unit);
    score += named ? 0.6 : -0.6;
    from = field.unit;
  } else if (field.unit !== '') score += from === field.unit ? 1 : 0.2;
  else if (from !== '' && !wantsUnit(field, from)) score -= 0.3;
  const value = convert(number.value, from, field.unit);
  if (value === undefined) return [];
  if (/`/.test(masked[number.start - 1] ?? '')) score += 0.3;
  if (/^[a-z]/i.test(number.text) && number.unit === '') score -= 0.2;
  return [{ span: number, value, score }];
}

function unitNamed(masked: string, unit: string): boolean {
  const names: Readonly<Record<string, RegExp>> = {
    ms: /\bmilliseconds?\b|\bms\b/i,
    s: /\bseconds?\b/i,
    min: /\bminutes?\b/i,
    '%': /percent|%/i,
    $: /[$]|dollar/i,
    byte: /\bbytes?\b/i,
  };
  return names[unit]?.test(masked) ?? false;
}

function wantsUnit(field: Field, unit: string): boolean {
  return unit === '%' ? field.stems.some((stem) => /^(?:percentag|percent|rate|share)$/.test(stem)) : true;
}

const negation =
  /\b(?:not|never|no longer|cannot|isn['’]?t|doesn['’]?t|don['’]?t|wasn['’]?t|aren['’]?t|can['’]?t|won['’]?t|without|unsupported|neither|nor|none|unable|fails? to|refused|deprecated in favor)\b/i;

/** Yes, unless the unit says no; only where the unit speaks of what is asked. */
function offerBoolean(field: Field, question: AnalysedQuestion, ground: UnitText): Offer[] {
  const { masked, unit } = ground;
  const stems = new Set(ground.words.flatMap((word) => [word.stem, ...word.parts]));
  const asked = field.stems.filter((stem) => !stopStems.has(stem));
  const heard = asked.filter(
    (stem) => stems.has(stem) || [...stems].some((other) => other.length > 4 && other.startsWith(stem.slice(0, 5))),
  ).length;
  const own = question.terms.filter((_, term) => unit.own[term]! > 0 || unit.around[term]! > 0).length;
  const speaks =
    (asked.length === 0 ? 1 : heard / asked.length) >= 0.5 && own / Math.max(1, question.terms.length) >= 0.6;
  if (!speaks) return [];
  const span = { start: 0, end: masked.length, text: unit.unit.text };
  const literal = /`(true|false)`/.exec(masked);
  if (literal !== null && asked.some((stem) => /^(?:default|enabl|initial)$/.test(stem))) {
    return [
      {
        span: { start: literal.index + 1, end: literal.index + 1 + literal[1]!.length, text: literal[1]! },
        value: literal[1] === 'true',
        score: 1,
      },
    ];
  }
  const asksNegative = negation.test(question.text);
  return [{ span, value: negation.test(masked) === asksNegative, score: heard > 0 ? 0.4 : 0 }];
}

/** A name that the question gives itself is less of an answer; the type of an option is not its name. */
function codePenalty(span: Span, field: Field, question: AnalysedQuestion, ground: UnitText): number {
  const isType =
    /^(?:boolean|string|number|object|array|function|null|undefined|true|false|any|void|[\d.'"-].*)\b/i.test(span.text);
  const wanted = field.stems.some((stem) => stem === 'type' || stem === 'default');
  return (isNew(span, question, ground) ? 0 : 0.5) + (isType !== wanted ? (isType ? 0.8 : 0.3) : 0);
}

/** In a definition ("**name** `type` - Default: `x` - what it is") the part that describes. */
function describing(whole: Span, { unit, masked }: UnitText): Span {
  if (unit.unit.kind !== 'item') return whole;
  const lead = /^(?:\*\*|__|`)[^\n]{1,200}? [-–—:] (?:(?:\(?optional\)?|Default:?)[^-–—\n]{0,120} [-–—] )?(?=\S)/i.exec(
    masked,
  );
  if (lead === null || masked.length - lead[0].length < 20) return whole;
  return { start: lead[0].length, end: masked.length, text: masked.slice(lead[0].length).replace(/\s+/g, ' ') };
}

function leadOf({ unit, masked }: UnitText): Span[] {
  return unit.unit.kind === 'item' || unit.unit.kind === 'row' ? findCode(masked).slice(0, 1) : [];
}

/** Names; a lone capital at the head of a sentence is more likely just its first word. */
function namesIn(masked: string): Span[] {
  return findNames(masked).filter(
    ({ text, start }) =>
      (start > 1 && !/[.!?:]\s+$/.test(masked.slice(Math.max(0, start - 3), start))) ||
      /\s/.test(text) ||
      /[a-z][A-Z]|^[A-Z]{2,}$/.test(text),
  );
}

function addresses({ unit }: UnitText): Span[] {
  const raw = unit.source.text.slice(unit.unit.start, unit.unit.end);
  return [...raw.matchAll(/\bhttps?:\/\/[^\s<>"')\]]+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}

function codeWithin(fence: string): string {
  return fence.replace(/^[^\n]*\n/, '').replace(/\n?[`~]{3,}\s*$/, '');
}

/** Whether a span says more than the question did. */
function isNew(span: Span, question: AnalysedQuestion, ground: UnitText): boolean {
  const words = ground.words.filter(
    (word) => word.start >= span.start && word.end <= span.end && !stopStems.has(word.stem),
  );
  return words.length > 0 && words.some((word) => !question.byStem.has(word.stem));
}

/** How near a span stands to the field's words (most) and to the question's (some). */
function nearness(field: Field, question: AnalysedQuestion, { words, unit }: UnitText) {
  const wanted = new Set(field.stems.filter((stem) => !stopStems.has(stem)));
  const own = words.filter((word) => wanted.has(word.stem) || word.parts.some((part) => wanted.has(part)));
  const asked = words.filter(
    (word) => question.byStem.has(word.stem) || word.parts.some((part) => question.byStem.has(part)),
  );
  const around = [...unit.unit.sectionStems, ...unit.passage.headingStems].some((stem) => wanted.has(stem));
  return {
    unit: own.length > 0 ? 0.6 : around ? 0.3 : 0,
    at(span: Span) {
      const distance = (marks: readonly Word[]) =>
        Math.min(
          ...marks.map((mark) =>
            mark.start >= span.end ? 2 + mark.start - span.end : Math.max(0, span.start - mark.end),
          ),
        );
      const closeness = (marks: readonly Word[]) => (marks.length === 0 ? 0 : 1 / (1 + distance(marks) / 12));
      return 1.2 * closeness(own) + 0.5 * closeness(asked);
    },
  };
}
