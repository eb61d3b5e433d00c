/**
 * Answers from documentation: the best unit, the code or explanation that belongs to it, and other units that are almost
 * as likely. The first unit below the heading of an option or a method is shown with that heading.
 */

import { type Mlp, runMlp, runMlps, softmax } from '../../../base/learned/mlp.ts';
import type { WritablePiece } from '../answer/write-pieces.ts';
import type { AnalysedQuestion, Term } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';
import {
  type DocumentationFeatures,
  type DocumentationUnit,
  namesSomething,
  readDocumentation,
} from './documentation-features.ts';
import learned from './documentation-weights.json' with { type: 'json' };

export interface RankedDocumentationUnit extends DocumentationUnit {
  readonly score: number;
  /** Sums to 1 over the units of one question. */
  readonly probability: number;
}

export interface DocumentationWeights {
  /** Their mean output scores a unit. */
  readonly rank: readonly Mlp[];
  /** Log odds that the documentation answers the question. */
  readonly answerability: Mlp;
}

// Set by hand on the questions of `npm run bench -- documentation`.
/** Units in an answer, and words of its prose; more would hide what matters. */
const maxUnits = 3;
const maxWords = 60;
/** Minimum probability, as a share of the best unit's, of its code or explanation, and of any other unit. */
const minCompanionShare = 0.15;
const minOtherShare = 0.2;
/** Prose replaces code as the best unit from this share of the code's probability on. */
const minProseShare = 0.3;
/** Words of a unit beside the best one. */
const minWords = 4;
/** Characters; a longer heading is a sentence or a signature, not a name. */
const maxNameLength = 80;

/** A name in code or camel case, and what separates it from its description: a type, a parenthesis, a dash, a colon or a cell. */
const optionEntry = /^(?:`[^`]{1,60}`|[\w$.-]{1,60})(?:\s*[:–—|(]|\s+-\s|\s+`)/;

/** The units of all sources by the learned weights, the most probable first. */
export function rankForAnswer(question: AnalysedQuestion, sources: readonly Source[]): RankedDocumentationUnit[] {
  return rankDocumentation(question, sources, learned.rank);
}

/** The pieces that answer the question, in reading order; empty where the documentation does not answer it. */
export function quoteDocumentation(
  question: AnalysedQuestion,
  ranked: readonly RankedDocumentationUnit[],
): WritablePiece[] {
  if (ranked.length === 0 || question.terms.length === 0 || isOnlyTheSubject(question, ranked)) return [];
  return runMlp(learned.answerability, answerabilityFeatures(question, ranked)) > 0
    ? composePieces(ranked, question.kind === 'manner')
    : [];
}

/** Whether the passages have nothing of the question but the name of its subject. */
function isOnlyTheSubject({ terms }: AnalysedQuestion, ranked: readonly RankedDocumentationUnit[]): boolean {
  return ranked.every(({ features }) => features.inSectionWithHeadings === 0) && missingTerms(terms, ranked).length > 0;
}

/** The terms that occur nowhere in these units or above them. */
function missingTerms(terms: readonly Term[], ranked: readonly RankedDocumentationUnit[]): Term[] {
  return terms.filter((_, term) => ranked.every(({ strengths }) => strengths[term] === 0));
}

/** The units of all sources with their score and probability, the most probable first. */
export function rankDocumentation(
  question: AnalysedQuestion,
  sources: readonly Source[],
  mlps: readonly Mlp[],
): RankedDocumentationUnit[] {
  const units = readDocumentation(question, sources);
  const scores = units.map(({ features }) => runMlps(mlps, Object.values(features)));
  const probabilities = softmax(scores);
  return units
    .map((unit, i) => ({ ...unit, score: scores[i]!, probability: probabilities[i]! }))
    .sort((a, b) => b.probability - a.probability);
}

/**
 * The input of the network that decides whether the documentation answers: how much of the question the units cover,
 * where, and which terms are missing. `ranked` is not empty; the order is the one of the trained weights.
 */
export function answerabilityFeatures(
  { terms }: AnalysedQuestion,
  ranked: readonly RankedDocumentationUnit[],
): number[] {
  const { features, score, probability } = ranked[0]!;
  const weightOf = (some: readonly { weight: number }[]) => some.reduce((sum, { weight }) => sum + weight, 0);
  const missing = missingTerms(terms, ranked);
  const highest = (name: keyof DocumentationFeatures, of = ranked) =>
    Math.max(...of.map((each) => each.features[name]));
  const top = ranked.slice(0, 5);
  const contexts = ['withHeadings', 'inSectionWithHeadings', 'ofAll'] as const;
  return [
    features.inUnit,
    highest('inUnit', top),
    ...contexts.flatMap((name) => [features[name], highest(name, top), highest(name)]),
    weightOf(missing) / Math.max(1e-6, weightOf(terms)),
    missing.length / terms.length,
    Math.max(0, ...missing.map(({ weight }) => weight)),
    features.ofSubject,
    features.short,
    score / 5,
    probability,
    Math.min(1, terms.length / 10),
    weightOf(terms) / terms.length,
  ];
}

/**
 * The best unit, the code or prose that belongs to it and other likely units, prose before code; empty without units. The entry of
 * an asked option answers alone, unless the question asks how something is done.
 */
