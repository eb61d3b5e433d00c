/**
 * The extractive answer to a prompt: the sentences that were selected, as Markdown with the numbers of the evidence, or
 * nothing where the evidence does not answer; and what to look for next.
 */

import { quoteDocumentation } from '../documentation/documentation.ts';
import { isDocumentation } from '../documentation/documentation-features.ts';
import { analyse, type Question } from '../question/analyse.ts';
import { bridgeQueries, isCompound } from '../question/bridge.ts';
import { answers } from '../rank/answerability.ts';
import { type Ranked, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { type Excerpt, selectUnits } from './select.ts';

export interface Answer {
  /** Markdown, a unit and its marker each; empty when the evidence does not answer. */
  readonly pieces: readonly string[];
  readonly queries: readonly string[];
}

export function answer(prompt: string, sources: readonly Source[]): Answer {
  const question = analyse(prompt);
  if (isDocumentation(sources)) return { pieces: writePieces(quoteDocumentation(question, sources)), queries: [] };
  const ranked = rankUnits(question, sources);
  const queries = bridgeQueries(question, ranked, sources);
  if (!answers(question, ranked, sources)) return { pieces: [], queries };
  return { pieces: compose(question, ranked), queries };
}

/** What is said when something is: the units that were selected, a piece each. */
export function compose(question: Question, ranked: readonly Ranked[]): string[] {
  return writePieces(selectUnits(ranked, question, isCompound(question)));
}

/** Prose runs on; list items and table rows get a line each where there are several; code gets its own block. */
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
    return `${gap}${inList(excerpt) ? '- ' : ''}${close(excerpt)} ${marker}`;
  });
}

/** A sentence ends with a mark of its own or gets one; one that was cut shows where. */
function close({ unit, text, start, end }: Excerpt): string {
  const whole = `${start > 0 ? '…' : ''}${text}${end < unit.text.length ? '…' : ''}`;
  return /[.!?:…。！？]["'”’)\]*_`]*$/.test(whole) ? whole : `${whole}.`;
}
