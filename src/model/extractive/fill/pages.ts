/** The passages that a template is filled from, with their statements: those of the pages that the prompt is about. */
import type { AnalysedQuestion } from '../question/analyse.ts';
import { readPassage, type Source, stemsOfUnit } from '../text/passages.ts';
import { isContinentalText } from './numbers/measures.ts';
import { readStatements, type Statement } from './statements.ts';

export interface Page {
  readonly source: Source;
  readonly statements: readonly Statement[];
  /** Stems of all statements and their headings. */
  readonly stems: ReadonlySet<string>;
  /** How much of the prompt the passage's page has, 0 to 1. */
  readonly relevance: number;
  /** Whether it is in a language that separates thousands with a full stop. */
  readonly isContinental: boolean;
}

// Set by hand.
/** A page that has less of the prompt than this is about something else. */
const minRelevance = 0.3;
/** How much less of the prompt than the best page another may have. */
const maxGap = 0.2;

/** One for each passage, those of the most relevant page first. */
export function readPages(question: AnalysedQuestion, sources: readonly Source[]): Page[] {
  const byUrl = new Map<string, Set<string>>();
  for (const source of sources) {
    const passage = readPassage(source);
    const stems = byUrl.get(source.url) ?? new Set();
    for (const stem of [...passage.titleStems, ...passage.headingStems]) stems.add(stem);
    for (const unit of passage.units) for (const stem of [...stemsOfUnit(unit), ...unit.sectionStems]) stems.add(stem);
    byUrl.set(source.url, stems);
  }
  const total = question.terms.reduce((sum, { weight }) => sum + weight, 0);
  const relevanceOf = (stems: ReadonlySet<string>) =>
    total === 0 ? 0 : question.terms.reduce((sum, { stem, weight }) => sum + (stems.has(stem) ? weight : 0), 0) / total;
  const relevances = new Map([...byUrl].map(([url, stems]) => [url, relevanceOf(stems)]));
  const best = Math.max(0, ...relevances.values());
  return sources
    .map((source) => ({ source, relevance: relevances.get(source.url)! }))
    .filter(({ relevance }) => relevance >= Math.max(minRelevance, best - maxGap))
    .map(({ source, relevance }) => {
      const statements = readStatements(readPassage(source), source);
      const stems = new Set(statements.flatMap(({ own, context }) => [...own, ...context]));
      return { source, relevance, statements, stems, isContinental: isContinentalText(source.text) };
    })
    .sort((a, b) => b.relevance - a.relevance);
}
