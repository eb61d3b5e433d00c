/** Indexes a folder into a file and gives its passages vectors: `fill-vectors.ts <file> <folder> <base url>`. */
import { openCorpus } from '../../../src/corpus/corpus.ts';
import { createEmbedder } from '../../../src/model/embeddings/embedder.ts';

const [file = '', path = '', baseUrl = ''] = process.argv.slice(2);
const embedder = createEmbedder({ model: 'small', baseUrl, fetch, batch: 4 });
const corpus = await openCorpus({ file, embedder });
await corpus.index({ kind: 'folder', path });
await corpus.vectors!.complete(new AbortController().signal, () => {});
await corpus.close();
