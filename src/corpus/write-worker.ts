/** The writer thread of the index: its own connection, which also creates the file and brings it up to date. */
import { workerData } from 'node:worker_threads';
import { openDatabase } from './database.ts';
import { serveThread } from './thread-calls.ts';
import { createIndexWriter, type IndexWriter } from './write-index.ts';

const file: string = workerData.file;

export default serveThread<IndexWriter>(file, () => createIndexWriter(openDatabase(file, 'write')));
