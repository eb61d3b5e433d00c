/**
 * Share links: a thread as it is when the link is made, for anyone with the link. What it shows is stored with the link, so a
 * reader costs one row, nothing that is asked later is shown, and no other search of the account can be reached. The link's
 * secret is in the fragment of its URL and in a header of the calls: neither is in the log of a proxy.
 */
import { LRUCache } from 'lru-cache';
import {
  type NewThreadShare,
  type PageContents,
  type SearchRecord,
  type SharedThread,
  ThreadShareRequest,
  type ThreadShareRevoked,
  threadLimits,
} from '../../../protocol/index.ts';
import { hashSecret, isSecret, newSecret } from '../../access/keys.ts';
import { createMemoryLimiter } from '../../access/limiter/memory.ts';
import type { Limit } from '../../access/plans.ts';
import { neverAborted } from '../../base/abort.ts';
import { networkOf } from '../../base/addresses.ts';
import { AppError, invalid, parse } from '../../base/errors.ts';
import { collectionKey, nameOfUpload } from '../../base/source-names.ts';
import { dayMs } from '../../base/values/day.ts';
import type { Corpus } from '../../engine/ports/corpus.ts';
import type { StoredTurn } from '../../runs/records/thread-records.ts';
import type { CollectionRecords, StoredCollection } from '../../sources/collection-records.ts';
import type { BodyCall, Call } from '../calls.ts';
import { showSnapshot } from '../contents.ts';
import { describeSearch } from '../searches/describe-search.ts';
import { citedPages, onlyCited } from './shared-turns.ts';
import { createThreadCounter, type ThreadParts, throwUnknown } from './threads.ts';

/** A call of a reader, who has no account. */
export interface SharedCall {
  /** The secret of the link, as the caller sent it. */
  readonly token: string | undefined;
  readonly address: string;
}

export interface SharedThreadCalls {
  /** `base_url` is this server's, as the caller knows it. Rejects with 422 for a thread that is too large to be shared. */
  shareThread(call: BodyCall, thread_id: string, base_url: string): Promise<NewThreadShare>;
  unshareThread(call: Call, thread_id: string): Promise<ThreadShareRevoked>;
  /** A SharedThread, as JSON. Rejects with 404 for a link that does not work, and with 429. */
  sharedThread(call: SharedCall): Promise<string>;
  /** A page that the thread cites. Rejects with 404 for any other. */
  sharedSnapshot(call: SharedCall, snapshot: string): Promise<PageContents>;
}

interface Parts extends ThreadParts {
  readonly corpus: Pick<Corpus, 'snapshot'>;
  /** Undefined where there are none. */
  readonly collections: Pick<CollectionRecords, 'list'> | undefined;
}

type SharedTurn = SharedThread['turns'][number];
/** Names of the collections and documents, and the sites, that a question was restricted to; undefined if it was unrestricted. */
type Restriction = Partial<Pick<SharedTurn, 'collections' | 'documents' | 'sites'>>;

/** A reader opens a few pages a minute; all readers at one address share this. Set by hand. */
const readsOfAddress: Limit = { bucket: 'shared', policy: 'shared', limit: 120, window_s: 60 };

/** Of what links show, in memory: a few of the largest ones. Set by hand. */
const shownBytes = 16 * 2 ** 20;

/** What a link shows. */
interface ShownThread {
  /** A SharedThread. */
  readonly json: string;
  readonly cited: ReadonlySet<string>;
}

