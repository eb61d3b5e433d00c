/**
 * The features that documentation is ranked by. Unlike prose, documentation states the topic in a heading, shows in code
 * what its sentences explain, and names an option before describing it. All of a page is about the page's subject, so
 * what distinguishes its units is how much they cover of the rest of the question.
 */

import { coverage, mergeInto } from '../match/coverage.ts';
import { type MatchedPassage, type MatchedUnit, matchPassage } from '../match/match-passage.ts';
import { createTermMatcher, type Strengths } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';

/** A unit with its features as an answer to one question. */
export interface DocumentationUnit {
  readonly source: Source;
  readonly passage: ReadPassage;
  readonly unit: ReadUnit;
  /** The number of the passage and the heading, shared by all units below it. */
  readonly section: string;
  /** Index in the section. */
  readonly place: number;
  /** How well each term of the question matches in the unit. */
  readonly own: Strengths;
  /** The same in the title and the headings above it. */
  readonly around: Strengths;
  /** The same in the unit or above it. */
  readonly strengths: Strengths;
  readonly features: DocumentationFeatures;
}

export type DocumentationFeatures = ReturnType<typeof featuresOf>;

/** Words; longer code is not quoted (set by hand). */
const maxCodeWords = 60;
const asksHow = /\bhow (?:do|can|could|should|to|would)\b/i;
const asksWhy = /^why\b/i;
/** A unit that only says where to read. */
export const pointsElsewhere = /^(?:see|read|check|refer to|for (?:more|full|a full|details)|example files?)\b/i;

/** Whether more than a third of the passages show code (set by hand): they are answered as documentation, not as prose. */
export function isDocumentation(sources: readonly Source[]): boolean {
  return sources.filter((source) => readPassage(source).technical).length > sources.length / 3;
}

