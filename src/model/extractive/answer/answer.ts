/**
 * The extractive answer to a prompt: the selected pieces as Markdown with citation markers, or nothing where the evidence
 * does not answer; and the queries to search for next.
 */

import type { PassageSpan } from '../../../engine/ports/model.ts';
import { quoteAskedSection, quoteDefinition } from '../documentation/direct-answer.ts';
import { quoteDocumentation, rankForAnswer } from '../documentation/documentation.ts';
import { isDocumentation } from '../documentation/documentation-features.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { aspectsOf } from '../question/aspects.ts';
import { bridgeQueries } from '../question/bridge.ts';
import { type QuestionPart, splitQuestion } from '../question/parts.ts';
import { isContextDependent } from '../question/plan.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { hasFewPages } from '../rank/few-pages.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { answerParts } from './answer-parts.ts';
import { excerptSpans } from './excerpts.ts';
import { listPieces } from './list-answer.ts';
import { selectPieces } from './select.ts';
import { writePieces } from './write-pieces.ts';

/** Sources that are ranked for the question as a whole; set by hand. */
const maxRanked = 24;

export interface Answer {
  /** Markdown; each string is one piece with its citation marker. Empty when the evidence does not answer. */
  readonly pieces: readonly string[];
  /** What to search for next; empty unless the question needs a second page (see question/bridge.ts). */
  readonly queries: readonly string[];
  /** The best stretch of each page, whether or not there is an answer; see excerpts.ts. */
  readonly excerpts: readonly PassageSpan[];
}

export interface AnswerOptions {
  /** Whether the answer may be long; otherwise it stops after what was asked. */
  readonly deep?: boolean;
}

/** Answers a prompt from the evidence; `sources` are numbered by their `n` in the markers. */
export function answer(prompt: string, sources: readonly Source[], { deep = false }: AnswerOptions = {}): Answer {
  const question = analyse(prompt);
  if (isDocumentation(sources) && (!hasFewPages(sources) || sources.some(isOfPackage))) {
    const ranked = rankForAnswer(question, sources);
    const direct = quoteAskedSection(question, sources) ?? quoteDefinition(question, sources);
    const pieces = writePieces(direct === undefined ? quoteDocumentation(question, ranked) : [direct]);
    return { pieces, queries: [], excerpts: excerptSpans(question, ranked) };
  }
  const ranked = rankUnits(question, sources.slice(0, maxRanked));
  const queries = bridgeQueries(question, ranked, sources);
  const excerpts = excerptSpans(question, ranked);
  const inParts = answerParts(aspectsOf(question.text, deep ? sources.map(({ text }) => text) : []), sources, deep);
  if (inParts.length > 0) return { pieces: inParts, queries, excerpts };
  const listed = deep ? listPieces(question, rankUnits(question, sources)) : [];
  if (listed.length > 0) return { pieces: writePieces(listed), queries, excerpts };
  const parts = splitQuestion(prompt);
  const options = { deep, further: bestForParts(parts, sources) };
  // The best unit for two questions at a time may well answer the second.
  const first = parts[0] !== undefined && hasFewPages(sources) ? analyse(parts[0].context) : undefined;
  const rankedFirst = first === undefined ? [] : rankUnits(first, sources);
  if (first !== undefined && isAnswerable(first, rankedFirst, sources))
    return { pieces: compose(first, rankedFirst, options), queries, excerpts };
  if (!isAnswerable(question, ranked, sources)) return { pieces: [], queries, excerpts };
  return { pieces: compose(question, ranked, options), queries, excerpts };
}

/** Whether a page is documentation of an installed package, by the address that the index has for it. */
function isOfPackage({ url }: Source): boolean {
  return /\/npm\/(?:@[^/]+\/)?[^/@]+@/.test(url);
}

/** The selected units as Markdown, one string a piece, whether or not the evidence answers. */
export function compose(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  options: AnswerOptions & { readonly further?: readonly RankedUnit[] } = {},
): string[] {
  return writePieces(selectPieces(ranked, question, options));
}

/**
 * The best unit for each part of a question after the first, where the evidence answers that part. In a few pages a part that
 * says no "it" is asked alone: with the words of the first part, the unit that answers that part would win again.
 */
function bestForParts(parts: readonly QuestionPart[], sources: readonly Source[]): RankedUnit[] {
  return parts.flatMap(({ part, context }) => {
    const inContext = `${part}\n\n${context}`;
    const isAlone = hasFewPages(sources) && !isContextDependent(part);
    for (const text of isAlone ? [part, inContext] : [inContext]) {
      const question = analyse(text);
      const ranked = rankUnits(question, sources);
      if (isAnswerable(question, ranked, sources)) return ranked.slice(0, 1);
    }
    return [];
  });
}
