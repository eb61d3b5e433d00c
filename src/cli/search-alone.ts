/** A search without a server: the engine over the index in this process. Builds the index first where there is none. */
import { randomBytes } from 'node:crypto';
import type { SearchEvent, SearchRequest } from '../../protocol/index.ts';
import { openCorpus } from '../corpus/corpus.ts';
import { createEngine } from '../engine/engine.ts';
import { installedPackages } from '../installed-packages.ts';
import { createExtractiveModel } from '../model/extractive/extractive.ts';

export async function* searchAlone(request: SearchRequest, indexFile: string): AsyncGenerator<SearchEvent> {
  const corpus = await openCorpus({ file: indexFile });
  const model = createExtractiveModel();
  try {
    const packages = installedPackages();
    if (packages !== undefined && (await corpus.stats()).pages === 0) {
      process.stderr.write('Building the index from the documentation of the installed packages …\n');
      await corpus.index({ kind: 'packages', path: packages });
    }
    const search_id = `s_${randomBytes(16).toString('base64url')}`;
    const question = { search_id, request, previous: [] };
    yield* createEngine({ model, corpus }).research(question, new AbortController().signal);
  } finally {
    await Promise.all([corpus.close(), model.close()]);
  }
}
