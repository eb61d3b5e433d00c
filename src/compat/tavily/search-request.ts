/** A search as Tavily's clients ask for it, as one of ours. */
import type { SearchRequest, TavilySearchRequest } from '../../../protocol/index.ts';
import { domainLists } from '../domain-lists.ts';

const dayMs = 86_400_000;
/** Days of each range; months and years as Tavily counts them are not known, so they are rounded up. */
const rangeDays = { d: 1, w: 7, m: 31, y: 366 } as const;

/** `now` in ms since 1970. The request is not yet validated. */
export function tavilySearch(asked: TavilySearchRequest, now: number): Partial<SearchRequest> {
  const { query, search_depth, include_domains, exclude_domains } = asked;
  const from = earliest(asked, now);
  return {
    prompt: query,
    ...(asked.include_answer ? {} : { answer: false }),
    effort: search_depth === 'advanced' ? 'balanced' : 'fast',
    ...domainLists(include_domains?.map(withoutWildcard), exclude_domains?.map(withoutWildcard)),
    ...(asked.collections == null ? {} : { collections: asked.collections }),
    ...(from === undefined ? {} : { from }),
    ...(asked.end_date == null ? {} : { to: asked.end_date }),
  };
}

/** An ISO date. Older clients send three `days` with every search, which are meant for news alone. */
function earliest({ start_date, time_range, topic, days }: TavilySearchRequest, now: number): string | undefined {
  if (start_date != null) return start_date;
  const recent = topic === 'news' ? days : undefined;
  const range = time_range == null ? recent : rangeDays[time_range[0] as keyof typeof rangeDays];
  return range == null ? undefined : new Date(now - range * dayMs).toISOString().slice(0, 10);
}

/** A host includes its subdomains here. */
function withoutWildcard(domain: string): string {
  return domain.replace(/^\*\./, '');
}
