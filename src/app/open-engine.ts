/**
 * Opens the engine with the model and the search providers in the settings. Without any, it uses the extractive model on the
 * corpus alone. It reads web pages only if a model or a provider can name any.
 */

import { type Config, ConfigError } from '../base/config.ts';
import { createEngine } from '../engine/engine.ts';
import type { Corpus } from '../engine/ports/corpus.ts';
import type { Model } from '../engine/ports/model.ts';
import type { PageReader, WebSearch } from '../engine/ports/web.ts';
import { createTrustedFetch } from '../web/fetch/trusted-fetch.ts';
import { brave } from '../web/providers/brave.ts';
import { HttpSearch, httpSearch } from '../web/providers/custom.ts';
import { mediawiki } from '../web/providers/mediawiki.ts';
import { createSearchProvider, type ProviderAdapter } from '../web/providers/provider.ts';
import { searxng } from '../web/providers/searxng.ts';
import { tavily } from '../web/providers/tavily.ts';
import { type UpstreamWatch, watchedFetch } from './watched-fetch.ts';

export interface EngineParts {
  /** The only model if the settings name none, otherwise the fallback. */
  readonly extractive: Model;
  readonly corpus: Corpus;
  /** Not needed without a model or provider: see `usesWeb`. */
  readonly reader?: PageReader | undefined;
}

export interface OpenEngine {
  readonly engine: ReturnType<typeof createEngine>;
  /** Calls that wait for a place at the endpoint of a model. */
  modelCallsWaiting(): number;
  close(): Promise<void>;
}

/** Rejects with ConfigError when SEARCH_HTTP is invalid. `watch` is notified of calls to models and providers. */
export async function openEngine(config: Config, parts: EngineParts, watch: UpstreamWatch = {}): Promise<OpenEngine> {
  const { extractive, corpus, reader } = parts;
  const trusted = createTrustedFetch();
  const providers = openProviders(config, (kind, name) => watchedFetch(trusted.fetch, kind, name, watch));
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
      await Promise.all([trusted.close(), opening?.close()]);
    },
  };
}

/** Whether the settings name a model or a provider, so that web pages may be read. */
export function usesWeb({ model, searxngUrl, brave: b, tavily: t, searchHttp, mediawiki: wiki }: Config): boolean {
  return [model, searxngUrl, b, t, searchHttp, wiki === 'off' ? undefined : wiki].some((each) => each !== undefined);
}

type FetchFor = (kind: 'model' | 'provider', name: string) => typeof fetch;

function openProviders(config: Config, fetchFor: FetchFor): WebSearch[] {
  const { searxngUrl, brave: ofBrave, tavily: ofTavily, searchHttp, mediawiki: wiki, searchesPerMinute } = config;
  const open = (adapter: ProviderAdapter, optional = false) =>
    createSearchProvider(adapter, {
      fetch: fetchFor('provider', adapter.name),
      optional,
      perMinute: searchesPerMinute,
    });
  return [
    ...(searxngUrl === undefined ? [] : [open(searxng(searxngUrl))]),
    ...(ofBrave === undefined ? [] : [open(brave(ofBrave))]),
    ...(ofTavily === undefined ? [] : [open(tavily(ofTavily))]),
    ...(searchHttp === undefined ? [] : [open(httpSearch(readHttpSearch(searchHttp)))]),
    ...(wiki === undefined || wiki === 'off' ? [] : [open(mediawiki(wiki.url), wiki.optional)]),
  ];
}

function readHttpSearch(json: unknown): HttpSearch {
  const parsed = HttpSearch.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(`SEARCH_HTTP: ${issue?.path.join('.') || 'the object'}: ${issue?.message}.`);
}