/** Making and revoking links needs the scope `search`, and is counted with the writes. */
export function createSharedThreadCalls({
  access,
  runs,
  threads,
  corpus,
  collections,
  largeRead,
}: Parts): SharedThreadCalls {
  const countCaller = createThreadCounter(access);
  const reads = createMemoryLimiter({ capacity: 50_000 });
  // By the hash of the link: what it shows never changes, and to parse and filter megabytes for each page would hold up all others.
  const shownThreads = new LRUCache<string, ShownThread>({ maxSize: shownBytes, sizeCalculation: bytesOf });

  /** What the link shows. */
  async function open({ token, address }: SharedCall): Promise<ShownThread> {
    const { allowed, retry_after_ms } = reads.takeNow(networkOf(address), readsOfAddress);
    if (!allowed) throw new AppError('rate_limited', 'Too many shared pages for this address.', { retry_after_ms });
    const hash = token !== undefined && isSecret(token) ? hashSecret(token) : undefined;
    // Asked each time, because a link may be revoked.
    const content = hash === undefined ? undefined : await threads.shared(hash, new Date().toISOString());
    if (hash !== undefined && content !== undefined) {
      const known = shownThreads.get(hash);
      if (known !== undefined) return known;
      // Shares of earlier versions, and of servers that are not upgraded yet, have pages that are not cited.
      const thread = onlyCited(JSON.parse(content) as SharedThread);
      const opened: ShownThread = { json: JSON.stringify(thread), cited: new Set(citedPages(thread)) };
      shownThreads.set(hash, opened);
      return opened;
    }
    throw new AppError('not_found', 'This link does not work: it has expired, was revoked, or is incomplete.');
  }

  /** The share of a thread as it is now, with the secret of its link, and all searches of the thread. */
  async function makeShare(account_id: string, thread_id: string, days: number) {
    const thread = (await threads.get(account_id, thread_id)) ?? throwUnknown(thread_id);
    const named = (await collections?.list(account_id)) ?? [];
    const turns: SharedTurn[] = [];
    for (const { search_id, request } of newestPath(thread.list)) {
      const { run, record } = await runs.find(account_id, search_id);
      const restricted: Restriction = {
        collections: namesOf(request.collections, named),
        ...documentsOf(request.source_whitelist),
      };
      if (run !== undefined && run.state() !== 'running') turns.push(shown(describeSearch({ run }), restricted));
      else if (record !== undefined) turns.push(shown(describeSearch({ record }), restricted));
    }
    const now = Date.now();
    const created_at = new Date(now).toISOString();
    const expires_at = new Date(now + days * dayMs).toISOString();
    const shared = onlyCited({ title: thread.title, created_at, expires_at, turns });
    const content = JSON.stringify(shared);
    if (Buffer.byteLength(content) > threadLimits.share_bytes) {
      const msg = `expected a thread of at most ${threadLimits.share_bytes} bytes; this one is too large to be shared`;
      throw invalid(['path', 'thread_id'], msg, 'too_long');
    }
    const token = newSecret();
    const share = { hash: hashSecret(token), created_at, expires_at, content, snapshots: citedPages(shared) };
    return { token, share, searches: thread.list.map(({ search_id }) => search_id) };
  }

  return {
    async shareThread(call, thread_id, base_url) {
      const caller = await countCaller(call, 'writes', thread_id);
      const { account_id } = caller;
      const { days } = parse(ThreadShareRequest, await call.body());
      return largeRead(caller, call, async () => {
        // A search that is removed meanwhile must not be shown: the share is then made again.
        for (;;) {
          const made = await makeShare(account_id, thread_id, days);
          const outcome = await threads.share(account_id, thread_id, made.share, made.searches);
          if (outcome === 'unknown') throwUnknown(thread_id);
          const { created_at, expires_at } = made.share;
          const { token } = made;
          if (outcome === 'shared') return { created_at, expires_at, token, url: `${base_url}/shared#${token}` };
        }
      });
    },

    async unshareThread(call, thread_id) {
      const { account_id } = await countCaller(call, 'writes', thread_id);
      if (!(await threads.unshare(account_id, thread_id))) throwUnknown(thread_id);
      return { thread_id, revoked: true };
    },

    sharedThread: async (call) => (await open(call)).json,

    async sharedSnapshot(call, id) {
      const snapshot = (await open(call)).cited.has(id) ? await corpus.snapshot(id, neverAborted) : undefined;
      if (snapshot === undefined) throw new AppError('not_found', 'This thread cites no such page.');
      return showSnapshot(id, snapshot);
    },
  };
}

/** A string takes up to two bytes per code unit; the ids of pages are in the text too. */
function bytesOf({ json }: ShownThread): number {
  return 4 * json.length;
}

/** The newest search with those that it follows up on, oldest first: earlier versions of a question are left out. */
function newestPath(turns: readonly StoredTurn[]): StoredTurn[] {
  const byId = new Map(turns.map((turn) => [turn.search_id, turn]));
  const path: StoredTurn[] = [];
  for (let turn = turns.at(-1); turn !== undefined; turn = byId.get(turn.previous_search_id ?? '')) path.unshift(turn);
  return path;
}

/** An ended search with what it was restricted to. */
function shown({ head_seq: _, ...record }: SearchRecord, { collections, ...asked }: Restriction): SharedTurn {
  return { ...record, ...(collections === undefined ? {} : { collections }), ...asked };
}

/** The names of the collections that a request named by name or id, null for those that are gone; undefined if it named none. */
function namesOf(asked: unknown, all: readonly Pick<StoredCollection, 'id' | 'name'>[]): (string | null)[] | undefined {
  if (!Array.isArray(asked) || asked.length === 0) return undefined;
  return (asked as string[]).map((name) => {
    const key = collectionKey(name);
    return all.find((each) => each.id === name || collectionKey(each.name) === key)?.name ?? null;
  });
}

/** The documents of a whitelist by name, and what else is on it; nothing of one without documents. */
function documentsOf(whitelist: unknown): Pick<Restriction, 'documents' | 'sites'> {
  const entries = Array.isArray(whitelist) ? (whitelist as string[]) : [];
  const documents = entries.flatMap((entry) => nameOfUpload(entry) ?? []);
  if (documents.length === 0) return {};
  const sites = entries.filter((entry) => nameOfUpload(entry) === undefined);
  return { documents, ...(sites.length === 0 ? {} : { sites }) };
}
