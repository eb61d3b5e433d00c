/**
 * The units of the evidence in the order in which they answer the question, each with the probability that it is the
 * one that does. The probabilities of one question sum to 1.
 */
import { logOddsOf } from '../../../base/learned/boosted-trees.ts';
import { runNetworks, softmax } from '../../../base/learned/mlp.ts';
import type { Question } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';
import { type Candidate, readCandidates, toVector } from './features.ts';
import { weights } from './weights.ts';

export interface Ranked extends Candidate {
  readonly score: number;
  readonly probability: number;
}

export function rankUnits(question: Question, sources: readonly Source[]): Ranked[] {
  const candidates = readCandidates(question, sources);
  const shows = /\b(?:examples?|code|snippets?|samples?|how (?:do|can|should|to|does))\b/i.test(question.text);
  const scores = candidates.map(
    (candidate) =>
      scoreOf(toVector(candidate.features, question)) -
      (candidate.unit.kind === 'code' ? aversion(candidate, shows) : 0) +
      (candidate.unit.kind === 'item' || candidate.unit.kind === 'row' ? listedWorth(candidate, question) : 0),
  );
  const probabilities = softmax(scores);
  return candidates
    .map((candidate, i) => Object.assign(candidate, { score: scores[i]!, probability: probabilities[i]! }))
    .sort((a, b) => b.probability - a.probability);
}

function scoreOf(vector: readonly number[]): number {
  return (runNetworks(weights.rank, vector) + logOddsOf(weights.trees, vector)) / 2;
}

/** The ranking was learned from prose alone. Code is an answer where it was asked for, and where it is short enough to be read. */
function aversion({ unit }: Candidate, shows: boolean): number {
  const lines = unit.text.split('\n').length;
  return (shows ? 1.5 : 4) + Math.max(0, lines - 14) / 4;
}

/**
 * An item that begins with what is asked for, `headersTimeout …`, defines it; the name of the page's own subject does not
 * count. An item that has nothing else of the question is furniture, and one that asks is a heading's link.
 */
function listedWorth({ unit, own, passage }: Candidate, question: Question): number {
  const asked = new Set(question.terms.map((term) => term.stem));
  const [lead] = unit.words;
  const parts = lead === undefined ? [] : [lead.stem, ...lead.parts];
  const defines = parts.some((part) => asked.has(part) && !passage.titleStems.includes(part));
  if (unit.text.endsWith('?')) return -3;
  // An identifier names an option, a plain word may only begin a sentence.
  if (defines && unit.kind === 'item') return (lead?.parts.length ?? 0) > 0 ? 5 : 2;
  const says = question.terms.some((term, i) => own[i]! > 0 && !passage.titleStems.includes(term.stem));
  return says ? 0 : -3;
}
