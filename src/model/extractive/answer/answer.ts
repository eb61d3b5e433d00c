/**
 * The extractive answer to a prompt: the selected pieces as Markdown with citation markers, or nothing where the evidence
 * does not answer; and the queries to search for next.
 */

import { isPointingList } from '../../../base/text/pointing-lists.ts';
import { hasSymbol, symbolsAsked } from '../../../base/text/symbol-names.ts';
import type { PassageSpan } from '../../../engine/ports/model.ts';
import { type AskedSection, findAskedSection } from '../documentation/asked-section.ts';
import { codeAfter } from '../documentation/beginning.ts';
import { type QuoteOptions, quoteDocumentation } from '../documentation/compose.ts';
import { quoteDefinition, subjectRank } from '../documentation/definition.ts';
import { quoteDifference } from '../documentation/difference.ts';
import { type RankedDocumentationUnit, rankForAnswer } from '../documentation/documentation.ts';
import { isDocumentation } from '../documentation/documentation-features.ts';
import { quoteHowTo } from '../documentation/how-to.ts';
import { quoteNamedEntry } from '../documentation/named-entry.ts';
import { inNamedFolders } from '../documentation/named-folder.ts';
import { quoteAskedRow, quoteNamedRow } from '../documentation/named-row.ts';
import { isAboutThisServer, namedPages, ownPages } from '../documentation/own-pages.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { type Aspect, aspectsOf } from '../question/aspects.ts';
import { bridgeQueries } from '../question/bridge.ts';
import { withContext } from '../question/context.ts';
import { type QuestionPart, splitQuestion } from '../question/parts.ts';
import { isContextDependent } from '../question/plan.ts';
import { relationsAsked, relationsIn, saysOtherwise } from '../question/relations.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { hasFewPages } from '../rank/few-pages.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { answerOne } from './answer-one.ts';
import { answerParts } from './answer-parts.ts';
import { quoteAskedList } from './asked-list.ts';
import { excerptSpans } from './excerpts.ts';
import { type FollowedLinks, followLinks } from './follow-links.ts';
import { listPieces, listQueries } from './list-answer.ts';
import { createPieces, type Piece } from './piece.ts';
import { selectPieces } from './select.ts';
import { shorten } from './shorten.ts';
import { weighSources } from './weigh-sources.ts';
import { withName } from './with-name.ts';
import { type WritablePiece, writePieces } from './write-pieces.ts';

/** Sources that are ranked for the question as a whole; set by hand. */
const maxRanked = 24;
/**
 * Log odds from which this server's own pages answer a question that names no package. The odds were learned on questions that name
 * theirs, which this one need not; set by hand on `npm run bench -- documentation`.
 */
const minOwnOdds = -1.6;

export interface Answer {
  /** Markdown; each string is one piece with its citation marker. Empty when the evidence does not answer. */
  readonly pieces: readonly string[];
  /** What to search for next; empty unless the question needs a further page (see question/bridge.ts). */
  readonly queries: readonly string[];
  /** `partial` if the pieces lead to what is asked without saying it, or lack some of its parts; `conflicting` if pages differ. */
  readonly status?: 'partial' | 'conflicting';
  /** The best stretch of each page, whether or not there is an answer; see excerpts.ts. */
  readonly excerpts: readonly PassageSpan[];
}

export interface AnswerOptions {
  /** Whether the answer may be long; otherwise it stops after what was asked. */
  readonly deep?: boolean;
}

/** Answers a prompt from the evidence; `found` are numbered by their `n` in the markers. */
export function answer(prompt: string, found: readonly Source[], { deep = false }: AnswerOptions = {}): Answer {
  const question = analyse(prompt);
  // Packages have rules of their own.
  const sources = found.some(isOfPackage) ? found : inNamedFolders(question, withoutIndexes(found));
  const symbols = symbolsAsked(question.text);
  const isSaid = (text: string) => symbols.length === 0 || symbols.some((name) => hasSymbol(text, name));
  const saying = sources.filter(({ text }) => isSaid(text));
  const written = answerFrom(prompt, question, saying.length === 0 ? sources : saying, deep);
  // What does not say the name that is asked about, "<<<", is about something else.
  if (written.pieces.length === 0 || isSaid(written.pieces.join('\n'))) return written;
  return { pieces: [], queries: [], excerpts: written.excerpts };
}

