/** A search without a server: the engine runs in this process, on the index and on the model and providers in the settings. */

import type { SearchEvent } from '../../../protocol/index.ts';
import { developmentAccount } from '../../access/accounts.ts';
import { installedPackages } from '../../app/installed-packages.ts';
import { openEngine, usesWeb } from '../../app/parts/open-engine.ts';
import { neverAborted } from '../../base/abort.ts';
import type { Config } from '../../base/config.ts';
import { invalid } from '../../base/errors.ts';
import type { SearchJob } from '../../engine/ports.ts';
import { createExtractiveModel } from '../../model/extractive/extractive.ts';
import { newSearchId } from '../../runs/registry.ts';
import { checkModel } from '../../service/searches/check-model.ts';
import { createReader } from '../../web/reader.ts';
import { openLocalCorpus } from '../open-local-corpus.ts';

/**
 * Yields the events of the search, up to its terminal one. Throws a 422 for an unknown model, and for a search of
 * collections, which are a server's. Indexes the documentation of the installed packages first if the index is empty.
 */
export async function* searchLocal(
  job: Pick<SearchJob, 'request' | 'parts'>,
  config: Config,
): AsyncGenerator<SearchEvent> {
  if (job.request.collections?.length) {
    throw invalid(['body', 'collections'], 'expected a server (--server): only one knows collections', 'value_error');
  }
  const { corpus, close: closeCorpus } = await openLocalCorpus(config);
  const extractive = createExtractiveModel();
  const reader = usesWeb(config) ? createReader({ allowHosts: config.fetchAllowHosts }) : undefined;
  const { engine, close } = await openEngine(config, { extractive, corpus, reader });
  try {
    checkModel(engine, job.request.model);
    const packages = installedPackages();
    if (packages !== undefined && (await corpus.stats()).pages === 0) {
      process.stderr.write('Building the index from the documentation of Citewire and the installed packages …\n');
      await corpus.index({ kind: 'packages', path: packages });
    }
    const search_id = newSearchId();
    // The owner of the index on this machine may read what they uploaded through their own server.
    yield* engine.research({ search_id, owner: developmentAccount, ...job, previous: [] }, neverAborted);
  } finally {
    await Promise.all([close(), reader?.close(), closeCorpus(), extractive.close()]);
  }
}
