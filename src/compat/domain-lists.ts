/** The domains that clients of other services include and exclude, as the source lists of a search. */
import type { SearchRequest } from '../../protocol/index.ts';

/** Ours are alternatives: what is excluded beside a whitelist is left out of the results instead. */
export function domainLists(
  included: readonly string[] | null | undefined,
  excluded: readonly string[] | null | undefined,
): Partial<Pick<SearchRequest, 'source_whitelist' | 'source_blacklist'>> {
  if (included != null && included.length > 0) return { source_whitelist: [...included] };
  return excluded != null && excluded.length > 0 ? { source_blacklist: [...excluded] } : {};
}
