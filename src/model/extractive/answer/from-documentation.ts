/** Answers from documentation: of installed packages, of this server itself, or of many pages of somebody's own. */
import type { PassageSpan } from '../../../engine/ports/model.ts';
import { type AskedSection, findAskedSection } from '../documentation/asked-section.ts';
import { codeAfter } from '../documentation/beginning.ts';
import { type QuoteOptions, quoteDocumentation } from '../documentation/compose.ts';
import { quoteDefinition } from '../documentation/definition.ts';
import { quoteDifference } from '../documentation/difference.ts';
import { type RankedDocumentationUnit, rankForAnswer } from '../documentation/documentation.ts';
import { quoteNamedEntry } from '../documentation/named-entry.ts';
import { quoteAskedRow, quoteNamedRow } from '../documentation/named-row.ts';
import { isAboutThisServer, namedPages, ownPages } from '../documentation/own-pages.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';
import { excerptSpans } from './excerpts.ts';
import { type WritablePiece, writePieces } from './write-pieces.ts';

/**
 * Log odds from which this server's own pages answer a question that names no package. The odds were learned on questions that name
 * theirs, which this one need not; set by hand on `npm run bench -- documentation`.
 */
const minOwnOdds = -1.6;

/** As in `Answer`. */
export interface DocumentationAnswer {
  readonly pieces: readonly string[];
  readonly excerpts: readonly PassageSpan[];
}

/** From this server's own pages where the question can be about it, else from all. */
export function answerFromDocumentation(question: AnalysedQuestion, sources: readonly Source[]): DocumentationAnswer {
  const ranked = rankForAnswer(question, sources);
  const own = ownPages(question, sources);
  const named = namedPages(question, sources);
  const section = findAskedSection(question, own);
  const direct =
    section?.isAsked && section.isQuestion ? section : (quoteNamed(question, own) ?? quoteNamed(question, named));
  if (direct !== undefined) return { pieces: writePieces([direct]), excerpts: excerptSpans(question, ranked) };
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
  return { pieces: writePieces(found, '\n\n'), excerpts: excerptSpans(question, ranked) };
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
  options: QuoteOptions,
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

/** The row or the entry of a name, or the row of a figure. */
export function quoteNamed(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  return quoteNamedRow(question, sources) ?? quoteNamedEntry(question, sources) ?? quoteAskedRow(question, sources);
}

/** Whether a page is documentation of an installed package, by the address that the index has for it. */
export function isOfPackage({ url }: Source): boolean {
  return /\/npm\/(?:@[^/]+\/)?[^/@]+@/.test(url);
}
