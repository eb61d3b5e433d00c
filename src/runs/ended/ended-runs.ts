/**
 * The runs of this process that have ended, for late readers: their logs are in a ring of blocks, and only their places in
 * it are in memory.
 */
import type { Run } from '../run.ts';
import { packRun, unpackRun } from './pack-run.ts';
import type { Block, Ring } from './ring.ts';

export interface EndedRuns {
  /** Keeps what readers need of the run, which must have ended. Resolves once it can be found, or cannot be kept. Never rejects. */
  add(run: Run): Promise<void>;
  has(search_id: string): boolean;
  /** Finds runs of this account only. */
  find(account_id: string, search_id: string): Promise<Run | undefined>;
  hasAny(account_id: string): boolean;
  forget(search_id: string): void;
  /** Forgets all of them, and closes the ring. */
  close(): Promise<void>;
}

interface Kept {
  readonly account_id: string;
  readonly block: Block;
  /** When it is forgotten, on the clock of `performance`, which is never set back. */
  readonly until: number;
  /** While somebody reads it. */
  run?: WeakRef<Run>;
}

/** Runs are forgotten after `retentionMs`, or before that when newer ones have replaced them in the ring. */
export function createEndedRuns(ring: Ring, retentionMs: number): EndedRuns {
  /** In the order in which they ended, by search_id. */
  const runs = new Map<string, Kept>();
  const byAccount = new Map<string, number>();
  let expiry: NodeJS.Timeout | undefined;

  function forget(search_id: string): void {
    const kept = runs.get(search_id);
    if (kept === undefined) return;
    runs.delete(search_id);
    const left = byAccount.get(kept.account_id)! - 1;
    if (left === 0) byAccount.delete(kept.account_id);
    else byAccount.set(kept.account_id, left);
  }

  /** Forgets the oldest that have been kept long enough or were replaced. */
  function sweep(): void {
    clearTimeout(expiry);
    const now = performance.now();
    for (const [search_id, { block, until }] of runs) {
      if (ring.holds(block) && until > now) {
        expiry = setTimeout(sweep, until - now).unref();
        break;
      }
      forget(search_id);
    }
  }

  return {
    async add(run) {
      const { search_id, account_id } = run;
      const block = await ring.write(packRun(run));
      if (block === undefined) return;
      forget(search_id);
      runs.set(search_id, { account_id, block, until: performance.now() + retentionMs });
      byAccount.set(account_id, (byAccount.get(account_id) ?? 0) + 1);
      sweep();
    },

    has: (search_id) => runs.has(search_id),

    async find(account_id, search_id) {
      const kept = runs.get(search_id);
      if (kept?.account_id !== account_id) return undefined;
      const known = kept.run?.deref();
      if (known !== undefined) return known;
      const bytes = await ring.read(kept.block);
      if (bytes === undefined || runs.get(search_id) !== kept) return undefined;
      const run = unpackRun(bytes);
      kept.run = new WeakRef(run);
      return run;
    },

    hasAny: (account_id) => byAccount.has(account_id),

    forget,

    async close() {
      clearTimeout(expiry);
      runs.clear();
      byAccount.clear();
      await ring.close();
    },
  };
}
