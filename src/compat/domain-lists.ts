/** The domains that clients of other services include and exclude, as the source lists of a search. */
import type { SearchRequest } from '../../protocol/index.ts';
import type { ForeignSearch } from '../service/calls.ts';

export interface DomainLists {
  /** Fields of a request: the lists of one are alternatives. */
  readonly lists: Partial<Pick<SearchRequest, 'source_whitelist' | 'source_blacklist'>>;
  /** What is excluded beside a whitelist. */
  readonly foreign: Pick<ForeignSearch, 'excluded'>;
}

/** Not yet validated. */
export function domainLists(
  included: readonly string[] | null | undefined,
  excluded: readonly string[] | null | undefined,
): DomainLists {
  const never = excluded == null || excluded.length === 0 ? undefined : [...excluded];
  if (included == null || included.length === 0) {
    return { lists: never === undefined ? {} : { source_blacklist: never }, foreign: {} };
  }
  return { lists: { source_whitelist: [...included] }, foreign: never === undefined ? {} : { excluded: never } };
}
