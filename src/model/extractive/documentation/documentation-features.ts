/**
 * Documentation as the ranker reads it. Unlike prose it says under a heading what the heading is about, shows in code what
 * its sentences explain, and names an option before it says what that does. A page's subject is not the point of a
 * question about it, for all of the page is about that; so what a unit says of the rest of the question counts.
 */

import { coverage, mergeInto } from '../match/coverage.ts';
import { type MatchedPassage, type MatchedUnit, matchPassage } from '../match/match-passage.ts';
import { createMatcher, type Strengths } from '../match/term-matcher.ts';
import type { Question } from '../question/analyse.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';

/** A unit with what is known of it as an answer to the question. */
export interface Documented {
  readonly source: Source;
  readonly unit: ReadUnit;
  /** Units under one heading of one passage share it. */
  readonly section: string;
  /** Its place in the section. */
  readonly place: number;
  /** Of the question's terms, in the unit and above it. */
  readonly strengths: Strengths;
  readonly signs: Signs;
}

export type Signs = ReturnType<typeof signsOf>;

/** Longer code is looked up, not read in an answer. */
const mostWordsOfCode = 60;
const asksHow = /\bhow (?:do|can|could|should|to|would)\b/i;
const asksWhy = /^why\b/i;
const pointsElsewhere = /^(?:see|read|check|refer to|for (?:more|full|a full|details)|example files?)\b/i;

/** Whether much of what was found shows code: more than a third. */
export function isDocumentation(sources: readonly Source[]): boolean {
  return sources.filter((source) => readPassage(source).technical).length > sources.length / 3;
}

/** The units of all sources that may stand in an answer. */
export function readDocumentation(question: Question, sources: readonly Source[]): Documented[] {
  const matcher = createMatcher(question);
  const passages = sources.map((source) => matchPassage(source, matcher));
  const read = signReader(question, passages);
  return passages.flatMap((matched) => {
    const units = matched.units.filter(({ unit }) => unit.kind !== 'code' || countWords(unit.text) <= mostWordsOfCode);
    return [...groupBySection(units)].flatMap(([heading, under]) => {
      const section = `${matched.source.n} ${heading}`;
      const signs = read(matched, under);
      return under.map(({ unit, own, around }, place) => {
        const strengths = mergeInto(own.slice(), around);
        return { source: matched.source, unit, section, place, strengths, signs: signs[place]! };
      });
    });
  });
}

function groupBySection(units: readonly MatchedUnit[]): Map<string, MatchedUnit[]> {
  const sections = new Map<string, MatchedUnit[]>();
  for (const each of units) {
    const { section } = each.unit;
    const known = sections.get(section);
    if (known === undefined) sections.set(section, [each]);
    else known.push(each);
  }
  return sections;
}

/** Gives what is known of the units of one section. */
function signReader(question: Question, passages: readonly MatchedPassage[]) {
  const { terms, byStem } = question;
  const subjects = passages.map(({ passage }) => [...passage.subjectStems]);
  const named = subjects.filter((stems) => stems.length > 0 && stems.every((stem) => byStem.has(stem)));
  const isNamed = terms.map(({ stem }) => named.some((stems) => stems.includes(stem)));
  const asked = new Set(terms.filter((_, term) => !isNamed[term]).map(({ stem }) => stem));
  const weights = terms.map(({ weight }) => weight);
  const field = {
    asked,
    /** Of the point of the question, and of all of it. */
    ofPoint: coverage(weights.map((weight, term) => (isNamed[term] ? 0 : weight))),
    ofAll: coverage(weights),
    how: asksHow.test(question.text) ? 1 : 0,
    why: asksWhy.test(question.text) ? 1 : 0,
    topScore: Math.max(1e-6, ...passages.map(({ source }) => source.score)),
  };
  return ({ source, passage, units: all }: MatchedPassage, under: readonly MatchedUnit[]): Signs[] => {
    const stems = [...under[0]!.unit.sectionStems];
    const section = {
      heading: strengthsOf(question, under[0]!.unit.sectionStems),
      headings: strengthsOf(question, passage.headingStems),
      union: unionOf(under, terms.length),
      /** The share of the heading that the question names. */
      precision: stems.length === 0 ? 0 : stems.filter((stem) => byStem.has(stem)).length / stems.length,
      ofSubject: named.length === 0 ? 0 : named.some((name) => same(name, passage.subjectStems)) ? 1 : -1,
    };
    return under.map((each, place) => {
      const position = all.indexOf(each) / Math.max(1, all.length);
      return signsOf(field, section, { each, place, under, position, source });
    });
  };
}

