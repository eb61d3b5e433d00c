/**
 * The answer to a question that has parts: the best piece for each of them, from the passages that have the part's own names
 * and numbers. A deep answer has a heading for each part.
 */
import type { Aspect } from '../question/aspects.ts';
import { plainTitle } from '../question/bridge.ts';
import type { Source } from '../text/passages.ts';
import { answerOne } from './answer-one.ts';
import { createPieces, type Piece } from './piece.ts';
import { writePieces } from './write-pieces.ts';

export interface AnsweredParts {
  /** Markdown, as in `Answer`; empty unless at least two parts are answered, each by another sentence. */
  readonly pieces: readonly string[];
  /** What to search for, for the parts that the sources do not answer. */
  readonly missing: readonly string[];
}

/** Answers each part. */
export function answerParts(aspects: readonly Aspect[], sources: readonly Source[], isDeep: boolean): AnsweredParts {
  const found = aspects.flatMap(({ label, question: text, name: subject }) => {
    const { question, ranked, fitting, isAnswerable } = answerOne(text, sources, subject);
    // Of two sentences, the one of the page about this part: another page may only mention it.
    const name = label.toLowerCase();
    const best =
      fitting.find(({ source }) => plainTitle(source.title) === name) ??
      fitting.find(({ source }) => name.split(' ').includes(plainTitle(source.title))) ??
      fitting[0];
    if (best === undefined || !isAnswerable) return [];
    return [{ label, text, piece: createPieces(question, ranked)(best) }];
  });
  const distinct = found.filter(({ piece }, at) => found.findIndex((other) => shares(other.piece, piece)) === at);
  // The question itself is among those that were made first; its name alone finds other pages.
  const missing = aspects.flatMap(({ question, name }) =>
    distinct.some(({ text }) => text === question) ? [] : [name ?? question],
  );
  if (distinct.length < 2) return { pieces: [], missing };
  if (!isDeep) return { pieces: writePieces(distinct.map(({ piece }) => piece)), missing };
  const pieces = distinct.map(
    ({ label, piece }, at) => `${at === 0 ? '' : '\n\n'}## ${label}\n\n${writePieces([piece]).join('')}`,
  );
  return { pieces, missing };
}

function shares(a: Piece, b: Piece): boolean {
  return b.units.some((unit) => a.units.includes(unit));
}
