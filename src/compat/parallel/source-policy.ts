/** Which sources Parallel's clients allow, as a search takes it. */
import type { ParallelSourcePolicy, SearchRequest } from '../../../protocol/index.ts';
import { type DomainLists, domainLists } from '../domain-lists.ts';

interface Narrowed extends Pick<DomainLists, 'foreign'> {
  readonly request: DomainLists['lists'] & Pick<Partial<SearchRequest>, 'from'>;
}

/** Not yet validated. */
export function narrow(policy: ParallelSourcePolicy | null | undefined): Narrowed {
  const { include_domains, exclude_domains, after_date } = policy ?? {};
  const { lists, foreign } = domainLists(include_domains, exclude_domains);
  return { request: { ...lists, ...(after_date == null ? {} : { from: after_date }) }, foreign };
}
