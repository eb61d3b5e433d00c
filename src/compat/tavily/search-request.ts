/** A search as Tavily's clients ask for it, as one of ours. */
import type { SearchRequest, TavilySearchRequest } from '../../../protocol/index.ts';
import type { ForeignSearch } from '../../service/calls.ts';
import { domainLists } from '../domain-lists.ts';
import { dateBefore, daysOfRange } from '../time-range.ts';

/** `now` in ms since 1970. The request is not yet validated. */
export function tavilySearch(asked: TavilySearchRequest, now: number): ForeignSearch {
  const { query, search_depth, include_domains, exclude_domains } = asked;
  const from = earliest(asked, now);
  const { lists, foreign } = domainLists(include_domains, exclude_domains);
  const request: Partial<SearchRequest> = {
    prompt: query,
    ...(asked.include_answer ? {} : { answer: false }),
    effort: search_depth === 'advanced' ? 'balanced' : 'fast',
    ...lists,
    ...(asked.collections == null ? {} : { collections: asked.collections }),
    ...(from === undefined ? {} : { from }),
    ...(asked.end_date == null ? {} : { to: asked.end_date }),
  };
  return { request, ...foreign };
}

/** An ISO date. Older clients send three `days` with every search, which are meant for news alone. */
function earliest({ start_date, time_range, topic, days }: TavilySearchRequest, now: number): string | undefined {
  if (start_date != null) return start_date;
  const recent = topic === 'news' ? days : undefined;
  const range = time_range == null ? recent : daysOfRange(time_range);
  return range == null ? undefined : dateBefore(now, range);
}
