/**
 * The one place that decides which sources of the index a search, a page or a key may reach. What a key is restricted to bounds
 * all else.
 */
import { preview } from '../../../protocol/preview.ts';
import type { Caller } from '../../access/identity.ts';
import { checkUnrestricted } from '../../access/restriction.ts';
import { invalid } from '../../base/errors.ts';
import { collectionKey } from '../../base/source-names.ts';
import type { CollectionRecords, StoredCollection } from '../../sources/collection-records.ts';

/** Sources by their names in the index, of those that an account finds. */
export interface Reach {
  readonly owner: string;
  readonly sources: readonly string[];
}

export interface Reaches {
  /**
   * What a search of the caller may reach, undefined for all that the caller finds. With `owner`, the account whose API is
   * run, the collections are ids of that account's, and one that is gone holds nothing. Rejects with 422 at `collections`
   * for one that the caller does not have, and with 403 for an API that reaches beyond the caller's key.
   */
  ofSearch(
    caller: Caller,
    search: { readonly collections?: readonly string[] | undefined; readonly owner?: string | undefined },
  ): Promise<Reach | undefined>;
  /** What the caller's key may reach; undefined if it is not restricted. */
  ofKey(caller: Caller): Promise<Reach | undefined>;
  /** The ids of collections by names or ids. Rejects with 422 for one that the caller does not have. */
  idsOf(caller: Caller, collections: readonly string[]): Promise<string[]>;
}

/** Where a process has no collections, `records` is undefined: naming one is then an error. */
export function createReaches(records: CollectionRecords | undefined): Reaches {
  const none = invalid(['body', 'collections'], 'expected a server: this process has no collections', 'value_error');

  async function ofAccount(account_id: string): Promise<StoredCollection[]> {
    if (records === undefined) throw none;
    return records.list(account_id);
  }

  const visibleTo = async (caller: Caller) => visibleCollections(caller, await ofAccount(caller.account_id));

  async function find(caller: Caller, names: readonly string[]): Promise<StoredCollection[]> {
    const all = await visibleTo(caller);
    return names.map((name, at) => {
      const key = collectionKey(name);
      const found = all.find((each) => each.id === name || collectionKey(each.name) === key);
      if (found !== undefined) return found;
      const msg = `expected the name or id of one of your collections; got ${preview(name)}`;
      throw invalid(['body', 'collections', at], msg, 'value_error');
    });
  }

  async function ofKey(caller: Caller): Promise<Reach | undefined> {
    if (caller.collections === undefined) return undefined;
    return { owner: caller.account_id, sources: sourcesOf(await visibleTo(caller)) };
  }

  return {
    async ofSearch(caller, { collections = [], owner }) {
      const { account_id } = caller;
      if (collections.length === 0) return ofKey(caller);
      if (owner === undefined) return { owner: account_id, sources: sourcesOf(await find(caller, collections)) };
      if (owner !== account_id) {
        checkUnrestricted(caller, 'run this API, which searches the collections of another account');
      }
      const all = owner === account_id ? await visibleTo(caller) : await ofAccount(owner);
      return { owner, sources: sourcesOf(all.filter(({ id }) => collections.includes(id))) };
    },

    ofKey,

    idsOf: async (caller, collections) => [...new Set((await find(caller, collections)).map(({ id }) => id))],
  };
}

/** Those of all collections of its account that the caller's key may see. */
export function visibleCollections({ collections }: Caller, all: readonly StoredCollection[]): StoredCollection[] {
  return all.filter(({ id }) => collections?.includes(id) ?? true);
}

function sourcesOf(collections: readonly StoredCollection[]): string[] {
  return [...new Set(collections.flatMap(({ sources }) => sources))];
}