function answerFrom(prompt: string, question: AnalysedQuestion, sources: readonly Source[], deep: boolean): Answer {
  if (isDocumentation(sources) && (!hasFewPages(sources) || sources.some(isOfPackage))) {
    return answerFromDocumentation(question, sources);
  }
  const ranked = rankUnits(question, sources.slice(0, maxRanked));
  const excerpts = excerptSpans(question, ranked);
  const direct = quoteDirectly(question, sources);
  if (direct !== undefined) return { pieces: writePieces([direct]), queries: [], excerpts };
  const linked = followLinks(question.text, sources);
  if (linked.pieces.length > 0) return { ...answerLinked(linked, sources, deep), excerpts };
  const inParts = answerParts(aspectsIn(question.text, sources, deep), sources, deep);
  const queries = [...new Set([...linked.missing, ...inParts.missing, ...bridgeQueries(question, ranked, sources)])];
  if (inParts.pieces.length > 0) return { pieces: inParts.pieces, queries, excerpts };
  const listed = listPieces(question, deep ? rankUnits(question, sources) : ranked, deep);
  if (listed.length > 0) {
    const more = deep ? listQueries(question, listed) : [];
    return { pieces: writePieces(listed), queries: [...queries, ...more], excerpts };
  }
  const parts = splitQuestion(prompt);
  const options = { deep, further: bestForParts(parts, sources) };
  // The best unit for two questions at a time may well answer the second.
  const first = parts[0] !== undefined && hasFewPages(sources) ? analyse(parts[0].context) : undefined;
  const rankedFirst = first === undefined ? [] : rankUnits(first, sources);
  if (first !== undefined && isAnswerable(first, rankedFirst, sources))
    return { pieces: compose(first, rankedFirst, options), queries, excerpts };
  const weighed = weighSources(question, ranked);
  if (weighed.ranked.length === 0 || !isAnswerable(question, ranked, sources)) return { pieces: [], queries, excerpts };
  const further = [...weighed.others, ...options.further];
  const asksHow = !deep && further.length === 0 && question.kind === 'manner' && isDocumentation(sources);
  const shown = asksHow ? writePieces(quoteHowTo(question, weighed.ranked, sources), '\n\n') : [];
  const pieces = shown.length > 0 ? shown : compose(question, weighed.ranked, { deep, further });
  return { pieces, queries, excerpts, ...(weighed.others.length === 0 ? {} : { status: 'conflicting' }) };
}

/**
 * What is asked for literally: the row of a name, what the page about it says that it is, or the section whose heading is the
 * question. A few pages of prose have no such sections.
 */
function quoteDirectly(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const row = quoteNamed(question, sources) ?? quoteDefinition(question, sources, subjectRank);
  if (row !== undefined) return row;
  if (hasFewPages(sources)) {
    const list = quoteAskedList(question, sources);
    if (list !== undefined || !isDocumentation(sources)) return list;
  }
  const section = findAskedSection(question, sources);
  if (section === undefined || !section.isAsked) return undefined;
  // In a forum, what is below a question need not answer it.
  const said = relationsIn(section.units.map(({ text }) => text).join(' '));
  return saysOtherwise(relationsAsked(question.asked), said) ? undefined : section;
}

/** The row or the entry of a name, or the row of a figure. */
function quoteNamed(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  return quoteNamedRow(question, sources) ?? quoteNamedEntry(question, sources) ?? quoteAskedRow(question, sources);
}

/** From this server's own pages where the question can be about it, else from all. */
function answerFromDocumentation(question: AnalysedQuestion, sources: readonly Source[]): Answer {
  const ranked = rankForAnswer(question, sources);
  const own = ownPages(question, sources);
  const named = namedPages(question, sources);
  const section = findAskedSection(question, own);
  const direct =
    section?.isAsked && section.isQuestion ? section : (quoteNamed(question, own) ?? quoteNamed(question, named));
  if (direct !== undefined)
    return { pieces: writePieces([direct]), queries: [], excerpts: excerptSpans(question, ranked) };
  const pieces =
    own.length === 0
      ? []
      : quoteFrom(own, question, section, () => rankForAnswer(question, own), { minOdds: minOwnOdds, brief: true });
  const isMeant = sources.every(isOfPackage) && isAboutThisServer(question, sources);
  const found =
    pieces.length > 0 || isMeant
      ? pieces
      : quoteFrom(sources, question, findAskedSection(question, named), () => ranked, {
          brief: !sources.every(isOfPackage),
        });
  return { pieces: writePieces(found, '\n\n'), queries: [], excerpts: excerptSpans(question, ranked) };
}

/**
 * `section` if its heading asks the same, or a definition or difference, else what ranks best; of a section that is about what is asked, its
 * beginning, if the best is in it or nothing ranks well enough. `rank` is called if no rule answers by itself.
 */
