/**
 * Sources as accounts use them: what their searches find, what they add and upload, and how far the indexing is. What an
 * account adds is its own; what everybody finds, and folders of the server, are for administrators. A source of another
 * account does not exist.
 */
import {
  type IndexedSource,
  type IndexedSourceList,
  type IndexedSourceRemoved,
  IndexSourceRequest,
  sourceLimits,
  UploadQuery,
} from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import type { Caller } from '../../access/identity.ts';
import { type PlanName, plans } from '../../access/plans.ts';
import { checkUnrestricted } from '../../access/restriction.ts';
import { checkScope } from '../../access/scopes.ts';
import { sleep } from '../../base/abort.ts';
import { AppError, invalid, notFound, parse } from '../../base/errors.ts';
import { documentation, everybody } from '../../base/source-names.ts';
import { allowedFolder } from '../../sources/allowed-folder.ts';
import type { CollectionRecords } from '../../sources/collection-records.ts';
import type { Indexer } from '../../sources/indexer.ts';
import { refuseCredentials } from '../../sources/refuse-credentials.ts';
import type { IndexingLimits, NewSource, SourceIndex, StoredSource } from '../../sources/source-index.ts';
import type { BodyCall, Call, CallAccess, Query } from '../calls.ts';
import { createCallerCounter } from '../count-caller.ts';
import { describeSource, describeVectors } from './describe-source.ts';
import type { Reaches } from './reach.ts';

export interface UploadCall extends Call {
  /** The content, to be asked for once the caller is known. Rejects with 413. */
  readonly content: (maxBytes: number) => Promise<Uint8Array>;
}

/**
 * Changes need the scope `sources`, reads the scope `search`. All reject with 404 for a source that the account does not find.
 */
export interface SourceCalls {
  list(call: Call): Promise<IndexedSourceList>;
  read(call: Call, source_id: string): Promise<IndexedSource>;
  /** Rejects with 403 for what only administrators may, and beyond what the plan allows. */
  add(call: BodyCall): Promise<IndexedSource>;
  /** The same; rejects with 422 for a file that cannot be read as text, too. */
  upload(call: UploadCall, query: Query): Promise<IndexedSource>;
  reindex(call: Call, source_id: string): Promise<IndexedSource>;
  remove(call: Call, source_id: string): Promise<IndexedSourceRemoved>;
  /** All sources now, and again after each change; it ends with the signal of the call, or when the server stops. */
  watch(
    call: Call,
  ): Promise<{ readonly versions: AsyncIterable<readonly IndexedSource[]>; readonly leave: () => void }>;
}

export interface SourceParts {
  readonly index: SourceIndex;
  readonly indexer: Indexer;
  /** Ids of the accounts that are administrators. */
  readonly admins: readonly string[];
  /** Folders of the server that calls may index, with what is below them. */
  readonly roots: readonly string[];
}

/** How often sources are read while another process may be indexing one, and while none is, ms; set by hand. */
const activeMs = 1_000;
const idleMs = 10_000;
/** The shortest time between two reads, ms; set by hand. */
const minMs = 200;

