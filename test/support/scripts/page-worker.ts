/** A worker thread that loads much, as those of a server do, and extracts pages. */
import { runExtractTask } from '../../../src/web/extract/extract-task.ts';
import type { PageSource } from '../../../src/web/extract/extraction.ts';

export default ({ bytes, ...source }: PageSource & { readonly bytes: Uint8Array }) => runExtractTask(source, bytes);
