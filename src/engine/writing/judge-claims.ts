/**
 * The second opinion on claims that the check in code is not sure of: all of them in one call of a model, after the text is
 * written, or in a few calls while a slow model still writes. Its verdict counts; without one (no model can judge, time or
 * tokens are up, or the call failed), the verdict of the code does.
 */

import type { ClaimVerdict } from '../../../protocol/index.ts';
import { timeLimit } from '../../base/abort.ts';
import { BudgetSpent } from '../budget.ts';
import type { ClaimToJudge, Model } from '../ports/model.ts';
import type { Evidence } from '../ports/snapshot.ts';
import type { SearchContext } from '../search-context.ts';
import type { LocatedClaim } from './locate-quote.ts';

/** A claim of the answer, the piece of evidence that it cites, and what the check found there. */
export interface ClaimInDoubt {
  readonly text: string;
  readonly piece: Evidence;
  readonly found: LocatedClaim;
}

/** The verdicts on the claims that a judge was asked about, by `claimKey`; undefined where it has none. */
export type Verdicts = ReadonlyMap<string, ClaimVerdict | undefined>;

/** The judge of one answer. */
export interface ClaimsJudge {
  /** Whether a call was begun, and its verdicts have not been taken. */
  isAsked(): boolean;
  /** Begins a call about these claims while the text is still written. One at a time. */
  ask(claims: readonly ClaimInDoubt[]): void;
  /** The verdicts of the call that was begun, once; undefined while it runs. */
  take(): Verdicts | undefined;
  /** Gives up the call that was begun. */
  stop(): void;
  /** The verdicts on these claims: of the call that was begun, and of one about the others. Rejects only with the signal's reason. */
  judge(claims: readonly ClaimInDoubt[]): Promise<Verdicts>;
}

/** A key that only this claim has within its answer. */
export function claimKey({ n }: Evidence, text: string): string {
  return `${n} ${text}`;
}

/** Max. claims of one call, and characters of a passage on each side of the quote; set by hand. */
const maxClaims = 40;
const around = 500;
/** How long a reader waits for the verdicts, ms; set by hand. */
const maxJudgeMs = 5_000;

/** The judge of an answer of this search; undefined if no model can judge. */
export function createClaimsJudge(context: SearchContext): ClaimsJudge | undefined {
  if (findJudge(context) === undefined) return undefined;
  let begun: { readonly verdicts: Promise<Verdicts>; readonly abort: AbortController; ended?: Verdicts } | undefined;
  return {
    isAsked: () => begun !== undefined,
    ask(claims) {
      const abort = new AbortController();
      const call: NonNullable<typeof begun> = { verdicts: judgeClaims(context, claims, abort.signal), abort };
      call.verdicts.then(
        (verdicts) => {
          call.ended = verdicts;
        },
        // The search was ended, which it notices by itself.
        () => {},
      );
      begun = call;
    },
    take() {
      const verdicts = begun?.ended;
      if (verdicts !== undefined) begun = undefined;
      return verdicts;
    },
    stop() {
      begun?.abort.abort();
      begun = undefined;
    },
    async judge(claims) {
      const known: Verdicts = (await begun?.verdicts) ?? new Map();
      begun = undefined;
      const others = claims.filter(({ piece, text }) => !known.has(claimKey(piece, text)));
      return new Map([...known, ...(await judgeClaims(context, others))]);
    },
  };
}

/** The model that judges claims of this search; undefined if none can. */
function findJudge({ fallback, budget }: SearchContext): Model | undefined {
  if (budget.isOver('writing')) return undefined;
  return fallback.models('research').find(({ judgeClaims }) => judgeClaims !== undefined);
}

/** The verdicts on these claims, in one call, until `stop` fires. Rejects only with the signal's reason. */
async function judgeClaims(
  context: SearchContext,
  claims: readonly ClaimInDoubt[],
  stop?: AbortSignal,
): Promise<Verdicts> {
  const { brief, fallback, budget, signal } = context;
  const judge = findJudge(context);
  const verdicts = new Map<string, ClaimVerdict | undefined>();
  for (const { piece, text } of claims) verdicts.set(claimKey(piece, text), undefined);
  if (judge?.judgeClaims === undefined || claims.length === 0) return verdicts;
  const asked = claims.slice(0, maxClaims).map(({ text, piece, found }): ClaimToJudge => {
    const start = Math.max(0, found.start - around);
    return { claim: text, title: piece.title, passage: piece.text.slice(start, found.end + around).toWellFormed() };
  });
  try {
    const stage = fallback.contextFor(judge, 'writing');
    const until = AbortSignal.any([stage.signal, timeLimit(maxJudgeMs), ...(stop === undefined ? [] : [stop])]);
    const judged = await judge.judgeClaims(brief, asked, { ...stage, signal: until });
    for (const [at, { piece, text }] of claims.entries()) verdicts.set(claimKey(piece, text), judged[at]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BudgetSpent) budget.stop(error.item);
  }
  return verdicts;
}
