/** The endpoints that help to find passages, if there are any in the settings. */
import type { Config } from '../../base/config.ts';
import type { FindersWatch, OpenFinders } from './open-embeddings.ts';

/** Undefined where no endpoint is configured: nothing is loaded then. Calls nobody before the first search or passage. */
export async function openFinders(config: Config, watch?: FindersWatch): Promise<OpenFinders | undefined> {
  if (config.embeddings === undefined && config.rerank === undefined) return undefined;
  return (await import('./open-embeddings.ts')).openEmbeddings(config, watch);
}
