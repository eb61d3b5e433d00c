/**
 * Calls about searches that were started earlier: reading, listing, cancelling and removing them. A search that the caller may
 * not see gets the same answer as one that does not exist.
 */

import type { Cancelling, SearchList, SearchListQuery, SearchRecord, SearchRemoved } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import { markOf, maySee } from '../../access/restriction.ts';
import { checkScope } from '../../access/scopes.ts';
import { sleep } from '../../base/abort.ts';
import { AppError } from '../../base/errors.ts';
import type { Echoed, RunRecords } from '../../runs/records/run-records.ts';
import type { ThreadRecords } from '../../runs/records/thread-records.ts';
import type { Registry } from '../../runs/registry.ts';
import type { Run } from '../../runs/run.ts';
import type { Call, CallAccess } from '../calls.ts';
import type { LargeRead } from '../large-reads.ts';
import type { BackgroundRuns } from './background.ts';
import {
  costOf,
  describeSearch,
  type FoundLog,
  type FoundSearch,
  filterOf,
  summarizeSearch,
  summarizeWaiting,
} from './describe-search.ts';
import { findOwn, noSearch } from './own-searches.ts';

export interface EarlierSearchCalls {
  /** One of the caller's searches, as its record. Rejects with 404. */
  read(call: Call, search_id: string): Promise<SearchRecord>;
  /** The same, with what its protocol repeats of the request, and its run while there is one. Rejects with 404. */
  readWithEchoed(
    call: Call,
    search_id: string,
  ): Promise<{ record: SearchRecord; echoed: Echoed; run?: Run | undefined }>;
  /** The same, to read its events. Rejects with 404. */
  find(call: Call, search_id: string): Promise<FoundLog>;
  /** The same over a connection, counted with the upgrades. Rejects with 404 or 429. */
  resume(call: Call, search_id: string): Promise<FoundLog>;
  /** Cancels one of the caller's searches; does nothing if it has ended. Rejects with 404. */
  cancel(call: Call, search_id: string): Promise<Cancelling>;
  /**
   * Removes one of the caller's searches for good; one that runs is cancelled first. Rejects with 404, or with 503 while it
   * cannot be removed.
   */
  remove(call: Call, search_id: string): Promise<SearchRemoved>;
  /**
   * The searches of the caller's account that have ended, or those in the background that have not, newest first. Counted with
   * the reads. Rejects with 429.
   */
  list(call: Call, query: SearchListQuery): Promise<SearchList>;
}

export interface EarlierSearchParts {
  readonly access: CallAccess;
  readonly runs: Pick<Registry, 'find' | 'remove'>;
  readonly records: Pick<RunRecords, 'list'>;
  /** Absent in a short-lived process. */
  readonly background?: Pick<BackgroundRuns, 'cancel' | 'list'> | undefined;
  readonly threads: Pick<ThreadRecords, 'removeTurn'>;
  readonly largeRead: LargeRead;
}

/** A server restarts the searches that it left about a second after its start. Both set by hand. */
const waitingMs = 3_000;
const waitingStepMs = 200;

/** Far more than a plan allows at a time; set by hand. */
const maxListed = 200;

/** Calls about earlier searches. */
export function createEarlierSearchCalls(parts: EarlierSearchParts): EarlierSearchCalls {
  const { access, runs, records, background, threads, largeRead } = parts;

  async function find(caller: Caller, search_id: string): Promise<FoundSearch> {
    const { run, record, waiting } = await findOwn(runs, caller, search_id);
    if (run !== undefined) return { run };
    if (record !== undefined) return { record };
    if (waiting !== undefined) return { waiting };
    throw noSearch(search_id);
  }

  /** The same, with its events. A background search between two processes has none, so this waits a little for it. */
  async function findLog(caller: Caller, search_id: string, { signal }: Call): Promise<FoundLog> {
    for (const until = performance.now() + waitingMs; ; await sleep(waitingStepMs, signal)) {
      const found = await find(caller, search_id);
      if (found.waiting === undefined) return found;
      if (performance.now() > until) break;
    }
    const message =
      'This search is about to be restarted, or is running on a server that cannot be reached; try again.';
    throw new AppError('overloaded', message, { retry_after_ms: 2_000 });
  }

  async function readWithEchoed(call: Call, search_id: string) {
    const found = await find(await access.identify(call.from), search_id);
    const { echoed = {} } = found.run ?? found.record ?? found.waiting;
    const record = describeSearch(found);
    return { record: { ...record, ...costOf(record, access.prices) }, echoed, run: found.run };
  }

  return {
    readWithEchoed,
    read: async (call, search_id) => (await readWithEchoed(call, search_id)).record,

    find: async (call, search_id) => findLog(await access.identify(call.from), search_id, call),

    async resume(call, search_id) {
      const caller = await access.identify(call.from);
      await access.takeResume(caller);
      return findLog(caller, search_id, call);
    },

    async cancel(call, search_id) {
      const caller = await access.identify(call.from);
      const { run, record } = await find(caller, search_id);
      run?.cancel('client');
      // A background search may be between two processes.
      if (record === undefined && (run === undefined || run.attempt !== undefined)) {
        await background?.cancel(caller.account_id, search_id);
      }
      return { search_id, state: run?.state() ?? record?.state ?? 'running' };
    },

    async remove(call, search_id) {
      const caller = await access.identify(call.from);
      const { account_id } = caller;
      if (!maySee(caller, search_id)) throw noSearch(search_id);
      // First: once the search is gone, a repeated call ends with a 404.
      await threads.removeTurn(account_id, search_id);
      if (!(await runs.remove(account_id, search_id))) throw noSearch(search_id);
      return { search_id, deleted: true };
    },

    async list(call, query) {
      const caller = await access.identify(call.from);
      checkScope(caller, 'search');
      await access.takeFrom(caller, 'reads');
      const { account_id } = caller;
      return largeRead(caller, call, async () => {
        if (query.state === 'running') {
          const running = (await background?.list(account_id, maxListed)) ?? [];
          return { items: running.filter((each) => maySee(caller, each.search_id)).map(summarizeWaiting) };
        }
        const { items, ...next } = await records.list(account_id, {
          ...filterOf(account_id, query),
          mark: markOf(caller),
        });
        return { items: items.map((item) => summarizeSearch(account_id, item)), ...next };
      });
    },
  };
}
