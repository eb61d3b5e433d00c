/** Titles of pages as they are looked up: a query that is a title, or asks what it means, finds its page. */
import { namesAsked } from '../../base/text/names/asked-names.ts';

/** A title or query reduced to its words; "git-gc(1)" is `git gc`. */
export function titleKey(title: string): string {
  return title
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\(\d[a-z]{0,3}\)\s*$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The keys of pages that a query is the title of, or asks the meaning of: "what does git gc do", "difference between json and jsonb". */
export function titlesAsked(query: string): string[] {
  return [...new Set([query, ...namesAsked(query)].map(titleKey))].filter((key) => key !== '');
}
