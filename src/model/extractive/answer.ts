/**
 * The extractive answer to a prompt: the sentences that were selected, as Markdown with the numbers of the evidence, or
 * nothing where the evidence does not answer; and what to look for next.
 */

import { answers } from './abstain.ts';
import { analyse } from './analyse.ts';
import { bridgeQueries, isCompound } from './bridge.ts';
import type { Source } from './passages.ts';
import { type Ranked, rankUnits } from './rank.ts';
import { selectUnits } from './select.ts';

export interface Answer {
  /** Markdown, a unit and its marker each; empty when the evidence does not answer. */
  readonly pieces: readonly string[];
  readonly queries: readonly string[];
}

export function answer(prompt: string, sources: readonly Source[]): Answer {
  const question = analyse(prompt);
  const ranked = rankUnits(question, sources);
  const queries = bridgeQueries(question, ranked, sources);
  if (!answers(question, ranked, sources)) return { pieces: [], queries };
  return { pieces: writePieces(selectUnits(ranked, question, isCompound(question))), queries };
}

/** Prose runs on; list items and table rows get a line each where there are several; code gets its own block. */
function writePieces(units: readonly Ranked[]): string[] {
  const listed = units.filter(({ unit }) => unit.kind === 'item' || unit.kind === 'row').length > 1;
  return units.map(({ unit, source }, i) => {
    const marker = `[${source.n}]`;
    const before = units[i - 1]?.unit;
    const inList = (each: Ranked['unit'] | undefined) => listed && (each?.kind === 'item' || each?.kind === 'row');
    if (unit.kind === 'code') return `${i === 0 ? '' : '\n\n'}${unit.text}\n${marker}`;
    const gap =
      i === 0
        ? ''
        : inList(unit) && inList(before)
          ? '\n'
          : inList(unit) || inList(before) || before?.kind === 'code'
            ? '\n\n'
            : ' ';
    const closed = /[.!?:…。！？]["'”’)\]*_`]*$/.test(unit.text) ? unit.text : `${unit.text}.`;
    return `${gap}${inList(unit) ? '- ' : ''}${closed} ${marker}`;
  });
}
