/** The thread that reads the corpus in Postgres. */
import { workerData } from 'node:worker_threads';
import { corpusConnections } from '../../base/postgres/connections.ts';
import { createPostgresPool } from '../../base/postgres/pool.ts';
import type { IndexReader } from '../search/read-index.ts';
import { serveWorker } from '../worker-rpc.ts';
import { explainPostgresFailure } from './explain-failure.ts';
import { createPostgresReader } from './read-corpus.ts';
import { serving } from './timeouts.ts';

const { url }: { readonly url: string } = workerData;
const connections = corpusConnections.reading;

export default serveWorker<IndexReader & { close(): void }>(explainPostgresFailure, () =>
  createPostgresReader(createPostgresPool(url, serving, { connections })),
);