function quoteFrom(
  sources: readonly Source[],
  question: AnalysedQuestion,
  section: AskedSection | undefined,
  rank: () => readonly RankedDocumentationUnit[],
  options: QuoteOptions = {},
): WritablePiece[] {
  if (!section?.isAsked || !section.isQuestion) {
    // What defines a name says more than what is only below it as a heading.
    const definition = quoteDefinition(question, sources);
    if (definition !== undefined) return [definition];
    const difference = quoteDifference(question, sources);
    if (difference.length > 0) return difference;
  }
  if (section?.isAsked) return question.kind === 'manner' ? [section, ...codeAfter(section)] : [section];
  const ranked = rank();
  const best = ranked[0];
  const isShown = options.brief && (question.kind !== 'manner' || section?.units.some(({ kind }) => kind === 'code'));
  if (section !== undefined && best !== undefined && section.units.includes(best.unit) && isShown) return [section];
  const pieces = quoteDocumentation(question, ranked, options);
  return pieces.length === 0 && section !== undefined ? [section] : pieces;
}

/** The steps that were taken, and after the last of them what is asked in the end. */
function answerLinked(
  { text, name, pieces: steps, missing }: FollowedLinks,
  sources: readonly Source[],
  deep: boolean,
): Pick<Answer, 'pieces' | 'queries' | 'status'> {
  const first = writePieces(steps);
  if (missing.length > 0) return { pieces: first, queries: missing, status: 'partial' };
  const aspects = aspectsIn(text, sources, deep);
  if (aspects.length > 0) {
    const { pieces, missing: queries } = answerParts(aspects, sources, deep);
    const answered = pieces.length === 0 ? [] : following(pieces, deep ? '\n\n' : ' ');
    return { pieces: [...first, ...answered], queries, ...(queries.length === 0 ? {} : { status: 'partial' }) };
  }
  const { question, ranked, fitting, isAnswerable: isAnswered } = answerOne(text, sources, name);
  const [best] = fitting;
  if (best === undefined || !isAnswered) return { pieces: first, queries: [text], status: 'partial' };
  const last = createPieces(question, ranked)(best);
  const isNew = !steps.some(({ units }) => last.units.every((unit) => units.includes(unit)));
  return { pieces: isNew ? writePieces([...steps, last]) : first, queries: [] };
}

/** Pieces after others. */
function following([first = '', ...rest]: readonly string[], gap: string): string[] {
  return [`${gap}${first}`, ...rest];
}

function aspectsIn(text: string, sources: readonly Source[], deep: boolean): Aspect[] {
  return aspectsOf(text, deep ? sources.map((source) => source.text) : []);
}

/** Passages without those that only say where to read, unless there are no others. */
function withoutIndexes(found: readonly Source[]): readonly Source[] {
  const saying = found.filter((source) => !isPointingList(source));
  return saying.length === 0 ? found : saying;
}

/** Whether a page is documentation of an installed package, by the address that the index has for it. */
function isOfPackage({ url }: Source): boolean {
  return /\/npm\/(?:@[^/]+\/)?[^/@]+@/.test(url);
}

/** The selected units as Markdown, one string a piece, whether or not the evidence answers. */
export function compose(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  options: AnswerOptions & { readonly further?: readonly RankedUnit[] } = {},
): string[] {
  const pieces = selectPieces(ranked, question, options);
  const [only, second] = pieces;
  const code = question.kind === 'manner' && only !== undefined && second === undefined ? codeAfter(only) : [];
  const shown = pieces.map((piece) => withName(piece, options.deep ? piece : shortenPiece(question, piece)));
  return writePieces([...shown, ...code]);
}

/** A piece of one long sentence, shortened; a sentence that needs its neighbours is whole. */
function shortenPiece(question: AnalysedQuestion, { source, units }: Piece): WritablePiece {
  const [unit, ...others] = units;
  if (unit === undefined || others.length > 0) return { source, units };
  const { kind, header, bullet } = unit;
  return { source, units: [{ kind, header, bullet, text: shorten(question, unit) }] };
}

/**
 * The best unit for each part of a question after the first, where the evidence answers that part. In a few pages a part that
 * says no "it" is asked alone: with the words of the first part, the unit that answers that part would win again.
 */
function bestForParts(parts: readonly QuestionPart[], sources: readonly Source[]): RankedUnit[] {
  return parts.flatMap(({ part, context }) => {
    const inContext = withContext(part, context);
    const isAlone = hasFewPages(sources) && !isContextDependent(part);
    for (const text of isAlone ? [part, inContext] : [inContext]) {
      const question = analyse(text);
      const ranked = rankUnits(question, sources);
      if (isAnswerable(question, ranked, sources)) return ranked.slice(0, 1);
    }
    return [];
  });
}
