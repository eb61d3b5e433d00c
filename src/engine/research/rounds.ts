/**
 * The loop of research: rounds of search, reading, ranking and reflection. It ends when there is enough, when a round
 * brings nothing new, when there is nothing left to search for, or when the rounds or the budget are used up. No query is
 * made twice, however a model spells it.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import type { Brief, Reflection, Tried } from '../ports/model.ts';
import type { Evidence, Snapshot } from '../ports/snapshot.ts';
import type { SearchContext } from '../search-context.ts';
import type { EarlySearch } from './early-search.ts';
import { createNotebook, type Notebook } from './evidence/notebook.ts';
import { createRanking, type Ranking } from './evidence/ranking.ts';
import { createWeigh, type Weigh } from './evidence/standing.ts';
import { createQueryDedup } from './query-dedup.ts';
import { rulesOf, type Scope, withDatesOf } from './scope.ts';

/** Why research ended. */
export type StopReason = 'enough' | 'nothing_new' | 'rounds' | 'seconds' | 'searches' | 'pages' | 'tokens';

export interface Rounds {
  readonly context: SearchContext;
  /** The query that was made while the model planned. */
  readonly early: EarlySearch | undefined;
  /** Weighs pages for its question. */
  readonly weigh: Weigh;
  /** The passages of all rounds. */
  readonly ranking: Ranking;
  /** The notes on them; empty unless the search is deep. */
  readonly notebook: Notebook;
  /** Pages read from the web, by snapshot id. */
  readonly fetched: Map<string, Snapshot>;
  /** What was searched for, and what could not be read, in all rounds. */
  readonly tried: { readonly queries: string[]; readonly failedPages: string[] };
  /** Canonical addresses of the pages that were read or tried. */
  readonly opened: Set<string>;
  /**
   * The outcome for each page that any branch of the research opened, by canonical address: a page is opened, and counted, once.
   */
  readonly reads: Map<string, Promise<Snapshot | undefined>>;
  scope(): Scope;
  /** The number of the current round, from 0. */
  round(): number;
  /** The queries of the current round. */
  queries(): readonly string[];
  /** Whether no round may follow the current one. */
  isLast(): boolean;
  /** Starts the next round; false when research is over. */
  begin(): boolean;
  /** What is asked, with the dates that still hold. */
  brief(): Brief;
  /** Whether the current round found passages that can be ranked. Dates and sources of the prompt that have none are lifted. */
  hasNews(): Generator<SearchEvent, boolean>;
  /** Takes the outcome of the current round. */
  conclude(evidence: readonly Evidence[], reflection: Reflection): void;
  /** The evidence, best first, numbered from 1; empty if nothing was found. Throws if the search was ended. */
  end(): { readonly evidence: readonly Evidence[]; readonly stop: StopReason };
}

/** What a branch of the research starts with. */
export interface RoundsStart {
  /** The queries of the first round, in addition to the early one. */
  readonly queries: readonly string[];
  readonly early?: EarlySearch | undefined;
  /** Shared by the branches of a search. */
  readonly reads?: Rounds['reads'];
  /** What other branches found and tried, if this one continues with it. */
  readonly before?: { readonly evidence: readonly Evidence[]; readonly tried: Tried };
}

/** A branch of the research that has not begun. */
export function createRounds(
  context: SearchContext,
  scope: Scope,
  { queries, early, reads = new Map(), before }: RoundsStart,
): Rounds {
  const { job, budget, signal } = context;
  const ownRules = rulesOf(job.request, context.brief);
  const weigh = createWeigh(context.brief);
  const ranking = createRanking(weigh);
  const notebook = createNotebook(before?.evidence);
  const dedup = createQueryDedup();
  const fetched = new Map<string, Snapshot>();
  const tried: Rounds['tried'] = {
    queries: [...(before?.tried.queries ?? [])],
    failedPages: [...(before?.tried.failedPages ?? [])],
  };
  let allowed = scope;
  let { brief } = context;
  let round = -1;
  let next = early === undefined || queries.some(early.has) ? queries : [...queries, early.query];
  let current: readonly string[] = [];
  let foundBefore = 0;
  let evidence: readonly Evidence[] = [];
  let stop: StopReason | undefined;

  /** The round does not count: a search of one round would otherwise end here, without ever having searched freely. */
  function repeat(): false {
    dedup.clear();
    round -= 1;
    return false;
  }

  const isLast = () => round + 1 === budget.rounds || stop !== undefined;

  return {
    context,
    early,
    weigh,
    ranking,
    notebook,
    fetched,
    tried,
    opened: new Set(),
    reads,
    scope: () => allowed,
    brief: () => brief,
    round: () => round,
    queries: () => current,
    isLast,

    begin() {
      if (isLast()) return false;
      round += 1;
      const wanted = dedup.unseen(next);
      // The early query was paid for when it was made.
      const unpaid = wanted.filter((query) => !early?.has(query));
      const left = new Set(unpaid.slice(budget.takeSearches(unpaid.length)));
      current = wanted.filter((query) => !left.has(query));
      if (current.length === 0) {
        stop = wanted.length > 0 ? 'searches' : 'nothing_new';
        return false;
      }
      dedup.add(current);
      tried.queries.push(...current);
      foundBefore = ranking.size(allowed);
      return true;
    },

    *hasNews() {
      if (foundBefore === 0 && ranking.size(allowed) === 0) {
        const undated = withDatesOf(job.request, allowed);
        const areOlder = ranking.size(undated) > 0;
        const hasSources = allowed.rules !== ownRules;
        if (areOlder || (!hasSources && (allowed.from !== undated.from || allowed.to !== undated.to))) {
          yield notMet('Nothing was found that was published within the timeframe of the prompt.');
          allowed = undated;
          brief = withDatesOf(job.request, brief);
          // Older pages that were read will do, also when there is no time to search on.
          if (!areOlder) return repeat();
        } else if (hasSources) {
          yield notMet('Nothing was found in the sources named in the prompt.');
          allowed = { ...allowed, rules: ownRules };
          return repeat();
        }
      }
      if (round > 0 && ranking.size(allowed) === foundBefore) stop = 'nothing_new';
      if (stop !== undefined) return false;
      if (budget.isOver('research')) {
        if (!isLast()) budget.stop('seconds');
        stop = 'seconds';
      }
      return true;
    },

    conclude(found, { enough, queries: missing }) {
      evidence = found;
      if (isLast()) stop ??= 'rounds';
      else if (enough) stop = 'enough';
      next = missing;
    },

    end() {
      signal.throwIfAborted();
      return { evidence, stop: budget.stopped() ?? stop ?? 'rounds' };
    },
  };
}

function notMet(message: string): SearchEvent {
  return { type: 'warning', code: 'source_wish_not_met', message };
}
