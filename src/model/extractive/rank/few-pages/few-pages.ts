/**
 * Ranks the units of a small corpus, a document or a few, on top of the general scores. A small corpus says a thing once, in words
 * that the question need not share: synonyms count, in the unit, in its headings and labels and in the sentences beside it, and so
 * does whether the unit has what is asked for, a price for "how much". What else the corpus contains tells little. Trained by
 * tools/training/small/train-small.ts.
 */
import { runMlp } from '../../../../base/learned/mlp.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { foreignThingAskedFor, thingAskedFor } from '../../question/asked/asked-thing.ts';
import { type ValueType, valueAskedBy } from '../../question/asked/asked-value.ts';
import { readPassage, type Source } from '../../text/passages.ts';
import type { Candidate } from '../features.ts';
import { type AnswerTarget, type Detail, readDetails } from './details.ts';
import {
  disqualifyAnswersToOthers,
  disqualifyIfUnmentioned,
  disqualifyOtherColours,
  disqualifyPastOccurrences,
  disqualifyRowsBesideReason,
  disqualifySignatures,
  markRowsBesideSentence,
} from './disqualify.ts';
import { type FewPagesFeatures, readFewPagesFeatures } from './features.ts';
import { disqualifyOtherOccurrences } from './occurrence.ts';
import { disqualifyOtherCodes } from './other-codes.ts';
import { disqualifyOtherOwners } from './other-owners.ts';
import { disqualifyOtherPosts } from './other-posts.ts';
import { markRivals } from './rivals.ts';
import { fewPagesWeights } from './weights.ts';

/** What is known of the units of one small corpus about one question; the rows are in the order of the candidates. */
export interface FewPages extends FewPagesFeatures {
  readonly type: ValueType | undefined;
  readonly details: ReadonlyMap<Candidate, Readonly<Detail>>;
}

/** Passages and pages below which evidence is all that a small corpus has; a larger index fills any search. Set by hand. */
const few = { passages: 10, pages: 6 };
/**
 * Share of the passages of a folder of everyday documents that look like it: 0.9 do, and 0.13 of encyclopedia articles. Set by
 * hand.
 */
const minEverydayShare = 0.5;

/** Whether passages are from a corpus of a document or a few, as their index says or their number suggests. */
export function hasFewPages(sources: readonly Pick<Source, 'url' | 'corpusSize'>[]): boolean {
  if (sources.length > 0 && sources.every(({ corpusSize }) => corpusSize === 'small')) return true;
  return sources.length < few.passages && new Set(sources.map(({ url }) => url)).size < few.pages;
}

/**
 * Whether passages are read as those of a few pages: of these, or of a folder of everyday documents, which say a thing once as
 * well, in words of their own. In a folder of articles about subjects, whose names are the words of a question, the general ranking
 * is better.
 */
export function readsAsFewPages(sources: readonly Source[]): boolean {
  if (hasFewPages(sources)) return true;
  if (sources.length === 0 || !sources.every(({ corpusSize }) => corpusSize !== undefined)) return false;
  return sources.filter((source) => readPassage(source).everyday).length > minEverydayShare * sources.length;
}

/** Scores of the units, on the scale of logits, by their reading. */
export function scoreFewPages({ rows }: FewPages): number[] {
  return rows.map((row) => runMlp(fewPagesWeights.rank, row));
}

/** Reads all units of a small corpus; `scores` are the general ones. */
export function readFewPages(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  scores: readonly number[],
): FewPages {
  const type = valueAskedBy(question.text);
  const asked: AnswerTarget = { type, thing: type === 'contact' ? undefined : thingOf(question) };
  const details = readDetails(question, candidates, asked);
  disqualifyOtherOwners(question, candidates, details);
  disqualifyOtherPosts(question, candidates, details);
  disqualifyPastOccurrences(question, details);
  disqualifyOtherOccurrences(question, candidates, details);
  disqualifyOtherCodes(question, candidates, details);
  markRivals(question, candidates, details);
  disqualifyIfUnmentioned(question, candidates, details, asked);
  markRowsBesideSentence(question, candidates, details, asked);
  disqualifyAnswersToOthers(candidates, details);
  disqualifySignatures(question, candidates, details);
  disqualifyRowsBesideReason(question, candidates, details, asked);
  disqualifyOtherColours(question, candidates, details);
  return {
    ...readFewPagesFeatures(question, candidates, details, scores, type),
    type,
    details: new Map(candidates.map((each, i) => [each, details[i]!])),
  };
}

/** The stem of the thing that a question asks after; not of one for a telephone number, which is seldom called one. */
function thingOf({ text, language }: AnalysedQuestion): string | undefined {
  return language === undefined ? thingAskedFor(text) : foreignThingAskedFor(text, language);
}
