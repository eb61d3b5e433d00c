/** The thread that writes the corpus in Postgres, and reads and splits the files to index. */
import { workerData } from 'node:worker_threads';
import { corpusConnections } from '../../base/postgres/connections.ts';
import { createPostgresPool } from '../../base/postgres/pool.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CacheBounds } from '../page-cache/snapshot-keeper.ts';
import { serveWorker } from '../worker-rpc.ts';
import { explainPostgresFailure } from './explain-failure.ts';
import { building, indexing, serving } from './timeouts.ts';
import { createPostgresWriter } from './write-corpus.ts';

const { url, bounds }: { readonly url: string; readonly bounds: CacheBounds } = workerData;
const connections = corpusConnections.writing;

export default serveWorker<IndexWriter>(explainPostgresFailure, () =>
  createPostgresWriter(
    {
      serving: createPostgresPool(url, serving, { connections }),
      indexing: createPostgresPool(url, indexing, { connections }),
      building: createPostgresPool(url, building, { connections: 1 }),
    },
    bounds,
  ),
);