interface Field {
  readonly asked: ReadonlySet<string>;
  readonly ofPoint: (...strengths: Strengths[]) => number;
  readonly ofAll: (...strengths: Strengths[]) => number;
  readonly how: number;
  readonly why: number;
  readonly topScore: number;
}

interface Section {
  readonly heading: Strengths;
  readonly headings: Strengths;
  readonly union: Strengths;
  readonly precision: number;
  readonly ofSubject: number;
}

interface Place {
  readonly each: MatchedUnit;
  readonly place: number;
  readonly under: readonly MatchedUnit[];
  readonly position: number;
  readonly source: Source;
}

function signsOf(field: Field, section: Section, { each, place, under, position, source }: Place) {
  const { unit, own, around } = each;
  const { ofPoint, ofAll, how } = field;
  const { heading, headings, union } = section;
  const isCode = unit.kind === 'code';
  const code = isCode ? 1 : 0;
  const span = !isCode && /`[^`]+`/.test(unit.text) ? 1 : 0;
  const inHeading = ofPoint(heading);
  return {
    inUnit: ofPoint(own),
    inHeading,
    inHeadings: ofPoint(heading, headings),
    withHeadings: ofPoint(own, heading, headings),
    inSection: ofPoint(union),
    inSectionWithHeadings: ofPoint(union, heading, headings),
    ofAll: ofAll(own, around, heading),
    precision: section.precision,
    ofSubject: section.ofSubject,
    code,
    codeAsked: code * how,
    lines: isCode ? Math.min(2, (unit.text.split('\n').length - 2) / 14) : 0,
    codeInHeading: code * inHeading,
    item: unit.kind === 'item' ? 1 : 0,
    row: unit.kind === 'row' ? 1 : 0,
    first: place === 0 ? 1 : 0,
    firstInHeading: place === 0 ? inHeading : 0,
    place: Math.min(1, place / 8),
    afterCode: under[place - 1]?.unit.kind === 'code' ? 1 : 0,
    beforeCode: under[place + 1]?.unit.kind === 'code' ? 1 : 0,
    score: source.score / field.topScore,
    rank: 1 / (1 + source.n),
    defines: definition(unit, field.asked),
    length: Math.log(1 + unit.words.length) / 4,
    short: unit.words.length < 5 ? 1 : 0,
    introduces: unit.text.endsWith(':') ? 1 : 0,
    asks: unit.text.endsWith('?') ? 1 : 0,
    elsewhere: pointsElsewhere.test(unit.text) ? 1 : 0,
    span,
    spanAsked: span * how,
    why: field.why,
    leans: unit.leans ? 1 : 0,
    position,
    named: namesSomething(unit.section) ? 1 : 0,
  };
}

/** How far a unit begins with the name of what is asked for: `headersTimeout …`. 1 for a plain word, 2 for all of a name. */
function definition({ kind, words: [lead] }: ReadUnit, asked: ReadonlySet<string>): number {
  if (lead === undefined || kind === 'code') return 0;
  if (asked.has(lead.stem)) return lead.parts.length > 0 ? 2 : 1;
  return lead.parts.filter((part) => asked.has(part)).length / Math.max(1, lead.parts.length);
}

/** Whether a heading is the name of what one calls, sets or imports. */
export function namesSomething(heading: string): boolean {
  return /`|\w\(|\w\.\w|[a-z][A-Z]/.test(heading);
}

function strengthsOf({ terms }: Question, stems: ReadonlySet<string>): Strengths {
  return Float32Array.from(terms, ({ stem }) => (stems.has(stem) ? 1 : 0));
}

function unionOf(units: readonly MatchedUnit[], terms: number): Strengths {
  const union = new Float32Array(terms);
  for (const { own } of units) mergeInto(union, own);
  return union;
}

function same(name: readonly string[], stems: ReadonlySet<string>): boolean {
  return name.length === stems.size && name.every((stem) => stems.has(stem));
}
