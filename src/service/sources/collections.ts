/** Collections as accounts use them: named groups of the sources that an account finds. reach.ts has what they restrict. */
import { randomBytes } from 'node:crypto';
import {
  type Collection,
  CollectionChange,
  type CollectionList,
  type CollectionRemoved,
  CollectionRequest,
  collectionLimits,
} from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import type { Caller } from '../../access/identity.ts';
import { checkUnrestricted } from '../../access/restriction.ts';
import { checkScope } from '../../access/scopes.ts';
import { AppError, invalid, notFound, parse } from '../../base/errors.ts';
import { documentation, sourceId } from '../../base/source-names.ts';
import type { CollectionRecords, CollectionRefusal, StoredCollection } from '../../sources/collection-records.ts';
import type { SourceIndex } from '../../sources/source-index.ts';
import type { BodyCall, Call, CallAccess } from '../calls.ts';
import { createCallerCounter } from '../count-caller.ts';
import { visibleCollections } from './reach.ts';

/**
 * Changes need the scope `sources` and a key that is not restricted, reads the scope `search`. All reject with 404 for a
 * collection that the caller does not see.
 */
export interface CollectionCalls {
  list(call: Call): Promise<CollectionList>;
  /** Rejects with 422 for a name that is taken, or a source that the account does not find, and with 403 beyond the limit. */
  create(call: BodyCall): Promise<Collection>;
  read(call: Call, collection_id: string): Promise<Collection>;
  change(call: BodyCall, collection_id: string): Promise<Collection>;
  remove(call: Call, collection_id: string): Promise<CollectionRemoved>;
}

export interface CollectionParts {
  readonly records: CollectionRecords;
  readonly index: Pick<SourceIndex, 'list'>;
}

/** Calls about collections. */
export function createCollectionCalls(
  { records, index }: CollectionParts,
  access: Pick<CallAccess, 'identify' | 'takeFrom'>,
): CollectionCalls {
  const countCaller = createCallerCounter(access, (caller, bucket) => {
    checkScope(caller, bucket === 'writes' ? 'sources' : 'search');
    if (bucket === 'writes') checkUnrestricted(caller, 'change collections');
  });

  const visibleTo = async (caller: Caller) => visibleCollections(caller, await records.list(caller.account_id));

  /** The names of sources by their ids. Rejects with 422 for one that the account does not find. */
  async function namesOf({ account_id }: Caller, field: string, ids: readonly string[] | undefined) {
    if (ids === undefined || ids.length === 0) return ids;
    const found = (await index.list(account_id)).filter(({ owner }) => owner !== documentation);
    const names = new Map(found.map(({ id, source }) => [id, source]));
    const sources = ids.map((id, at) => {
      const source = names.get(id);
      if (source !== undefined) return source;
      const msg = `expected the id of a source that your searches find; got ${preview(id)}`;
      throw invalid(['body', field, at], msg, 'value_error');
    });
    return [...new Set(sources)];
  }

  return {
    async list(call) {
      const items = (await visibleTo(await countCaller(call, 'reads'))).map(show);
      return { items, max_collections: collectionLimits.per_account, max_sources: collectionLimits.sources };
    },

    async create(call) {
      const caller = await countCaller(call, 'writes');
      const { name, sources } = parse(CollectionRequest, await call.body());
      const created_at = new Date().toISOString();
      const collection: StoredCollection = {
        id: `col_${randomBytes(12).toString('hex')}`,
        account_id: caller.account_id,
        name: name.toWellFormed(),
        sources: [...((await namesOf(caller, 'sources', sources)) ?? [])].sort(),
        created_at,
        updated_at: created_at,
      };
      const outcome = await records.add(collection, collectionLimits.per_account);
      if (outcome !== 'added') throw refused(outcome, collection.id, name);
      return show(collection);
    },

    async read(call, collection_id) {
      const found = (await visibleTo(await countCaller(call, 'reads'))).find(({ id }) => id === collection_id);
      if (found === undefined) throw refused('unknown', collection_id);
      return show(found);
    },

    async change(call, collection_id) {
      const caller = await countCaller(call, 'writes');
      const { name, sources, add, remove } = parse(CollectionChange, await call.body());
      const gone = new Set(remove);
      const before = (await visibleTo(caller)).find(({ id }) => id === collection_id);
      if (before === undefined) throw refused('unknown', collection_id);
      const changes = {
        name: name?.toWellFormed(),
        sources: await namesOf(caller, 'sources', sources),
        add: await namesOf(caller, 'add', add),
        // What it does not have needs no removing.
        remove: before.sources.filter((source) => gone.has(sourceId(source))),
        updated_at: new Date().toISOString(),
      };
      const changed = await records.change(caller.account_id, collection_id, changes, collectionLimits.sources);
      if (typeof changed === 'string') throw refused(changed, collection_id, name);
      return show(changed);
    },

    async remove(call, collection_id) {
      const caller = await countCaller(call, 'writes');
      if (!(await records.remove(caller.account_id, collection_id))) throw refused('unknown', collection_id);
      return { collection_id, deleted: true };
    },
  };
}

function show({ id, name, sources, created_at, updated_at }: StoredCollection): Collection {
  return { collection_id: id, name, sources: sources.map(sourceId).sort(), created_at, updated_at };
}

function refused(why: CollectionRefusal, id: string, name = ''): AppError {
  const { per_account, sources } = collectionLimits;
  switch (why) {
    case 'unknown':
      return notFound('collection', id);
    case 'name_taken': {
      const msg = `expected a name that no other collection of the account has; got ${preview(name)}`;
      return invalid(['body', 'name'], msg, 'value_error');
    }
    case 'too_many':
      return new AppError('forbidden', `An account has at most ${per_account} collections; remove one first.`);
    case 'too_many_sources':
      return invalid(['body'], `expected at most ${sources} sources in a collection`, 'too_long');
  }
}
