/** The units of documentation by learned weights, and the odds that they answer at all. */

import { type Mlp, runMlp, runMlps, softmax } from '../../../base/learned/mlp.ts';
import type { AnalysedQuestion, Term } from '../question/analyse.ts';
import type { ReadUnit, Source } from '../text/passages.ts';
import { type DocumentationFeatures, type DocumentationUnit, readDocumentation } from './documentation-features.ts';
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

/** The units of all sources by the learned weights, the most probable first. */
export function rankForAnswer(question: AnalysedQuestion, sources: readonly Source[]): RankedDocumentationUnit[] {
  return rankDocumentation(question, sources, learned.rank).filter(({ unit }) => !asksTheSame(unit, question.asked));
}

/** Words of a question that code does not have by chance. Set by hand. */
const minAskedWords = 3;

/** Whether code has the question as a text: `exa.answer("What is the capital of France?")` asks it, and does not answer. */
function asksTheSame({ kind, text }: ReadUnit, question: string): boolean {
  if (kind !== 'code') return false;
  const asked = plain(question).replace(/[?!.\s]+$/, '');
  if (asked.split(' ').length < minAskedWords) return false;
  const code = plain(text);
  const at = code.indexOf(asked);
  return at > 0 && /["'`“‘]/.test(code[at - 1]!) && /^[?!.]*["'`”’]/.test(code.slice(at + asked.length));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * Whether the documentation answers the question, by log odds above `minOdds`; where these are below 0, the best unit must also have
 * every name of the question. False without units.
 */
export function isAnswered(
  question: AnalysedQuestion,
  ranked: readonly RankedDocumentationUnit[],
  minOdds: number,
): boolean {
  const [best] = ranked;
  if (best === undefined || question.terms.length === 0 || isOnlyTheSubject(question, ranked)) return false;
  if (minOdds < 0 && lacksName(question, best)) return false;
  return runMlp(learned.answerability, answerabilityFeatures(question, ranked)) > minOdds;
}

/** Whether a name of the question, "Jenkins", is neither in a unit nor above it. */
function lacksName({ terms }: AnalysedQuestion, { strengths }: RankedDocumentationUnit): boolean {
  return terms.some(({ name }, at) => name && strengths[at] === 0);
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
