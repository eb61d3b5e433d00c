/** Indexes a folder into a file: `index-folder.ts <file> <folder>`. */
import { openCorpus } from '../../../src/corpus/corpus.ts';

const [file = '', path = ''] = process.argv.slice(2);
const corpus = await openCorpus({ file });
const { added, failed } = await corpus.index({ kind: 'folder', path });
await corpus.close();
process.stdout.write(JSON.stringify({ added, failed }));
