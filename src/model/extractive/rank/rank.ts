/** Ranks the units of the evidence by how well they answer the question. */
import { logOddsOf } from '../../../base/learned/boosted-trees.ts';
import { runMlps, softmax } from '../../../base/learned/mlp.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { preciseTypes } from '../question/asked/asked-value.ts';
import { lifeTermsOf } from '../question/lifespan.ts';
import type { Source } from '../text/passages.ts';
import { asksOfMail, isBoilerplate, isOfMailHead, isThanks } from './boilerplate.ts';
import { type Candidate, readCandidates, toVector } from './features.ts';
import { type FewPages, readFewPages, readsAsFewPages, scoreFewPages } from './few-pages/few-pages.ts';
import { weights } from './weights.ts';

export interface RankedUnit extends Candidate {
  /** Logit; comparable only among the units of one question. */
  readonly score: number;
  /** Probability that the unit has the answer if any has; sums to 1 over the units of one question. */
  readonly probability: number;
  /** How the units of a small corpus were read, the same for all of them; undefined for a larger one. */
  readonly fewPages: FewPages | undefined;
}

/**
 * Taken from the score of what says nothing, or is about something else, which leaves it no chance beside any other unit. Set by
 * hand.
 */
const boilerplatePenalty = 20;

/**
 * Taken from the score of a unit that lacks what any answer must have, and may still have most of the question's words. Set by
 * hand.
 */
const disqualifiedPenalty = 2;

/** Added to the score of a row of a table that the question names. Set by hand. */
const namedBonus = 2;

/** The same of a sentence that begins with what is asked, in a question how to do something: nothing else says it like that. */
const instructionBonus = 4;

/** Added to the score of the years of a life where they are asked for; the training data has few such questions. Set by hand. */
const lifeBonus = 1.5;

/** Taken from the score for each place that a source is below the best. Set by hand on `npm run bench -- research`. */
export const perPlace = 0.25;

/**
 * What the learned weights score of a larger corpus: the units with the highest estimates, and the best of each source, for its
 * excerpt. A third of the units; the others keep their estimate. Set by hand: with two of each source, an answer takes a
 * sixth more time, and none of 1,000 is another; 94 % of their excerpts are the same, and as many of the others have the answer.
 */
const scored = { ofAll: 16, ofSource: 1 };

/** The units of all sources, the most probable first. */
export function rankUnits(question: AnalysedQuestion, sources: readonly Source[]): RankedUnit[] {
  const candidates = readCandidates(question, sources);
  const wantsCode = /\b(?:examples?|code|snippets?|samples?|how (?:do|can|should|to|does))\b/i.test(question.text);
  // The best standing adds nothing: whether a question is answered is judged by these scores, too.
  const highest = Math.max(...sources.map(({ places = 0 }) => places));
  const standingOf = ({ source }: Candidate) => perPlace * ((source.places ?? 0) - highest);
  const asksOfLife = lifeTermsOf(question).length > 0;
  const shifts = candidates.map(
    (candidate) =>
      standingOf(candidate) +
      (asksOfLife && isOfLife(candidate, question) ? lifeBonus : 0) -
      (candidate.unit.kind === 'code' ? codePenalty(candidate, wantsCode) : 0) +
      (candidate.unit.kind === 'item' || candidate.unit.kind === 'row' ? listedBonus(candidate, question) : 0),
  );
  const isSmall = readsAsFewPages(sources);
  const general = scoreBest(question, candidates, shifts, isSmall);
  const fewPages = isSmall ? readFewPages(question, candidates, general) : undefined;
  const isHeadOfOther = asksOfMail(question.text) ? () => false : isOfMailHead;
  const scores =
    fewPages === undefined
      ? general
      : scoreFewPages(fewPages).map((score, i) => {
          const candidate = candidates[i]!;
          const { isDisqualified, isAboutOther, isNamed, isInstruction, values } = fewPages.details.get(candidate)!;
          const hasValue = values > 0 && fewPages.type !== undefined && preciseTypes.has(fewPages.type);
          const saysNothing =
            isBoilerplate(candidate) || isHeadOfOther(candidate) || (!hasValue && isThanks(candidate.unit));
          const penalty =
            (isAboutOther || saysNothing ? boilerplatePenalty : 0) + (isDisqualified ? disqualifiedPenalty : 0);
          const bonus = (isNamed ? namedBonus : 0) + (isInstruction ? instructionBonus : 0);
          return score + standingOf(candidate) + bonus - penalty;
        });
  const probabilities = softmax(scores);
  return candidates
    .map((candidate, i) => Object.assign(candidate, { score: scores[i]!, probability: probabilities[i]!, fewPages }))
    .sort((a, b) => b.probability - a.probability);
}

/** Scores the best candidates by their estimates, or all. The others come after them, by their estimates. */
function scoreBest(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  shifts: readonly number[],
  all: boolean,
): number[] {
  const scores = candidates.map(({ estimate }, i) => estimate + shifts[i]!);
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  const ofSource = new Map<Source, number>();
  const others: number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  order.forEach((i, place) => {
    const { source } = candidates[i]!;
    const before = ofSource.get(source) ?? 0;
    ofSource.set(source, before + 1);
    if (!all && place >= scored.ofAll && before >= scored.ofSource) {
      others.push(i);
      return;
    }
    scores[i] = scoreOf(toVector(candidates[i]!.features, question)) + shifts[i]!;
    lowest = Math.min(lowest, scores[i]!);
  });
  for (const i of others) scores[i] = Math.min(scores[i]!, lowest);
  return scores;
}

/** Whether it has the years of a life, and every name of the question. */
function isOfLife({ unit, own }: Candidate, { terms }: AnalysedQuestion): boolean {
  return unit.hasLifespan && terms.every(({ name }, term) => !name || own[term]! > 0) && terms.some(({ name }) => name);
}

/** The learned score of a unit, a logit, given its `toVector`. */
export function scoreOf(vector: readonly number[]): number {
  return (runMlps(weights.rank, vector) + logOddsOf(weights.trees, vector)) / 2;
}

/**
 * Subtracted from the score of code, which the training data does not contain: less if the question asks for code, more
 * from 14 lines on. Set by hand.
 */
function codePenalty({ unit }: Candidate, wantsCode: boolean): number {
  const lines = unit.text.split('\n').length;
  return (wantsCode ? 1.5 : 4) + Math.max(0, lines - 14) / 4;
}

/**
 * Added to the score of a list item or table row, which the training data does not contain; set by hand. An item that
 * begins with an asked name, `headersTimeout …`, defines it, unless it is the name of the page's subject. One that shares
 * nothing but the subject with the question is navigation, and one that ends in a question mark a table of contents.
 */
function listedBonus({ unit, own, passage }: Candidate, question: AnalysedQuestion): number {
  const asked = new Set(question.terms.map((term) => term.stem));
  const [lead] = unit.words;
  const parts = lead === undefined ? [] : [lead.stem, ...lead.parts];
  const defines = parts.some((part) => asked.has(part) && !passage.titleStems.includes(part));
  if (unit.text.endsWith('?')) return -3;
  // An identifier names an option; a plain word may just begin a sentence.
  if (defines && unit.kind === 'item') return (lead?.parts.length ?? 0) > 0 ? 5 : 2;
  const shares = question.terms.some((term, i) => own[i]! > 0 && !passage.titleStems.includes(term.stem));
  return shares ? 0 : -3;
}
