/** The thread that reads the corpus in Postgres. */
import { workerData } from 'node:worker_threads';
import { createPostgresPool } from '../../base/postgres/pool.ts';
import type { IndexReader } from '../search/read-index.ts';
import { serveWorker } from '../worker-rpc.ts';
import { explainPostgresFailure } from './explain-failure.ts';
import { createPostgresReader } from './read-corpus.ts';
import { serving } from './timeouts.ts';

const { url }: { readonly url: string } = workerData;
/** Connections for searches; a search uses up to two. Set by hand. */
const connections = 4;

export default serveWorker<IndexReader & { close(): void }>(explainPostgresFailure, () =>
  createPostgresReader(createPostgresPool(url, serving, { connections })),
);
