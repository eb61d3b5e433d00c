/**
 * Signs of a Chinese question that a text has, but in other words: of "馆长", "馆" in "博物馆" says little. A word is mostly two signs,
 * so a sign counts in full only beside one that is beside it in the question.
 */
import type { AnalysedQuestion } from '../question/analyse.ts';
import { isChinese } from '../question/asked/chinese.ts';
import type { Strengths } from './term-matcher.ts';

/** What a sign alone counts, as a share. Set by hand. */
const loneShare = 0.4;

/** Lowers the strengths of such signs; `texts` and `strengths` are of the same units. */
export function lowerLoneSigns(
  { terms, sequence, text: question }: AnalysedQuestion,
  texts: readonly string[],
  strengths: readonly Strengths[],
): void {
  if (!isChinese(question)) return;
  const pairs = terms.map(({ at }) =>
    [`${sequence[at - 1] ?? ''}${sequence[at]!}`, `${sequence[at]!}${sequence[at + 1] ?? ''}`].filter(
      (pair) => pair.length > 1 && isChinese(pair) && question.includes(pair),
    ),
  );
  texts.forEach((text, unit) => {
    pairs.forEach((each, term) => {
      if (each.length > 0 && !each.some((pair) => text.includes(pair))) strengths[unit]![term]! *= loneShare;
    });
  });
}
