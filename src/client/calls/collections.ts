/** The calls for collections: named groups of sources, which a search can be restricted to by its field `collections`. */
import type {
  Collection,
  CollectionChange,
  CollectionList,
  CollectionRemoved,
  CollectionRequest,
} from '../../../protocol/index.ts';
import type { Http } from '../http.ts';
import type { CallOptions } from './call-options.ts';

export interface CollectionCalls {
  /** The collections of the account, by name. */
  list(options?: CallOptions): Promise<CollectionList>;
  get(collection_id: string, options?: CallOptions): Promise<Collection>;
  create(collection: CollectionRequest, options?: CallOptions): Promise<Collection>;
  /** Renames it, replaces its `sources`, or adds and removes some. */
  change(collection_id: string, change: CollectionChange, options?: CallOptions): Promise<Collection>;
  /** Removes it; its sources stay in the index. */
  remove(collection_id: string, options?: CallOptions): Promise<CollectionRemoved>;
}

/** Every call rejects with CitewireError, or with the signal's reason once that fires. */
export function createCollectionCalls(http: Http): CollectionCalls {
  const path = (id: string) => `v1/collections/${encodeURIComponent(id)}`;
  return {
    list: ({ signal } = {}) => http.json({ method: 'GET', path: 'v1/collections', signal }),
    get: (id, { signal } = {}) => http.json({ method: 'GET', path: path(id), signal }),
    create: (body, { signal } = {}) => http.json({ method: 'POST', path: 'v1/collections', body, signal, once: true }),
    change: (id, body, { signal } = {}) => http.json({ method: 'PATCH', path: path(id), body, signal }),
    remove: (id, { signal } = {}) => http.json({ method: 'DELETE', path: path(id), signal }),
  };
}
