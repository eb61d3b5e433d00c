/**
 * Whether the store keeps what it is given right now. Asking the disk for its free space would miss quotas, read-only disks
 * and databases elsewhere, so a row is written and removed.
 */
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../base/store-unavailable.ts';
import type { Tables } from './tables/tables.ts';

/** How long a result holds: the check costs a commit, and anyone may ask. Set by hand. */
const freshMs = 1_000;
/** How long to wait for the commit. Set by hand: load balancers wait a few seconds for an answer. */
const answerMs = 2_000;
/** Not the name of a migration. */
const probe = 'check';

/** Rejects with `overloaded` while nothing can be written. Calls within a second share a result. */
export function createStoreCheck(db: Kysely<Tables>): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  /** No other connection ever sees the row. An update that changes nothing would not do: SQLite does not write it. */
  const write = () =>
    db.transaction().execute(async (trx) => {
      await trx.insertInto('migrations').values({ name: probe, applied_at: '' }).execute();
      await trx.deleteFrom('migrations').where('name', '=', probe).execute();
    });

  async function check(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = storeUnavailable(`The database did not answer within ${answerMs / 1000} s.`);
      timer = setTimeout(reject, answerMs, error);
    });
    const written = write();
    written.catch(() => {});
    try {
      await Promise.race([written, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    if (last === undefined || performance.now() - last.at > freshMs) {
      last = { at: performance.now(), outcome: check() };
      last.outcome.catch(() => {});
    }
    return last.outcome;
  };
}
