/** The calls of sources. All of them are ours. */
import { documentKinds } from './document-kinds.ts';
import type { Route } from './route.ts';

const ours = { key: true, counted: false, ours: true } as const;

export const sourceRoutes = {
  list_sources: {
    ...ours,
    method: 'GET',
    path: '/v1/sources',
    summary: 'Lists the sources of the index that searches of the account find',
    success: { status: 200, means: 'All sources.', bodies: ['IndexedSourceList'] },
    errors: ['rate_limited'],
  },
  watch_sources: {
    ...ours,
    method: 'GET',
    path: '/v1/sources/events',
    summary: 'Streams the sources as they change: all of them at first, then each one that differs',
    success: {
      status: 200,
      means: 'Server-Sent Events, until the client leaves or the server stops.',
      bodies: [],
      stream: '`source.updated` with an `IndexedSource`, `source.removed` with its `source_id`.',
    },
    errors: ['rate_limited'],
  },
  add_source: {
    ...ours,
    method: 'POST',
    path: '/v1/sources',
    summary: 'Adds a page, a sitemap or a folder of the server to the index, or indexes it again',
    body: 'IndexSourceRequest',
    success: { status: 201, means: 'The source, which is indexed in its turn.', bodies: ['IndexedSource'] },
    errors: ['validation_error', 'rate_limited'],
  },
  upload_source: {
    ...ours,
    method: 'POST',
    path: '/v1/sources/files',
    summary: `Uploads a file to the index: ${documentKinds}, detected from its content`,
    query: ['name', 'shared'],
    binary: true,
    success: { status: 201, means: 'The source, which is indexed in its turn.', bodies: ['IndexedSource'] },
    errors: ['validation_error', 'rate_limited', 'payload_too_large', 'unsupported_type'],
  },
  read_source: {
    ...ours,
    method: 'GET',
    path: '/v1/sources/{source_id}',
    summary: 'Returns a source',
    success: { status: 200, means: 'The source.', bodies: ['IndexedSource'] },
    errors: ['rate_limited'],
  },
  reindex_source: {
    ...ours,
    method: 'POST',
    path: '/v1/sources/{source_id}/index',
    summary: 'Indexes what has changed in a source',
    success: { status: 200, means: 'The source, which is indexed in its turn.', bodies: ['IndexedSource'] },
    errors: ['rate_limited'],
  },
  remove_source: {
    ...ours,
    method: 'DELETE',
    path: '/v1/sources/{source_id}',
    summary: 'Removes a source and its pages from the index, also while it is being indexed',
    success: { status: 200, means: 'There is no such source any more.', bodies: ['IndexedSourceRemoved'] },
    errors: ['rate_limited'],
  },
} as const satisfies Record<string, Route>;
