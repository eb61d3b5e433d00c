/**
 * The second opinion on claims of which the check in code is not sure: all of them in one call of a model, after the text is
 * written. Its verdict counts; without one, because no model can, time or tokens are up, or the call fails, that of the code
 * does.
 */

import type { ClaimVerdict } from '../../../protocol/index.ts';
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

/** The judge's verdicts by `claimKey`; claims of which it said nothing are missing. */
export type Verdicts = ReadonlyMap<string, ClaimVerdict>;

/** Tells a claim from others of the same answer. */
export function claimKey({ n }: Evidence, text: string): string {
  return `${n} ${text}`;
}

/** Max. claims of one call, and characters of a passage on each side of the quote; set by hand. */
const maxClaims = 40;
const around = 500;
/** How long a reader waits for the verdicts, ms; set by hand. */
const maxJudgeMs = 5_000;

/** The model that judges claims of this search; undefined if none can. */
export function findJudge({ fallback, budget }: SearchContext): Model | undefined {
  if (budget.isOver('writing')) return undefined;
  return fallback.models('research').find(({ judgeClaims }) => judgeClaims !== undefined);
}

/** The verdicts on these claims, in one call. Rejects only with the signal's reason. */
export async function judgeClaims(context: SearchContext, claims: readonly ClaimInDoubt[]): Promise<Verdicts> {
  const { brief, fallback, budget, signal } = context;
  const judge = findJudge(context);
  const verdicts = new Map<string, ClaimVerdict>();
  if (judge?.judgeClaims === undefined || claims.length === 0) return verdicts;
  const asked = claims.slice(0, maxClaims).map(({ text, piece, found }): ClaimToJudge => {
    const start = Math.max(0, found.start - around);
    return { claim: text, title: piece.title, passage: piece.text.slice(start, found.end + around).toWellFormed() };
  });
  try {
    const stage = fallback.contextFor(judge, 'writing');
    const until = AbortSignal.any([stage.signal, AbortSignal.timeout(maxJudgeMs)]);
    const judged = await judge.judgeClaims(brief, asked, { ...stage, signal: until });
    for (const [at, { piece, text }] of claims.entries()) {
      const verdict = judged[at];
      if (verdict !== undefined) verdicts.set(claimKey(piece, text), verdict);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BudgetSpent) budget.stop(error.item);
  }
  return verdicts;
}
