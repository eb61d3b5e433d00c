/** Terms of a question found by their synonyms and by everyday words for them, where nothing else is read of the stems. */
import type { AnalysedQuestion } from '../question/analyse.ts';
import { createEverydayMatcher } from './everyday.ts';
import { createTermMatcher, type Strengths } from './term-matcher.ts';

/** How well stems have each term of a question, synonyms included. */
export function createWideReader(question: AnalysedQuestion): (stems: readonly string[]) => Strengths {
  const matcher = createTermMatcher(question);
  const raise = createEverydayMatcher(question);
  return (stems) => raise(stems, matcher.readWithSynonyms(stems, matcher.read(stems)));
}
