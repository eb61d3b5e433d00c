/**
 * The extractive answer to a prompt: the sentences that were selected, as Markdown with the numbers of the evidence, or
 * nothing where the evidence does not answer; and what to look for next.
 */

import { answerability, threshold } from './abstain.ts';
import { analyse } from './analyse.ts';
import { bridgeQueries } from './bridge.ts';
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
  if (answerability(question, ranked) <= threshold) return { pieces: [], queries };
  return { pieces: writePieces(selectUnits(ranked)), queries };
}

function writePieces(units: readonly Ranked[]): string[] {
  return units.map(({ unit, source }, i) => {
    const marker = `[${source.n}]`;
    const last = i === units.length - 1;
    if (unit.kind === 'code') return `${i === 0 ? '' : '\n'}${unit.text}\n${marker}${last ? '' : '\n\n'}`;
    const closed = /[.!?:…。！？]["'”’)\]*_`]*$/.test(unit.text) ? unit.text : `${unit.text}.`;
    return `${closed} ${marker}${last ? '' : ' '}`;
  });
}
