/**
 * The answer to a question that has parts: the best piece for each of them, from the passages that have the part's own names
 * and numbers. A deep answer has a heading for each part.
 */
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import type { Aspect } from '../question/aspects.ts';
import { plainTitle } from '../question/bridge.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { createPieces, type Piece } from './piece.ts';
import { writePieces } from './write-pieces.ts';

/** Sources that are read for one part; set by hand: enough that a part of a large index does not look like a small corpus. */
const maxSources = 16;

/** Markdown, as in `Answer`; empty unless at least two parts are answered, each by another sentence. */
export function answerParts(aspects: readonly Aspect[], sources: readonly Source[], isDeep: boolean): string[] {
  if (aspects.length === 0) return [];
  const found = aspects.flatMap(({ label, question: text }) => {
    const question = analyse(text);
    const own = sourcesFor(question, sources);
    const ranked = rankUnits(question, own);
    // Of two sentences, the one of the page about this part: another page may only mention it.
    const fitting = ranked.filter((each) => hasOwnTerms(question, each));
    const name = label.toLowerCase();
    const best =
      fitting.find(({ source }) => plainTitle(source.title) === name) ??
      fitting.find(({ source }) => name.split(' ').includes(plainTitle(source.title))) ??
      fitting[0];
    if (best === undefined || !isAnswerable(question, ranked, own)) return [];
    return [{ label, piece: createPieces(question, ranked)(best) }];
  });
  const distinct = found.filter(({ piece }, at) => found.findIndex((other) => shares(other.piece, piece)) === at);
  if (distinct.length < 2) return [];
  if (!isDeep) return writePieces(distinct.map(({ piece }) => piece));
  return distinct.map(
    ({ label, piece }, at) => `${at === 0 ? '' : '\n\n'}## ${label}\n\n${writePieces([piece]).join('')}`,
  );
}

/** The sources with most of what the part names first, otherwise in their order. */
function sourcesFor({ terms }: AnalysedQuestion, sources: readonly Source[]): readonly Source[] {
  const named = terms.filter(({ name, digits }) => name || digits);
  const wanted = named.length > 0 ? named : terms;
  const held = sources.map(({ title, headings, text }) => {
    const place = `${title} ${headings} ${text}`.toLowerCase();
    return wanted.filter(({ stem }) => place.includes(stem)).length;
  });
  const order = sources.map((source, at) => ({ source, held: held[at]! })).sort((a, b) => b.held - a.held);
  return order.map(({ source }) => source).slice(0, maxSources);
}

/** Whether a unit, or what stands around it, has every name and number that the part has. */
function hasOwnTerms({ terms }: AnalysedQuestion, { own, around }: RankedUnit): boolean {
  return terms.every(({ name, digits }, at) => !(name || digits) || own[at]! > 0 || (!digits && around[at]! > 0));
}

function shares(a: Piece, b: Piece): boolean {
  return b.units.some((unit) => a.units.includes(unit));
}
