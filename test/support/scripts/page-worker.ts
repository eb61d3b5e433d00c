/** A worker thread that loads much, as those of a server do, and extracts pages. */
export { runExtractTask as default } from '../../../src/web/extract/extract-task.ts';
