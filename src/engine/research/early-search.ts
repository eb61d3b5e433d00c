/**
 * The question itself is searched for while a model still plans: a slow plan then costs the search no results. The first
 * round uses what was found. A plan that narrows the sources applies to it as well.
 */
import { allows } from '../../../protocol/index.ts';
import { maxQueryLength } from '../../base/values/query-length.ts';
import type { SearchContext } from '../search-context.ts';
import { isSameQuery } from './query-dedup.ts';
import { type Found, searchCorpus, searchProviders, searchQuery } from './query-search.ts';
import { type Scope, scopeOf } from './scope.ts';

export interface EarlySearch {
  readonly query: string;
  /** Whether this is the query that was made early. */
  has(query: string): boolean;
  /** The results within `scope`; providers are queried again if there are none. */
  found(scope: Scope): Promise<Found>;
}

/** With fewer searches than this, all are left to the plan; set by hand. */
const minSearches = 2;

/**
 * Starts the search, which counts against the budget. Undefined without a model that could be slow, or without searches to
 * spare.
 */
export async function beginEarlySearch(context: SearchContext): Promise<EarlySearch | undefined> {
  const { ports, job, brief, budget, signal } = context;
  const { fallbackModel } = ports;
  if (fallbackModel === undefined || budget.limits.searches < minSearches) return undefined;
  // The extractive plan takes a millisecond, and adds to a follow-up what it refers to.
  const { queries } = await fallbackModel.plan(brief, { signal, meter: budget.meter });
  const query = queries[0]!.replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).toWellFormed();
  budget.takeSearches(1);
  const wide = scopeOf(brief, job.request, { queries });
  const early = searchQuery(context, query, wide);
  early.catch(() => {});

  return {
    query,
    has: (other) => isSameQuery(other, query),
    async found(scope) {
      const found = await early;
      if (scope.rules === wide.rules) return found;
      const isOutside = found.providers > 0 && !found.lists.flat().some(({ url }) => allows(scope.rules, url));
      const again = isOutside && budget.takeSearches(1) === 1 ? searchProviders(context, query, scope) : undefined;
      const web = again ?? Promise.resolve(found);
      const [passages, hits] = await Promise.all([searchCorpus(context, query, scope, web), again]);
      return { ...found, passages, ...hits };
    },
  };
}
