/**
 * What a search may spend: seconds, search queries, pages and tokens. The effort sets it, `max` and the run's deadline
 * lower it, and everything paid asks here before it begins. Time is cut in two: research ends early enough for an answer
 * to be written from what it found, and writing early enough for the search to end by itself and not by its deadline.
 */
import type { SearchRequest } from '../../protocol/index.ts';
import type { Meter } from './ports/model.ts';
import type { SearchState } from './search-state.ts';

export type BudgetItem = 'seconds' | 'searches' | 'pages' | 'tokens';

/** Thrown by `Meter.admit`: the search goes on without what was asked for. */
export class BudgetSpent extends Error {
  readonly item: BudgetItem;
  constructor(item: BudgetItem) {
    super(`The search has used up its ${item}.`);
    this.name = 'BudgetSpent';
    this.item = item;
  }
}

export interface Budget extends Effort {
  readonly meter: Meter;
  /** How many of the queries that are wanted may be made; they count as made. */
  takeSearches(wanted: number): number;
  /** How many more pages may be read. */
  pagesLeft(): number;
  /** Fires when this phase's time is over, or with the search's own signal. */
  until(phase: Phase): AbortSignal;
  isOver(phase: Phase): boolean;
  /** Notes that something that was wanted could not be had. */
  stop(item: BudgetItem): void;
  /** What ran out first, if anything was left undone for it. */
  stopped(): BudgetItem | undefined;
  /** Ends its timers. */
  close(): void;
}

type Phase = 'research' | 'writing';

interface Effort {
  readonly rounds: number;
  /** Pieces of evidence that an answer is written from. */
  readonly passages: number;
  readonly limits: Readonly<Record<BudgetItem, number>>;
}

const efforts: Record<SearchRequest['effort'], Effort> = {
  fast: { rounds: 1, passages: 10, limits: { seconds: 20, searches: 6, pages: 5, tokens: 40_000 } },
  balanced: { rounds: 2, passages: 16, limits: { seconds: 50, searches: 12, pages: 12, tokens: 120_000 } },
  deep: { rounds: 4, passages: 20, limits: { seconds: 115, searches: 40, pages: 40, tokens: 500_000 } },
};

/** Shares of the time by which each phase has to be over. */
const shares: Record<Phase, number> = { research: 0.55, writing: 0.9 };

/** `seconds` is what the run has until its deadline. */
export function createBudget(
  request: SearchRequest,
  seconds: number,
  { usage }: Pick<SearchState, 'usage'>,
  signal: AbortSignal,
): Budget {
  const effort = efforts[request.effort];
  const least = (item: BudgetItem) => Math.min(effort.limits[item], request.max?.[item] ?? Number.POSITIVE_INFINITY);
  const limits = {
    seconds: Math.min(least('seconds'), seconds),
    searches: least('searches'),
    pages: least('pages'),
    tokens: least('tokens'),
  };
  const begun = performance.now();
  const timers: NodeJS.Timeout[] = [];
  const phases = new Map<Phase, AbortSignal>();
  let first: BudgetItem | undefined;

  const endOf = (phase: Phase) => begun + 1000 * limits.seconds * shares[phase];
  const left = () => limits.tokens - usage.tokens_in - usage.tokens_out;
  const stop = (item: BudgetItem) => {
    first ??= item;
  };
  const isOver = (phase: Phase) => performance.now() >= endOf(phase);

  return {
    rounds: effort.rounds,
    passages: effort.passages,
    limits,
    meter: {
      admit(tokens) {
        const item = isOver('writing') ? 'seconds' : tokens >= left() ? 'tokens' : undefined;
        if (item === undefined) usage.model_calls += 1;
        else {
          stop(item);
          throw new BudgetSpent(item);
        }
      },
      left,
      spent(tokens) {
        usage.tokens_in += tokens.in;
        usage.tokens_out += tokens.out;
      },
    },
    takeSearches(wanted) {
      const granted = Math.max(0, Math.min(wanted, limits.searches - usage.searches));
      if (granted < wanted) stop('searches');
      usage.searches += granted;
      return granted;
    },
    pagesLeft: () => limits.pages - usage.pages,
    until(phase) {
      const known = phases.get(phase);
      if (known !== undefined) return known;
      const over = new AbortController();
      timers.push(
        setTimeout(() => over.abort(new BudgetSpent('seconds')), Math.max(0, endOf(phase) - performance.now())),
      );
      const either = AbortSignal.any([signal, over.signal]);
      phases.set(phase, either);
      return either;
    },
    isOver,
    stop,
    stopped: () => first,
    close: () => timers.forEach(clearTimeout),
  };
}
