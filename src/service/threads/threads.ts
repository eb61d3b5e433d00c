/**
 * Threads: the conversations that an account keeps. A search adds itself when it begins, so a thread shows it while it runs, and
 * its result stays where it is: in the record of the search.
 */
import {
  type SearchRequest,
  type Thread,
  ThreadChange,
  type ThreadList,
  ThreadListQuery,
  type ThreadRemoved,
  type ThreadSummary,
  threadLimits,
} from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import { markOf, maySee } from '../../access/restriction.ts';
import { checkScope } from '../../access/scopes.ts';
import { invalid, notFound, parse } from '../../base/errors.ts';
import { markIn } from '../../base/search-mark.ts';
import { oneLine } from '../../base/text/searched-text.ts';
import type { StoredThread, StoredTurn, ThreadRecords } from '../../runs/records/thread-records.ts';
import type { Registry } from '../../runs/registry.ts';
import type { BodyCall, Call, CallAccess, Query } from '../calls.ts';
import { createCallerCounter } from '../count-caller.ts';
import type { LargeRead } from '../large-reads.ts';

export interface ThreadCalls {
  listThreads(call: Call, query: Query): Promise<ThreadList>;
  /** Rejects with 404 if the account has no such thread; those below too. */
  readThread(call: Call, thread_id: string): Promise<Thread>;
  changeThread(call: BodyCall, thread_id: string): Promise<ThreadSummary>;
  /** Removes its searches as well; those that run are cancelled first. Rejects with 503 while they cannot be removed. */
  removeThread(call: Call, thread_id: string): Promise<ThreadRemoved>;
}

export interface ThreadParts {
  readonly access: CallAccess;
  readonly runs: Registry;
  readonly threads: ThreadRecords;
  readonly largeRead: LargeRead;
}

/** The calls need the scope `search`, and are counted with the reads or the writes. */
export function createThreadCalls({ access, runs, threads, largeRead }: ThreadParts): ThreadCalls {
  const countCaller = createThreadCounter(access);
  return {
    async listThreads(call, query) {
      const caller = await countCaller(call, 'reads');
      const { cursor, limit, q } = parse(ThreadListQuery, query, 'query');
      const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const { items, ...next } = await threads.list(caller.account_id, { cursor, limit, words, mark: markOf(caller) });
      return { items: items.map(summarize), ...next };
    },

    async readThread(call, thread_id) {
      const caller = await countCaller(call, 'reads', thread_id);
      const found = await largeRead(caller, call, () => threads.get(caller.account_id, thread_id));
      const { list, ...thread } = found ?? throwUnknown(thread_id);
      return { ...summarize(thread), turns: [...list] };
    },

    async changeThread(call, thread_id) {
      const { account_id } = await countCaller(call, 'writes', thread_id);
      const { title, pinned } = parse(ThreadChange, await call.body());
      const change = {
        ...(title === undefined ? {} : { title: oneLine(title) }),
        ...(pinned === undefined ? {} : { pinned }),
      };
      return summarize((await threads.change(account_id, thread_id, change)) ?? throwUnknown(thread_id));
    },

    async removeThread(call, thread_id) {
      const { account_id } = await countCaller(call, 'writes', thread_id);
      const { list } = (await threads.get(account_id, thread_id)) ?? throwUnknown(thread_id);
      // First the searches: if this fails in between, the thread is still there to be removed again.
      for (const { search_id } of list) await runs.remove(account_id, search_id);
      // Others may have joined meanwhile.
      const removed = new Set(list.map(({ search_id }) => search_id));
      for (const search_id of (await threads.remove(account_id, thread_id)) ?? []) {
        if (!removed.has(search_id)) await runs.remove(account_id, search_id);
      }
      return { thread_id, deleted: true };
    },
  };
}

/** Adds a search to its thread, if its request names one. Rejects with 422 if that is not possible. */
export async function addToThread(
  threads: ThreadRecords,
  caller: Caller,
  search: { readonly search_id: string; readonly created_at: string; readonly request: SearchRequest },
): Promise<void> {
  const { thread, previous_search_id, image, ...request } = search.request;
  if (thread === undefined) return;
  const { account_id } = caller;
  const { search_id, created_at } = search;
  const turn: StoredTurn = {
    search_id,
    created_at,
    request,
    has_image: image !== undefined,
    ...(previous_search_id === undefined ? {} : { previous_search_id }),
  };
  if (thread === true) return threads.begin(account_id, turn);
  // A thread is either the account's or one restricted key's: nobody finds in it what others asked.
  const isOwn = markIn(thread) === (markOf(caller) ?? '');
  const outcome = isOwn ? await threads.add(account_id, thread, turn, threadLimits.turns) : 'unknown';
  if (outcome === 'added') return;
  const msg =
    outcome === 'full'
      ? `expected a thread with fewer than ${threadLimits.turns} searches; begin another one`
      : `expected true or the id of one of your threads; got ${JSON.stringify(thread)}`;
  throw invalid(['body', 'thread'], msg, 'value_error');
}

/** Counts the caller of a call for this thread, or for threads. Throws a 404 for a thread that they may not see. */
export function createThreadCounter(access: CallAccess) {
  const countCaller = createCallerCounter(access, (caller) => checkScope(caller, 'search'));
  return async (call: Call, bucket: 'reads' | 'writes', thread_id?: string): Promise<Caller> => {
    const caller = await countCaller(call, bucket);
    if (thread_id !== undefined && !maySee(caller, thread_id)) throwUnknown(thread_id);
    return caller;
  };
}

/** Throws the 404 for a thread that the account does not have. */
export function throwUnknown(thread_id: string): never {
  throw notFound('thread', thread_id);
}

function summarize({ is_named: _, ...thread }: StoredThread): ThreadSummary {
  return thread;
}
