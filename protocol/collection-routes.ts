/** The calls of collections. All of them are ours. */
import type { Route } from './route.ts';

const ours = { key: true, counted: false, ours: true } as const;

export const collectionRoutes = {
  list_collections: {
    ...ours,
    method: 'GET',
    path: '/v1/collections',
    summary: 'Lists the collections of the account',
    success: { status: 200, means: 'All collections.', bodies: ['CollectionList'] },
    errors: ['rate_limited', 'overloaded'],
  },
  create_collection: {
    ...ours,
    method: 'POST',
    path: '/v1/collections',
    summary: 'Creates a collection of sources',
    body: 'CollectionRequest',
    success: { status: 201, means: 'The collection.', bodies: ['Collection'] },
    errors: ['validation_error', 'rate_limited', 'overloaded'],
  },
  read_collection: {
    ...ours,
    method: 'GET',
    path: '/v1/collections/{collection_id}',
    summary: 'Returns a collection',
    success: { status: 200, means: 'The collection.', bodies: ['Collection'] },
    errors: ['rate_limited', 'overloaded'],
  },
  change_collection: {
    ...ours,
    method: 'PATCH',
    path: '/v1/collections/{collection_id}',
    summary: 'Renames a collection, or replaces, adds or removes sources of it',
    body: 'CollectionChange',
    success: { status: 200, means: 'The collection.', bodies: ['Collection'] },
    errors: ['validation_error', 'rate_limited', 'overloaded'],
  },
  delete_collection: {
    ...ours,
    method: 'DELETE',
    path: '/v1/collections/{collection_id}',
    summary: 'Deletes a collection; its sources stay in the index',
    success: { status: 200, means: 'There is no such collection any more.', bodies: ['CollectionRemoved'] },
    errors: ['rate_limited', 'overloaded'],
  },
} as const satisfies Record<string, Route>;
