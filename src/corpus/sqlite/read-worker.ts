/** A reader thread of the index, with a read-only connection. */
import { workerData } from 'node:worker_threads';
import { explainFailure } from '../corpus-error.ts';
import { createIndexReader, type IndexReader } from '../search/read-index.ts';
import { serveWorker } from '../worker-rpc.ts';
import { openDatabase } from './database.ts';

const file: string = workerData.file;

export default serveWorker<IndexReader>(
  (error) => explainFailure(error, file),
  () => createIndexReader(openDatabase(file, 'read')),
);
