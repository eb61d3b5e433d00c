/**
 * What a search may spend: seconds, search queries, pages and tokens. The effort sets the limits, `max` and the run's
 * deadline lower them, and everything that costs is checked here first. Time is divided in two: research ends early enough
 * to write an answer from what it found, and writing ends early enough to finish before the deadline.
 */
import type { SearchRequest } from '../../protocol/index.ts';
import type { Meter } from './ports/model.ts';
import type { ResearchState } from './research-state.ts';

export type BudgetItem = 'seconds' | 'searches' | 'pages' | 'tokens';

/** The name of the item in messages. */
export function budgetItemName(item: BudgetItem): string {
  return item === 'seconds' ? 'time' : item;
}

/** Thrown by `Meter.admit` and by expired phases: the search continues without what it asked for. */
export class BudgetSpent extends Error {
  readonly item: BudgetItem;
  /** The phase whose time is over, if that is the reason. */
  readonly phase: Phase | undefined;
  constructor(item: BudgetItem, phase?: Phase) {
    super(`The search has used up its ${budgetItemName(item)}.`);
    this.name = 'BudgetSpent';
    this.item = item;
    this.phase = phase;
  }
}

/** The reason of a signal of `Budget.stageLimit`: the model took too long, and the search continues without it. */
export class StageTimeout extends Error {
  constructor() {
    super('it did not answer in time.');
    this.name = 'StageTimeout';
  }
}

export interface Budget extends Effort {
  readonly meter: Meter;
  /** How many of the wanted queries may be made. They count as made. */
  takeSearches(wanted: number): number;
  /** How many more pages may be read. */
  pagesLeft(): number;
  /** Fires when the phase's time is over, or together with the search's own signal. */
  until(phase: Phase): AbortSignal;
  /** Fires when a stage of research that begins now has had its share of the time, or together with `until('research')`. */
  stageLimit(): AbortSignal;
  /** Whether the phase's time is over. */
  isOver(phase: Phase): boolean;
  /** Milliseconds until the phase's time is over; 0 if it is. */
  msLeft(phase: Phase): number;
  /** Records that something was left out because this had run out. */
  stop(item: BudgetItem): void;
  /** The item that ran out first, if anything had to be left out. */
  stopped(): BudgetItem | undefined;
  /** Clears its timers. */
  close(): void;
}

export type Phase = 'research' | 'writing';

interface Effort {
  /** Max. rounds of research. */
  readonly rounds: number;
  /** Max. pieces of evidence that an answer is written from. */
  readonly passages: number;
  readonly limits: Readonly<Record<BudgetItem, number>>;
}

/** Set by hand: `fast` for short waits, `balanced` ends before a plain answer's deadline, `deep` before a stream's. */
export const efforts: Record<SearchRequest['effort'], Effort> = {
  fast: { rounds: 1, passages: 10, limits: { seconds: 20, searches: 6, pages: 5, tokens: 40_000 } },
  balanced: { rounds: 2, passages: 16, limits: { seconds: 50, searches: 12, pages: 12, tokens: 120_000 } },
  deep: { rounds: 4, passages: 20, limits: { seconds: 115, searches: 40, pages: 40, tokens: 500_000 } },
};

/** The share of the time after which each phase must be over; set by hand. */
const shares: Record<Phase, number> = { research: 0.55, writing: 0.9 };

/** The share of the research time that one stage may take: a slow model must leave time to search and read. Set by hand. */
const stageShare = 0.25;

/** `seconds` is the time until the run's deadline. `usage` is where the spending is recorded. */
export function createBudget(
  request: SearchRequest,
  seconds: number,
  { usage }: Pick<ResearchState, 'usage'>,
  signal: AbortSignal,
): Budget {
  const effort = efforts[request.effort];
  const limitOf = (item: BudgetItem) => Math.min(effort.limits[item], request.max?.[item] ?? Number.POSITIVE_INFINITY);
  const limits = {
    // Nobody waits for a search in the background.
    seconds:
      request.background === true
        ? Math.min(request.max?.seconds ?? seconds, seconds)
        : Math.min(limitOf('seconds'), seconds),
    searches: limitOf('searches'),
    pages: limitOf('pages'),
    tokens: limitOf('tokens'),
  };
  const begunAt = performance.now();
  const timers: NodeJS.Timeout[] = [];
  const phases = new Map<Phase, AbortSignal>();
  let first: BudgetItem | undefined;

  const endOf = (phase: Phase) => begunAt + 1000 * limits.seconds * shares[phase];
  /** Tokens reserved by calls in progress; a deep search may have several. */
  let reserved = 0;
  const left = () => limits.tokens - usage.tokens_in - usage.tokens_out - reserved;
  const stop = (item: BudgetItem) => {
    first ??= item;
  };
  const isOver = (phase: Phase) => performance.now() >= endOf(phase);
  const msLeft = (phase: Phase) => Math.max(0, endOf(phase) - performance.now());

  function until(phase: Phase): AbortSignal {
    const known = phases.get(phase);
    if (known !== undefined) return known;
    const over = new AbortController();
    timers.push(setTimeout(() => over.abort(new BudgetSpent('seconds', phase)), msLeft(phase)));
    const either = AbortSignal.any([signal, over.signal]);
    phases.set(phase, either);
    return either;
  }

  return {
    rounds: effort.rounds,
    passages: effort.passages,
    limits,
    meter: {
      admit(tokens, answer = 0) {
        const item = isOver('writing') ? 'seconds' : tokens >= left() ? 'tokens' : undefined;
        if (item === undefined) {
          usage.model_calls += 1;
          reserved += tokens + answer;
        } else if (item === 'seconds') throw new BudgetSpent(item, 'writing');
        else {
          stop(item);
          throw new BudgetSpent(item);
        }
      },
      free(tokens) {
        reserved -= tokens;
      },
      left,
      exhausted() {
        stop('tokens');
        return new BudgetSpent('tokens');
      },
      record(tokens) {
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
    until,
    stageLimit() {
      const over = new AbortController();
      const ms = 1000 * limits.seconds * shares.research * stageShare;
      timers.push(setTimeout(() => over.abort(new StageTimeout()), ms));
      return AbortSignal.any([until('research'), over.signal]);
    },
    isOver,
    msLeft,
    stop,
    stopped: () => first,
    close: () => timers.forEach(clearTimeout),
  };
}
