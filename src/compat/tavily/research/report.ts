/** What a search has found as the report of research: the answer with its sources, or the values of a schema. */
import type { CompletedEvent, StructuredObject, TavilyResearch } from '../../../../protocol/index.ts';
import { answerText, sourcesBlock } from '../../answer-text.ts';

type Report = Required<Pick<TavilyResearch, 'content' | 'sources'>>;

/** The report of a search that has completed. */
export function reportOf(ended: CompletedEvent): Report {
  const { result, evidence, sources } = ended;
  if (evidence !== undefined) return { content: result as StructuredObject, sources: citedIn(ended) };
  const text = answerText(ended);
  return { content: text + sourcesBlock(text, sources), sources: citedIn(ended) };
}

/** The sources that citations are from, in the order of their numbers. */
export function citedIn({ citations, sources }: Pick<CompletedEvent, 'citations' | 'sources'>): Report['sources'] {
  const cited = new Set(citations.map(({ n }) => n));
  return sources.filter(({ n }) => cited.has(n)).map(({ title, url }) => ({ title: title || url, url }));
}
