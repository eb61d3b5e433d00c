/** Which sources Parallel's clients allow, as a search takes it. */
import {
  type ParallelSourcePolicy,
  type SearchRequest,
  type SourceRules,
  sourceRules,
} from '../../../protocol/index.ts';
import { domainLists } from '../domain-lists.ts';

type Narrowed = Partial<Pick<SearchRequest, 'source_whitelist' | 'source_blacklist' | 'from'>>;

/** Not yet validated. */
export function narrow(policy: ParallelSourcePolicy | null | undefined): Narrowed {
  const { include_domains, exclude_domains, after_date } = policy ?? {};
  return { ...domainLists(include_domains, exclude_domains), ...(after_date == null ? {} : { from: after_date }) };
}

/** What is excluded, also beside a whitelist. */
export function exclusions(policy: ParallelSourcePolicy | null | undefined): SourceRules {
  return sourceRules({ source_blacklist: policy?.exclude_domains ?? [] });
}
