/**
 * Opens the engine with the model and the search providers in the settings. Without any, it uses the extractive model on the
 * corpus alone. It reads web pages only if a model or a provider can name any.
 */

import { type Config, ConfigError, type ModelConfig } from '../base/config.ts';
import { parseRetryAfter } from '../base/retry-after.ts';
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

export interface EngineParts {
  /** The only model if the settings name none, otherwise the fallback. */
  readonly extractive: Model;
  readonly corpus: Corpus;
  /** Not needed without a model or provider: see `usesWeb`. */
  readonly reader?: PageReader | undefined;
}

/** Notified of every call to a model or a provider. */
export interface UpstreamWatch {
  called(kind: 'model' | 'provider', name: string, outcome: 'ok' | 'error' | 'limited', seconds: number): void;
  /** An upstream answered 429; `retryAfterMs` is the wait it asked for, if any. */
  limited(retryAfterMs: number | undefined): void;
}

export interface OpenEngine {
  readonly engine: ReturnType<typeof createEngine>;
  close(): Promise<void>;
}

/** Rejects with ConfigError when SEARCH_HTTP is invalid. `watch` is notified of calls to models and providers. */
export async function openEngine(config: Config, parts: EngineParts, watch?: UpstreamWatch): Promise<OpenEngine> {
  const { extractive, corpus, reader } = parts;
  const trusted = createTrustedFetch();
  const fetchFor: FetchFor = (kind, name) =>
    watch === undefined ? trusted.fetch : watchedFetch(trusted.fetch, kind, name, watch);
  const providers = openProviders(config, fetchFor);
  const model = config.model === undefined ? undefined : await openModel(config.model, fetchFor('model', 'openai'));
  const engine = createEngine({
    model: model ?? extractive,
    ...(model === undefined ? {} : { fallbackModel: extractive }),
    corpus,
    providers,
    ...(usesWeb(config) ? { pages: reader } : {}),
  });
  return { engine, close: () => trusted.close() };
}

/** Loaded on demand: its packages take about 100 ms, which servers without a model do not need to spend. */
async function openModel({ timeoutS, ...named }: ModelConfig, fetch: typeof globalThis.fetch): Promise<Model> {
  const { createOpenAiModel } = await import('../model/openai/openai.ts');
  return createOpenAiModel({ ...named, callMs: 1000 * timeoutS, idleMs: 1000 * timeoutS, fetch });
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

function watchedFetch(
  inner: typeof fetch,
  kind: 'model' | 'provider',
  name: string,
  watch: UpstreamWatch,
): typeof fetch {
  return async (input, init) => {
    const startedAt = performance.now();
    const report = (outcome: 'ok' | 'error' | 'limited') =>
      watch.called(kind, name, outcome, (performance.now() - startedAt) / 1000);
    try {
      const response = await inner(input, init);
      if (response.status === 429) watch.limited(parseRetryAfter(response.headers.get('retry-after')));
      report(response.status === 429 ? 'limited' : response.ok ? 'ok' : 'error');
      return response;
    } catch (error) {
      report('error');
      throw error;
    }
  };
}
