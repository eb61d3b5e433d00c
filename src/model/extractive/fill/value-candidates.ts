/**
 * Finds the texts that one unit of the evidence offers for a field whose name does not say what it is, such as `answer` or `option`:
 * what the prompt asks for. A candidate scores higher the better its unit answers the question, the closer it is to the words of the
 * field and of the question, and the better its unit of measure fits. The scores of this file were set by hand.
 */
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import type { RankedUnit } from '../rank/rank.ts';
import { findCode, findDates, findNames, findQuoted, maskMarkup, type Span } from '../text/values.ts';
import { readWords, type Word } from '../text/words.ts';
import { findChoices } from './choice-values.ts';
import type { Field } from './fields.ts';

export interface ValueCandidate {
  readonly value: string | number | boolean;
  /** Offsets into the evidence's text. */
  readonly start: number;
  readonly end: number;
  /** Higher is better; see leaf-value.ts for how it becomes a confidence. */
  readonly score: number;
  readonly unit: RankedUnit;
}

/** The text of a unit, prepared once for all fields. */
export interface UnitText {
  readonly unit: RankedUnit;
  /** The text as in the evidence, with its markup blanked out. */
  readonly masked: string;
  readonly words: readonly Word[];
  /** 0 for the best unit, less for others, at least -4. */
  readonly relativeScore: number;
}

/** Prepares a unit; `best` is the score of the best one. */
export function readUnitText(unit: RankedUnit, best: number): UnitText {
  const raw = unit.source.text.slice(unit.unit.start, unit.unit.end);
  const masked = maskMarkup(raw);
  return { unit, masked, words: readWords(masked), relativeScore: Math.max(-4, (unit.score - best) / 3) };
}

/** The candidates that a unit has for a field, best first. */
export function findValueCandidates(field: Field, question: AnalysedQuestion, unitText: UnitText): ValueCandidate[] {
  const near = proximityTo(field, question, unitText);
  const base = unitText.relativeScore + near.unit;
  const make = (span: Span, value: ValueCandidate['value'], score: number): ValueCandidate => ({
    value,
    start: unitText.unit.unit.start + span.start,
    end: unitText.unit.unit.start + span.end,
    score: base + score,
    unit: unitText.unit,
  });
  return proposeValues(field, question, unitText)
    .map(({ span, value, score }) => make(span, value, score + near.at(span)))
    .sort((a, b) => b.score - a.score);
}

interface Proposal {
  readonly span: Span;
  readonly value: ValueCandidate['value'];
  readonly score: number;
}

/** Spans for the field's role with their scores, regardless of what is near them. */
function proposeValues(field: Field, question: AnalysedQuestion, unitText: UnitText): Proposal[] {
  const { masked } = unitText;
  const whole: Span = { start: 0, end: masked.length, text: unitText.unit.unit.text };
  const text = (spans: readonly Span[], score: number) =>
    spans.filter(({ text }) => text !== '').map((span) => ({ span, value: span.text, score }));
  const fresh = (spans: readonly Span[]) => spans.filter((span) => isNew(span, question, unitText));
  switch (field.role) {
    case 'sentence':
      return unitText.unit.unit.kind === 'code' ? [] : text([descriptionIn(whole, unitText)], 0.5);
    case 'block':
      return unitText.unit.unit.kind === 'code'
        ? [{ span: whole, value: codeWithin(whole.text), score: 1 }]
        : text(findCode(masked), -0.5);
    case 'code':
      return text(findCode(masked), 0.5).map((proposal, i) => ({
        ...proposal,
        score: proposal.score - 0.3 * i - codePenalty(proposal.span, field, question, unitText),
      }));
    case 'date':
      return text(findDates(masked), 0.5).map((proposal) => ({
        ...proposal,
        score: proposal.score + 0.1 * Math.min(4, proposal.span.text.split(' ').length),
      }));
    case 'address':
      return text(addresses(unitText), 0.5);
    case 'choice':
      return findChoices(masked, field.allowed!.values!).map(({ value, span }) => ({ span, value, score: 0.3 }));
    case 'name':
      return [
        ...text(fresh(namesIn(masked)), 0.3),
        ...text(fresh(findQuoted(masked)), 0),
        ...text(leadOf(unitText), 0.4),
      ];
    default:
      return [
        ...text(fresh(findQuoted(masked)), 0.1),
        ...text(fresh(findCode(masked)), 0.2),
        ...text(fresh(namesIn(masked)), 0),
        ...(unitText.unit.unit.kind === 'code' ? [] : text([whole], -0.4)),
      ];
  }
}

/** The penalty for code that the question itself mentions, or that is a type where a name is wanted or the reverse. */
function codePenalty(span: Span, field: Field, question: AnalysedQuestion, unitText: UnitText): number {
  const isType =
    /^(?:boolean|string|number|object|array|function|null|undefined|true|false|any|void|[\d.'"-].*)\b/i.test(span.text);
  const wanted = field.words.some(({ stem }) => stem === 'type' || stem === 'default');
  return (isNew(span, question, unitText) ? 0 : 0.5) + (isType !== wanted ? (isType ? 0.8 : 0.3) : 0);
}

/** The description in a definition such as "**name** `type` - Default: `x` - description"; otherwise the whole span. */
function descriptionIn(whole: Span, { unit, masked }: UnitText): Span {
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

/** Names, without single capitalised words that begin a sentence. */
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

/** Whether a span has a word that the question does not have. */
function isNew(span: Span, question: AnalysedQuestion, unitText: UnitText): boolean {
  const words = unitText.words.filter(
    (word) => word.start >= span.start && word.end <= span.end && !stopStems.has(word.stem),
  );
  return words.length > 0 && words.some((word) => !question.byStem.has(word.stem));
}

/** Bonuses: for a unit that names the field, and for a span by its distance to words of the field and of the question. */
function proximityTo(field: Field, question: AnalysedQuestion, { words, unit }: UnitText) {
  const wanted = new Set(field.words.map(({ stem }) => stem));
  const own = words.filter((word) => wanted.has(word.stem) || word.parts.some((part) => wanted.has(part)));
  const asked = words.filter(
    (word) => question.byStem.has(word.stem) || word.parts.some((part) => question.byStem.has(part)),
  );
  const around = [...unit.unit.sectionStems, ...unit.passage.headingStems].some((stem) => wanted.has(stem));
  return {
    unit: own.length > 0 ? 0.6 : around ? 0.3 : 0,
    at(span: Span) {
      const distance = (places: readonly Word[]) =>
        Math.min(
          ...places.map((place) =>
            place.start >= span.end ? 2 + place.start - span.end : Math.max(0, span.start - place.end),
          ),
        );
      const closeness = (places: readonly Word[]) => (places.length === 0 ? 0 : 1 / (1 + distance(places) / 12));
      return 1.2 * closeness(own) + 0.5 * closeness(asked);
    },
  };
}