export function composePieces(ranked: readonly RankedDocumentationUnit[], asksHow: boolean): WritablePiece[] {
  const best = bestOf(asksHow ? withoutRows(ranked) : ranked);
  if (best === undefined) return [];
  const isEntry = !asksHow && definesAsked(best);
  const chosen = [best];
  const wordsOf = (each: RankedDocumentationUnit) => (isCode(each) ? 0 : countWords(shownText(each)));
  let words = wordsOf(best);
  let repeated = 0;
  const take = (each: RankedDocumentationUnit) => {
    const more = wordsOf(each);
    if (chosen.length + repeated >= maxUnits || words + more > maxWords) return;
    chosen.push(each);
    words += more;
  };
  const companion = companionOf(best, ranked);
  if (companion !== undefined) take(companion);
  const opening = companion !== undefined && isCode(companion) ? neighbourOf(companion, -1, ranked) : undefined;
  if (opening !== undefined && opening !== best) take(opening);
  for (const each of ranked) {
    if (each.probability < minOtherShare * best.probability) break;
    if (chosen.includes(each) || isIntroduction(each) || isFragment(each)) continue;
    // The same words of another page or version say that nothing is missing: what is less likely would not be, either.
    if (chosen.some(({ unit }) => unit.text === each.unit.text)) {
      repeated += 1;
      continue;
    }
    if (isCode(each) && (chosen.some(isCode) || isEntry)) continue;
    // A row of a reference tells little to who has not asked for it.
    if (each.unit.kind === 'row' && (asksHow || !definesAsked(each))) continue;
    if (isEntry && definesOption(each)) continue;
    // If the best unit is about the subject that the question names, so are the others.
    if (best.features.ofSubject <= 0 || each.features.ofSubject > 0) take(each);
  }
  return inReadingOrder(chosen).map((each) => {
    return { source: each.source, units: [{ ...each.unit, text: shownText(each) }] };
  });
}

/** What tells how something is done: no row of a reference, if there is anything else. */
function withoutRows(ranked: readonly RankedDocumentationUnit[]): readonly RankedDocumentationUnit[] {
  const others = ranked.filter(({ unit }) => unit.kind !== 'row');
  return others.length === 0 ? ranked : others;
}

/** The most probable unit, or prose that is almost as probable as code: prose says what the code is about. */
function bestOf(ranked: readonly RankedDocumentationUnit[]): RankedDocumentationUnit | undefined {
  const [first] = ranked;
  if (first === undefined || !isCode(first)) return first;
  const prose = ranked.find((each) => !isCode(each));
  return prose !== undefined && prose.probability > minProseShare * first.probability ? prose : first;
}

/** The code after a unit of prose or the prose before code; otherwise the most probable such unit of its section. */
function companionOf(
  best: RankedDocumentationUnit,
  ranked: readonly RankedDocumentationUnit[],
): RankedDocumentationUnit | undefined {
  const next = neighbourOf(best, isCode(best) ? -1 : 1, ranked);
  if (next !== undefined && isCode(next) !== isCode(best)) return next;
  const minProbability = minCompanionShare * best.probability;
  return ranked.find(
    (each) => each.section === best.section && isCode(each) !== isCode(best) && each.probability > minProbability,
  );
}

function neighbourOf({ section, place }: DocumentationUnit, step: number, ranked: readonly RankedDocumentationUnit[]) {
  return ranked.find((each) => each.section === section && each.place === place + step);
}

/** Sections in order of selection, units in the order of their section, code last. */
function inReadingOrder(chosen: readonly RankedDocumentationUnit[]): RankedDocumentationUnit[] {
  const sections = [...new Set(chosen.map(({ section }) => section))];
  const order = (a: RankedDocumentationUnit, b: RankedDocumentationUnit) =>
    Number(isCode(a)) - Number(isCode(b)) ||
    sections.indexOf(a.section) - sections.indexOf(b.section) ||
    a.place - b.place;
  return [...chosen].sort(order);
}

function isCode({ unit }: DocumentationUnit): boolean {
  return unit.kind === 'code';
}

/** Whether it is the entry of an option that the question asks for. */
function definesAsked(each: RankedDocumentationUnit): boolean {
  return each.features.defines > 0 && definesOption(each);
}

/** Whether it is an entry of a list of options or methods: "headersTimeout `number` (optional) - The amount of …". */
function definesOption({ unit }: RankedDocumentationUnit): boolean {
  return unit.kind !== 'code' && optionEntry.test(unit.text);
}

/** Whether it only announces or asks what another unit says. */
function isIntroduction({ unit }: DocumentationUnit): boolean {
  return /[:?]$/.test(unit.text);
}

/** Whether it is a heading's rest or a link of a list, "Licence & copyright.", which says nothing alone. */
function isFragment({ unit, place }: DocumentationUnit): boolean {
  return (
    unit.kind !== 'code' &&
    unit.kind !== 'row' &&
    unit.words.length < minWords &&
    !(place === 0 && namesSomething(unit.section))
  );
}

/** The text of a unit in an answer: after its heading if it is the first below the name of an option or a method. */
export function shownText({ unit, place }: DocumentationUnit): string {
  const { section, text } = unit;
  const isNamed = place === 0 && unit.kind === 'sentence' && section.length <= maxNameLength && namesSomething(section);
  return isNamed ? `${section}: ${text}` : text;
}
