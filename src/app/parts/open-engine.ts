/**
 * Opens the engine with the model and the search providers in the settings. Without any, it uses the extractive model on the
 * corpus alone. It reads web pages only if a model or a provider can name any.
 */

import type { Config } from '../../base/config.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import type { Corpus } from '../../engine/ports/corpus.ts';
import type { Model } from '../../engine/ports/model.ts';
import type { PageReader } from '../../engine/ports/web.ts';
import { createTrustedFetch } from '../../web/fetch/trusted-fetch.ts';
import type { FleetLimits } from '../../web/providers/fleet/fleet-limits.ts';
import { hasProvider, openProviders } from './open-providers.ts';
import { type UpstreamWatch, watchedFetch } from './watched-fetch.ts';

export interface EngineParts {
  /** The only model if the settings name none, otherwise the fallback. */
  readonly extractive: Model;
  readonly corpus: Corpus;
  /** Not needed without a model or provider: see `usesWeb`. */
  readonly reader?: PageReader | undefined;
}

export interface OpenEngine {
  readonly engine: Engine;
  /** Calls that wait for a place at the endpoint of a model. */
  modelCallsWaiting(): number;
  close(): Promise<void>;
}

/** Rejects with ConfigError when SEARCH_HTTP is invalid. `watch` is notified of calls to models and providers. */
export async function openEngine(config: Config, parts: EngineParts, watch: UpstreamWatch = {}): Promise<OpenEngine> {
  const { extractive, corpus, reader } = parts;
  const trusted = createTrustedFetch();
  const fleet = await openFleetLimits(config);
  const fetchFor = (name: string) => watchedFetch(trusted.fetch, 'provider', name, watch);
  const providers = openProviders(config.providers, fetchFor, fleet);
  // Loaded on demand: servers without a model need not spend the time.
  const opening =
    config.model === undefined ? undefined : (await import('./open-models.ts')).openModels(config.model, watch);
  const engine = createEngine({
    ...(opening === undefined ? { model: extractive } : { ...opening.models, fallbackModel: extractive }),
    corpus,
    providers,
    ...(usesWeb(config) ? { pages: reader } : {}),
  });
  return {
    engine,
    modelCallsWaiting: () => opening?.waiting() ?? 0,
    async close() {
      fleet?.close();
      await Promise.all([trusted.close(), opening?.close()]);
    },
  };
}

/** Undefined without Redis or a provider. Loaded on demand: the client of Redis takes 100 ms. */
async function openFleetLimits({ redisUrl, providers }: Config): Promise<FleetLimits | undefined> {
  if (redisUrl === undefined || !hasProvider(providers)) return undefined;
  const { createRedisFleetLimits } = await import('../../web/providers/fleet/redis-fleet-limits.ts');
  return createRedisFleetLimits({ url: redisUrl });
}

/** Whether the settings name a model or a provider, so that web pages may be read. */
export function usesWeb({ model, providers }: Config): boolean {
  return model !== undefined || hasProvider(providers);
}
