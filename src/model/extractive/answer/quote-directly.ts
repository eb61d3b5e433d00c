/** Answers that need no ranking, as the question names them. */
import { findAskedSection } from '../documentation/asked-section.ts';
import { quoteDefinition, subjectRank } from '../documentation/definition.ts';
import { isDocumentation } from '../documentation/documentation-features.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { relationsAsked, relationsIn, saysOtherwise } from '../question/relations.ts';
import { readsAsFewPages } from '../rank/few-pages/few-pages.ts';
import type { Source } from '../text/passages.ts';
import { quoteAskedList } from './asked-list.ts';
import { quoteNamed } from './from-documentation.ts';
import type { WritablePiece } from './write-pieces.ts';

/**
 * What is asked for literally: the row of a name, what the page about it says that it is, or the section whose heading is the
 * question. A few pages of prose have no such sections.
 */
export function quoteDirectly(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const row = quoteNamed(question, sources) ?? quoteDefinition(question, sources, subjectRank);
  if (row !== undefined) return row;
  if (readsAsFewPages(sources)) {
    const list = quoteAskedList(question, sources);
    if (list !== undefined || !isDocumentation(sources)) return list;
  }
  const section = findAskedSection(question, sources);
  if (section === undefined || !section.isAsked) return undefined;
  // In a forum, what is below a question need not answer it.
  const said = relationsIn(section.units.map(({ text }) => text).join(' '));
  return saysOtherwise(relationsAsked(question.asked), said) ? undefined : section;
}
