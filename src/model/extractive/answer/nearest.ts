/**
 * What comes nearest to an answer: the best unit of each page, in the order of the ranking. A reader who gets no answer can
 * judge from them whether the sources have what was asked in other words. Each is a whole sentence, list item or table row
 * that shares a word with the question; code and questions are left out.
 */
import type { Span } from '../../../engine/ports/model.ts';
import { coverage } from '../match/coverage.ts';
import type { Strengths } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { ReadUnit, Source } from '../text/passages.ts';

/** A unit of a ranking, of prose or of documentation, with how well each term of the question matches in it. */
interface Ranked {
  readonly source: Source;
  readonly unit: ReadUnit;
  readonly own: Strengths;
}

/** Set by hand: pages, and characters above which a unit is no quote that one reads. */
const maxPages = 3;
const maxCharacters = 500;

/** Up to three spans, of different pages, the nearest first. `ranked` begins with the most probable unit. */
export function nearestSpans({ terms }: AnalysedQuestion, ranked: readonly Ranked[]): Span[] {
  const cover = coverage(terms.map(({ weight }) => weight));
  const pages = new Map<string, Span>();
  for (const { source, unit, own } of ranked) {
    if (pages.size === maxPages) break;
    const { start, end } = unit;
    const isQuote = unit.kind !== 'code' && end - start <= maxCharacters && !unit.text.endsWith('?');
    if (!isQuote || pages.has(source.snapshot) || cover(own) <= 0) continue;
    pages.set(source.snapshot, { n: source.n, start, end });
  }
  return [...pages.values()];
}
