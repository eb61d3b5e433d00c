/**
 * What each page has about the question: its best unit, with the sentences that it refers to and as much of what follows as
 * fits. Under an answer they are what else the sources say; where there is none, a reader can judge from the first whether
 * the sources have what was asked in other words. An excerpt is one stretch of its page and consists of whole units.
 */
import type { PassageSpan, Span } from '../../../engine/ports/model.ts';
import { pointsElsewhere } from '../documentation/documentation-features.ts';
import { coverage } from '../match/coverage.ts';
import type { Strengths } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';

/** A unit of a ranking, of prose or of documentation, with how well each term of the question matches in it and above it. */
interface Ranked {
  readonly source: Source;
  readonly unit: ReadUnit;
  readonly own: Strengths;
  readonly around: Strengths;
}

/** Characters of an excerpt; the protocol states it. About three sentences. */
const maxCharacters = 400;
/** Characters from which on nothing that follows is added. Set by hand: about two sentences. */
const enoughCharacters = 200;
/** Sentences that a chain of references may bring: "It …" after "She …" after a name. */
const maxAntecedents = 2;
/**
 * The share of the question's weight that an excerpt and the headings above it must have. Set by hand on questions to the
 * documentation of packages: below it, a page has a word of the question by chance.
 */
const minCoverage = 1 / 3;
/** A unit with no more of the question gives way to a later one of its page; the engine shows only what has more under an answer. */
const goodCoverage = 1 / 2;
/** Passages that may be close in meaning; set by hand: there always is a closest, and a reader can judge a few. */
const maxNear = 3;
/** Words; shorter units, such as links in a list, are excerpts only of pages that have nothing else. Set by hand. */
const minWords = 5;

/**
 * One span a page, the most probable first; `ranked` begins with the most probable unit. Pages that have little of the
 * question have none, nor have those of which the units that do are code, questions or too long.
 */
export function excerptSpans({ terms, language }: AnalysedQuestion, ranked: readonly Ranked[]): PassageSpan[] {
  const cover = coverage(terms.map(({ weight }) => weight));
  const pages = new Map<string, { span: PassageSpan & { coverage: number }; rank: number; isShort: boolean }>();
  for (const [rank, { source, unit, own, around }] of ranked.entries()) {
    const known = pages.get(source.snapshot);
    const isShort = unit.kind !== 'row' && unit.words.length < minWords;
    const isLacking = known?.isShort === false && known.span.coverage <= goodCoverage;
    if (known !== undefined && (isShort || !(known.isShort || isLacking))) continue;
    if (unit.kind === 'code' || unit.text.endsWith('?') || pointsElsewhere.test(unit.text)) continue;
    const covered = cover(own, around);
    if (cover(own) <= 0 || (isLacking ? covered <= goodCoverage : covered < minCoverage)) continue;
    const span = spanAround(source, unit, language);
    if (span === undefined) continue;
    pages.set(source.snapshot, { span: { ...span, coverage: covered }, rank, isShort });
  }
  if (pages.size === 0) return nearestSpans(ranked, language);
  return [...pages.values()].sort((a, b) => a.rank - b.rank).map(({ span }) => span);
}

/** Where no page has the words of the question: how the passages begin that come nearest in meaning. They cover nothing of it. */
function nearestSpans(ranked: readonly Ranked[], language: AnalysedQuestion['language']): PassageSpan[] {
  const sources = [...new Set(ranked.map(({ source }) => source))].filter(({ near = maxNear }) => near < maxNear);
  const pages = new Map<string, PassageSpan>();
  for (const source of sources.sort((a, b) => a.near! - b.near!)) {
    if (pages.has(source.snapshot)) continue;
    const isProse = ({ kind, words }: ReadUnit) => kind !== 'code' && words.length >= minWords;
    const unit = readPassage(source, language).units.find(isProse);
    const span = unit && spanAround(source, unit, language);
    if (span !== undefined) pages.set(source.snapshot, { ...span, coverage: 0 });
  }
  return [...pages.values()];
}

/** The unit with its neighbours; undefined if it is too long, or announces a list that is. */
function spanAround(source: Source, unit: ReadUnit, language: AnalysedQuestion['language']): Span | undefined {
  const { units } = readPassage(source, language);
  const index = units.indexOf(unit);
  let { start, end } = unit;
  const fits = (from: number, to: number) => to - from <= maxCharacters;
  if (!fits(start, end)) return undefined;
  for (let back = 1; back <= maxAntecedents && units[index - back + 1]!.refersBack; back += 1) {
    const before = units[index - back];
    if (before?.block !== unit.block || !fits(before.start, end)) break;
    start = before.start;
  }
  let isList = false;
  for (let at = index; ; at += 1) {
    const isAnnounced = units[at]!.text.endsWith(':');
    isList ||= isAnnounced;
    const next = units[at + 1];
    const belongs =
      next !== undefined &&
      (next.block === unit.block || (isList && next.section === unit.section && (isAnnounced || isListed(next))));
    const isEnough = !isList && end - start >= enoughCharacters;
    if (!belongs || isEnough || !fits(start, next.end)) {
      // What a sentence says of the code after it is understood without the code.
      return isAnnounced && next?.kind !== 'code' ? undefined : { n: source.n, start, end };
    }
    end = next.end;
  }
}
