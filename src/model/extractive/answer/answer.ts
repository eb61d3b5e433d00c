/**
 * The extractive answer to a prompt: the selected sentences as Markdown with citation markers, or nothing where the
 * evidence does not answer; and the queries to search for next.
 */

import { quoteDocumentation } from '../documentation/documentation.ts';
import { isDocumentation } from '../documentation/documentation-features.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { bridgeQueries, isCompound } from '../question/bridge.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { type Excerpt, selectUnits } from './select.ts';

export interface Answer {
  /** Markdown; each piece is one excerpt with its citation marker. Empty when the evidence does not answer. */
  readonly pieces: readonly string[];
  /** What to search for next; empty unless the question needs a second page (see question/bridge.ts). */
  readonly queries: readonly string[];
}

/** Answers a prompt from the evidence; `sources` are numbered by their `n` in the markers. */
export function answer(prompt: string, sources: readonly Source[]): Answer {
  const question = analyse(prompt);
  if (isDocumentation(sources)) return { pieces: writePieces(quoteDocumentation(question, sources)), queries: [] };
  const ranked = rankUnits(question, sources);
  const queries = bridgeQueries(question, ranked, sources);
  if (!isAnswerable(question, ranked, sources)) return { pieces: [], queries };
  return { pieces: compose(question, ranked), queries };
}

/** The selected units as Markdown, one piece each, whether or not the evidence answers. */
export function compose(question: AnalysedQuestion, ranked: readonly RankedUnit[]): string[] {
  return writePieces(selectUnits(ranked, question, isCompound(question)));
}

/** Prose is one paragraph; two or more list items or table rows become a list; code is a block. */
function writePieces(excerpts: readonly Excerpt[]): string[] {
  const isListed = ({ unit }: Excerpt) => unit.kind === 'item' || unit.kind === 'row';
  const listed = excerpts.filter(isListed).length > 1;
  return excerpts.map((excerpt, i) => {
    const { unit, source } = excerpt;
    const marker = `[${source.n}]`;
    const before = excerpts[i - 1];
    const inList = (each: Excerpt | undefined) => listed && each !== undefined && isListed(each);
    if (unit.kind === 'code') return `${i === 0 ? '' : '\n\n'}${excerpt.text}\n${marker}`;
    const gap =
      i === 0
        ? ''
        : inList(excerpt) && inList(before)
          ? '\n'
          : inList(excerpt) || inList(before) || before?.unit.kind === 'code'
            ? '\n\n'
            : ' ';
    return `${gap}${inList(excerpt) ? '- ' : ''}${closeSentence(excerpt)} ${marker}`;
  });
}

/** Adds a full stop where there is no end mark, and "…" where the sentence was cut. */
function closeSentence({ unit, text, start, end }: Excerpt): string {
  const whole = `${start > 0 ? '…' : ''}${text}${end < unit.text.length ? '…' : ''}`;
  return /[.!?:…。！？]["'”’)\]*_`]*$/.test(whole) ? whole : `${whole}.`;
}
