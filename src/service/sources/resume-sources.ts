/**
 * Resumes the sources that were waiting or being read when a server stopped: those that wait when this one starts immediately, and
 * those of a server that is gone, or of an account that is active again, once they have gone untouched for longer than a living
 * server would leave them. Of several servers, one takes each.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanName } from '../../access/plans.ts';
import { AppError } from '../../base/errors.ts';
import { everybody, isResumed } from '../../base/source-names.ts';
import type { Indexer } from '../../sources/indexer.ts';
import type { SourceIndex, StoredSource } from '../../sources/source-index.ts';
import { indexingLimits } from './sources.ts';

/** Longer than a source that is being indexed goes without being touched, ms: see corpus/sources/source-tables.ts. */
const laterMs = 65_000;
/**
 * Longer than a source that waits goes without being touched, ms (sources/indexer.ts), and how often sources are looked at while
 * none is being read. Set by hand; less often than threads of the index collect their garbage after a rest, see
 * base/memory/collect-garbage.ts.
 */
const leftMs = 2 * 60_000;
const everyMs = 3 * 60_000;

export interface ResumeParts {
  readonly index: Pick<SourceIndex, 'list' | 'take'>;
  readonly indexer: Indexer;
  readonly accounts: () => Promise<
    readonly { readonly id: string; readonly plan: PlanName; readonly status: string }[]
  >;
  readonly onFault: (error: unknown) => void;
  /** The times above, for tests. */
  readonly times?: { readonly laterMs: number; readonly leftMs: number; readonly everyMs: number };
}

/**
 * Looks now, and every few minutes; while a source is being read, a little more than a minute later, as the process that reads it
 * may die. Sources of inactive accounts stay as they are.
 */
export function resumeSources({ index, indexer, accounts, onFault, times }: ResumeParts): void {
  const wait = times ?? { laterMs, leftMs, everyMs };

  /** Resumes what is left, and what has waited untouched for this long; resolves with whether something was being read. */
  async function look(untouchedMs: number): Promise<boolean> {
    const all = await index.list();
    const left = all.filter((source) => isLeft(source, untouchedMs));
    if (left.length === 0) return all.some(({ state }) => state === 'indexing');
    const planOf = new Map(
      (await accounts()).map(({ id, plan, status }) => [id, status === 'active' ? plan : undefined]),
    );
    for (const source of left) {
      // Sources for everybody have the same limits under every plan.
      const plan = source.owner === everybody ? 'pro' : planOf.get(source.owner);
      if (plan !== undefined && (await index.take(source))) indexer.start(source, indexingLimits(source, plan));
    }
    return all.some(({ state }) => state === 'indexing');
  }

  /** An outage of the store or of the index is reported elsewhere. */
  function report(error: unknown): undefined {
    if (!indexer.closed.aborted && !(error instanceof AppError)) onFault(error);
  }

  async function keepLooking(): Promise<void> {
    let isBeingRead = await look(0).catch(report);
    for (;;) {
      await sleep(isBeingRead ? wait.laterMs : wait.everyMs, undefined, { ref: false, signal: indexer.closed });
      isBeingRead = await look(wait.leftMs).catch(report);
    }
  }

  // Ends when the indexer is closed.
  keepLooking().catch(() => {});
}

/** Whether nobody has read it, or had it wait, for so long. Sources that only the command line reads again are left alone. */
function isLeft({ source, state, interrupted, untouched_ms }: StoredSource, untouchedMs: number): boolean {
  return isResumed(source) && (interrupted === true || (state === 'waiting' && untouched_ms >= untouchedMs));
}