/** The quotable units of all sources, in order, with their features. */
export function readDocumentation(question: AnalysedQuestion, sources: readonly Source[]): DocumentationUnit[] {
  const matcher = createTermMatcher(question);
  const passages = sources.map((source) => matchPassage(source, matcher));
  const readFeatures = createFeatureReader(question, passages);
  return passages.flatMap((matched) => {
    const units = matched.units.filter(({ unit }) => unit.kind !== 'code' || countWords(unit.text) <= maxCodeWords);
    return [...groupBySection(units)].flatMap(([heading, under]) => {
      const section = `${matched.source.n} ${heading}`;
      const features = readFeatures(matched, under);
      return under.map(({ unit, own, around }, place) => {
        const strengths = mergeInto(own.slice(), around);
        return {
          source: matched.source,
          passage: matched.passage,
          unit,
          section,
          place,
          own,
          around,
          strengths,
          features: features[place]!,
        };
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

/** Returns a function that computes the features of the units of one section. */
function createFeatureReader(question: AnalysedQuestion, passages: readonly MatchedPassage[]) {
  const { terms, byStem } = question;
  const subjects = passages.map(({ passage }) => [...passage.subjectStems]);
  const named = subjects.filter((stems) => stems.length > 0 && stems.every((stem) => byStem.has(stem)));
  const isNamed = terms.map(({ stem }) => named.some((stems) => stems.includes(stem)));
  const asked = new Set(terms.filter((_, term) => !isNamed[term]).map(({ stem }) => stem));
  const weights = terms.map(({ weight }) => weight);
  const shared = {
    asked,
    ofRest: coverage(weights.map((weight, term) => (isNamed[term] ? 0 : weight))),
    ofAll: coverage(weights),
    how: asksHow.test(question.text) ? 1 : 0,
    why: asksWhy.test(question.text) ? 1 : 0,
    topScore: Math.max(1e-6, ...passages.map(({ source }) => source.score)),
  };
  return ({ source, passage, units: all }: MatchedPassage, under: readonly MatchedUnit[]): DocumentationFeatures[] => {
    const stems = [...under[0]!.unit.sectionStems];
    const section = {
      heading: strengthsOf(question, under[0]!.unit.sectionStems),
      headings: strengthsOf(question, passage.headingStems),
      union: unionOf(under, terms.length),
      precision: stems.length === 0 ? 0 : stems.filter((stem) => byStem.has(stem)).length / stems.length,
      ofSubject: named.length === 0 ? 0 : named.some((name) => hasExactly(passage.subjectStems, name)) ? 1 : -1,
    };
    return under.map((each, place) => {
      const position = all.indexOf(each) / Math.max(1, all.length);
      return featuresOf(shared, section, { each, place, under, position, source });
    });
  };
}

/** What the features of all units depend on. */
interface Shared {
  /** Stems of the question without the subject that it names. */
  readonly asked: ReadonlySet<string>;
  /** Coverage of the question without its subject, and of all of it. */
  readonly ofRest: (...strengths: Strengths[]) => number;
  readonly ofAll: (...strengths: Strengths[]) => number;
  readonly how: number;
  readonly why: number;
  readonly topScore: number;
}

interface Section {
  readonly heading: Strengths;
  readonly headings: Strengths;
  readonly union: Strengths;
  /** Share of the heading's stems that the question has. */
  readonly precision: number;
  /** 1 on a page about the subject that the question names, -1 on another page, 0 if it names none. */
  readonly ofSubject: number;
}

interface UnitContext {
  readonly each: MatchedUnit;
  readonly place: number;
  readonly under: readonly MatchedUnit[];
  readonly position: number;
  readonly source: Source;
}

function featuresOf(shared: Shared, section: Section, { each, place, under, position, source }: UnitContext) {
  const { unit, own, around } = each;
  const { ofRest, ofAll, how } = shared;
  const { heading, headings, union } = section;
  const isCode = unit.kind === 'code';
  const code = isCode ? 1 : 0;
  const span = !isCode && /`[^`]+`/.test(unit.text) ? 1 : 0;
  const inHeading = ofRest(heading);
  return {
    inUnit: ofRest(own),
    inHeading,
    inHeadings: ofRest(heading, headings),
    withHeadings: ofRest(own, heading, headings),
    inSection: ofRest(union),
    inSectionWithHeadings: ofRest(union, heading, headings),
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
    score: source.score / shared.topScore,
    rank: 1 / (1 + source.n),
    defines: definition(unit, shared.asked),
    length: Math.log(1 + unit.words.length) / 4,
    short: unit.words.length < 5 ? 1 : 0,
    introduces: unit.text.endsWith(':') ? 1 : 0,
    asks: unit.text.endsWith('?') ? 1 : 0,
    elsewhere: pointsElsewhere.test(unit.text) ? 1 : 0,
    span,
    spanAsked: span * how,
    why: shared.why,
    dependsOnContext: unit.dependsOnContext ? 1 : 0,
    position,
    named: namesSomething(unit.section) ? 1 : 0,
  };
}

/** How far a unit begins with an asked name, `headersTimeout …`: 2 for an identifier, 1 for a word, less for part of one. */
function definition({ kind, words: [lead] }: ReadUnit, asked: ReadonlySet<string>): number {
  if (lead === undefined || kind === 'code') return 0;
  if (asked.has(lead.stem)) return lead.parts.length > 0 ? 2 : 1;
  return lead.parts.filter((part) => asked.has(part)).length / Math.max(1, lead.parts.length);
}

/** Whether a heading names a function, an option or a module. */
export function namesSomething(heading: string): boolean {
  return !heading.endsWith('?') && /`|\w\(|\w\.\w|[a-z][A-Z]/.test(heading);
}

function strengthsOf({ terms }: AnalysedQuestion, stems: ReadonlySet<string>): Strengths {
  return Float32Array.from(terms, ({ stem }) => (stems.has(stem) ? 1 : 0));
}

function unionOf(units: readonly MatchedUnit[], terms: number): Strengths {
  const union = new Float32Array(terms);
  for (const { own } of units) mergeInto(union, own);
  return union;
}

function hasExactly(stems: ReadonlySet<string>, name: readonly string[]): boolean {
  return name.length === stems.size && name.every((stem) => stems.has(stem));
}
