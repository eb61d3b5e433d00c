/** The writer thread of the index, with a connection that also creates and migrates the file. */
import { workerData } from 'node:worker_threads';
import { explainFailure } from '../corpus-error.ts';
import { createIndexWriter, type IndexWriter } from '../index/write-index.ts';
import type { CacheBounds } from '../page-cache/snapshot-keeper.ts';
import { serveWorker } from '../worker-rpc.ts';
import { openDatabase } from './database.ts';

const { file, bounds }: { readonly file: string; readonly bounds: CacheBounds } = workerData;

export default serveWorker<IndexWriter>(
  (error) => explainFailure(error, file),
  () => createIndexWriter(openDatabase(file, 'write'), bounds),
);
