/** Searches and pages as Parallel's clients ask for them. The searches are not yet validated. */
import type { ParallelExtractRequest, ParallelSearchRequest, SearchRequest } from '../../../protocol/index.ts';
import type { ForeignSearch } from '../../service/calls.ts';
import { narrow } from './source-policy.ts';

/** A search for sources alone. */
export function searchOf(asked: ParallelSearchRequest): ForeignSearch {
  const { mode, collections, advanced_settings } = asked;
  const sources = narrow(advanced_settings?.source_policy);
  const request: Partial<SearchRequest> = {
    prompt: questionOf(asked) ?? '',
    answer: false,
    effort: mode == null || mode === 'advanced' ? 'balanced' : 'fast',
    ...sources.request,
    ...(collections == null ? {} : { collections }),
  };
  return { request, ...sources.foreign };
}

/** The objective, which is a question; the queries are only words of it. */
export function questionOf({
  objective,
  search_queries,
}: Pick<ParallelExtractRequest, 'objective' | 'search_queries'>): string | undefined {
  if (objective != null) return objective;
  const queries = search_queries ?? [];
  return queries.length === 0 ? undefined : queries.join('; ');
}