/** Calls about sources. */
export function createSourceCalls(
  { index, indexer, admins, roots }: SourceParts,
  {
    access,
    reaches,
    collections,
  }: {
    readonly access: Pick<CallAccess, 'identify' | 'takeFrom' | 'admission'>;
    readonly reaches: Pick<Reaches, 'ofKey'>;
    readonly collections: Pick<CollectionRecords, 'forgetSource'> | undefined;
  },
): SourceCalls {
  const countCaller = createCallerCounter(access, (caller, bucket) => {
    checkScope(caller, bucket === 'writes' ? 'sources' : 'search');
    if (bucket === 'writes') checkUnrestricted(caller, 'change sources');
  });

  const isAdmin = ({ account_id, collections: only }: Caller) => only === undefined && admins.includes(account_id);

  async function visible(caller: Caller): Promise<StoredSource[]> {
    const { account_id } = caller;
    const reach = await reaches.ofKey(caller);
    const all = await index.list(account_id);
    if (reach !== undefined) return all.filter(({ source }) => reach.sources.includes(source));
    const hasOwn = all.some(({ owner, pages }) => owner === account_id && pages > 0);
    return all.filter(({ owner }) => owner !== documentation || !hasOwn);
  }

  async function find(caller: Caller, source_id: string): Promise<StoredSource> {
    const found = await index.find(source_id, caller.account_id);
    const reach = await reaches.ofKey(caller);
    if (found !== undefined && (reach?.sources.includes(found.source) ?? true)) return found;
    throw notFound('source', source_id);
  }

  /** The same, to change it: only administrators may change what everybody finds. */
  async function findToChange(caller: Caller, source_id: string): Promise<StoredSource> {
    const source = await find(caller, source_id);
    if (source.owner === caller.account_id || isAdmin(caller)) return source;
    throw new AppError('forbidden', 'This source is shared by all accounts: only an administrator may change it.');
  }

  async function add(caller: Caller, source: NewSource, isShared: boolean): Promise<IndexedSource> {
    const { stored_bytes, stored_sources } = plans[caller.plan];
    const owner = isShared ? everybody : caller.account_id;
    const limits = isShared ? undefined : { bytes: stored_bytes, sources: stored_sources };
    const added = await index.add(source, owner, limits);
    if (!('source' in added)) {
      const message =
        added.outcome === 'too_many'
          ? `The plan allows an account ${stored_sources} sources; remove one first.`
          : `The plan allows an account ${stored_bytes} bytes of sources; remove one first.`;
      throw new AppError('forbidden', message);
    }
    indexer.start(added.source, indexingLimits(added.source, caller.plan));
    return describeSource(added.source);
  }

  function checkShared(caller: Caller, isShared: boolean): void {
    if (!isShared || isAdmin(caller)) return;
    throw new AppError('forbidden', 'Only an administrator may add sources for all accounts: see ADMIN_ACCOUNTS.');
  }

  return {
    async list(call) {
      const caller = await countCaller(call, 'reads');
      const items = await visible(caller);
      const { stored_bytes, stored_sources } = plans[caller.plan];
      const own = items.filter(({ owner }) => owner === caller.account_id);
      const vectors = index.vectors();
      return {
        items: items.map(describeSource),
        stored_bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
        max_bytes: stored_bytes,
        max_sources: stored_sources,
        may_share: isAdmin(caller),
        may_add_folders: isAdmin(caller) && roots.length > 0,
        ...(vectors === undefined ? {} : { vectors: describeVectors(vectors) }),
      };
    },

    read: async (call, source_id) => describeSource(await find(await countCaller(call, 'reads'), source_id)),

    async add(call) {
      const caller = await countCaller(call, 'writes');
      const { url, folder, shared = folder !== undefined } = parse(IndexSourceRequest, await call.body());
      checkShared(caller, shared || folder !== undefined);
      if (url !== undefined) {
        refuseCredentials(url, ['body', 'url']);
        return add(caller, { kind: 'url', url }, shared);
      }
      const path = allowedFolder(folder!, roots);
      if (path === undefined) {
        const msg = `expected a folder that exists and is in one of SOURCE_ROOTS on the server; got ${preview(folder)}`;
        throw invalid(['body', 'folder'], msg, 'value_error');
      }
      return add(caller, { kind: 'folder', path }, true);
    },

    async upload(call, query) {
      const caller = await countCaller(call, 'writes');
      const { name, shared } = parse(UploadQuery, query, 'query');
      checkShared(caller, shared === 'true');
      const content = await call.content(sourceLimits.upload_bytes);
      if (content.byteLength === 0) throw invalid(['body'], 'expected a file; got an empty body', 'missing');
      return add(caller, { kind: 'file', name, content }, shared === 'true');
    },

    async reindex(call, source_id) {
      const caller = await countCaller(call, 'writes');
      const source = await findToChange(caller, source_id);
      indexer.start(source, indexingLimits(source, caller.plan));
      return describeSource(source.state === 'indexing' ? source : { ...source, state: 'waiting', reason: null });
    },

    async remove(call, source_id) {
      const caller = await countCaller(call, 'writes');
      const source = await findToChange(caller, source_id);
      await indexer.stop(source.id);
      await index.remove(source);
      await collections?.forgetSource(source.source);
      return { source_id, deleted: true };
    },

    async watch(call) {
      const caller = await countCaller(call, 'reads');
      const leave = access.admission.connect(caller);
      const signal = AbortSignal.any([call.signal, indexer.closed]);
      async function* versions() {
        while (!signal.aborted) {
          const items = (await visible(caller)).map(describeSource);
          yield items;
          const isActive = items.some(({ state }) => state === 'waiting' || state === 'indexing');
          await indexer.changed(isActive ? activeMs : idleMs, signal);
          await sleep(minMs, signal).catch(() => {});
          // A key that was revoked meanwhile sees nothing more.
          await access.identify(caller);
        }
      }
      return { versions: versions(), leave };
    },
  };
}

/** Pages of a source that everybody finds: as many as the sitemap protocol allows for one file. */
const sharedPages = 50_000;

/** The limits of a source; `plan` is its owner's. */
export function indexingLimits({ owner }: Pick<StoredSource, 'owner'>, plan: PlanName): IndexingLimits {
  if (owner === everybody) return { maxPages: sharedPages };
  return { maxPages: plans[plan].pages_per_source, maxBytes: plans[plan].stored_bytes };
}
