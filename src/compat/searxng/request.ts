/** A search as SearXNG's clients ask for it, as one of ours. */
import { parseSourceRule, type SearchRequest, type SearxngSearchQuery } from '../../../protocol/index.ts';
import type { ForeignSearch } from '../../service/calls.ts';
import { domainLists } from '../domain-lists.ts';
import { dateBefore, daysOfRange } from '../time-range.ts';

/** What a query says to search engines. */
export interface Operators {
  /** The query without them. */
  readonly prompt: string;
  readonly only: readonly string[];
  readonly never: readonly string[];
}

/** "site:a.example", "(site:a.example OR -site:"b.example")", with what joins them to the next one. */
const operator = /(?<![^\s|])\(?(-?)site:([^\s|]+)(?:\s*(?:\bOR\b|\bAND\b|\|)(?=\s*\(?-?site:))?/g;
/** What people write around a site. */
const around = /^["'(]+|["'),;]+$/g;

/** Takes out `site:` and `-site:`. One without a site remains, and so does the whole query if nothing else would. */
export function readOperators(query: string): Operators {
  const only: string[] = [];
  const never: string[] = [];
  const prompt = query
    .replace(operator, (whole, sign: string, written: string) => {
      const site = written.replace(around, '');
      if (parseSourceRule(site) === undefined) return whole;
      (sign === '-' ? never : only).push(site);
      return '';
    })
    .replace(/\s+/g, ' ')
    .trim();
  return { prompt: prompt === '' ? query : prompt, only, never };
}

/** `now` in ms since 1970. The request is not yet validated. */
export function searchOf(
  { time_range }: SearxngSearchQuery,
  { prompt, only, never }: Operators,
  now: number,
): ForeignSearch {
  const { lists, foreign } = domainLists(only, never);
  const request: Partial<SearchRequest> = {
    prompt,
    answer: false,
    effort: 'fast',
    ...lists,
    ...(time_range === '' ? {} : { from: dateBefore(now, daysOfRange(time_range)) }),
  };
  return { request, ...foreign };
}
