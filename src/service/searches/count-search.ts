/** Counts what searches used: for the metrics of the process, and for the usage and the quotas of accounts. */
import type { TerminalEvent } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import type { Metrics, SearchKind } from '../../base/metrics.ts';
import type { TokenCounts } from '../../engine/ports/token-counts.ts';
import { stateOf } from '../../runs/replay.ts';
import type { CallAccess } from '../calls.ts';

export interface CountingParts {
  readonly access: CallAccess;
  readonly metrics: Metrics;
}

/** Counts a search that has ended; `created_at` is when it began, in ISO 8601, and `seconds` how long it ran. */
export function countEnded(
  parts: CountingParts,
  caller: Caller,
  ended: {
    readonly terminal: TerminalEvent;
    readonly kind: SearchKind;
    readonly created_at: string;
    readonly seconds: number;
  },
): void {
  const { metrics } = parts;
  const { terminal, kind, created_at, seconds } = ended;
  metrics.searchEnded(stateOf(terminal), seconds, kind);
  const stages = 'timings' in terminal ? terminal.timings.stages : {};
  for (const [stage, ms] of Object.entries(stages)) metrics.stage(stage, ms / 1000);
  const { models, dropped_citations, tokens_in, tokens_out } = terminal.usage;
  metrics.droppedCitations(dropped_citations);
  // Beside another model, the extractive one has taken over from it.
  if (models.length > 1 && models.includes('extractive')) metrics.modelFallback();
  // Counted in the minute in which the search is listed, so that both agree on the day.
  countTokens(parts, caller, { in: tokens_in, out: tokens_out }, Date.parse(created_at));
}

/** Counts the tokens of models; `at` is when their search began, in ms since 1970, by default now. */
function countTokens({ access, metrics }: CountingParts, caller: Caller, tokens: TokenCounts, at?: number): void {
  for (const [direction, count] of [['input', tokens.in] as const, ['output', tokens.out] as const]) {
    if (count === 0) continue;
    metrics.tokens(direction, count);
    access.usage.count(caller.key_id, `${direction}_tokens`, count, at);
  }
  void access.quotas?.addTokens(caller, tokens.in + tokens.out);
}

/** The tokens of models that a caller may spend outside of searches. */
export interface TokenAllowance {
  /** Whether the quotas of the account leave any. */
  hasAny(): Promise<boolean>;
  /** Counts what was spent. */
  spend(tokens: TokenCounts): void;
}

/** The allowance of one caller; what is spent counts for the metrics, too. */
export function createTokenAllowance(parts: CountingParts, caller: Caller): TokenAllowance {
  return {
    hasAny: async () => (await parts.access.quotas?.hasTokens(caller)) ?? true,
    spend: (tokens) => countTokens(parts, caller, tokens),
  };
}
