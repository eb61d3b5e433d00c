/**
 * The engine with the model and the search providers that the settings name; with none named it is the extractive model
 * over the corpus alone. Pages of the web are read only where something leads to them.
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

export interface ResearchParts {
  /** Answers alone where no other model is named, and stands in for it where one is. */
  readonly extractive: Model;
  readonly corpus: Corpus;
  /** Absent where nothing leads to pages of the web: see `usesWeb`. */
  readonly reader?: PageReader | undefined;
}

/** Told of every call to a model or a provider. */
export interface UpstreamWatch {
  called(kind: 'model' | 'provider', name: string, outcome: 'ok' | 'error' | 'limited', seconds: number): void;
  /** An upstream said "too many requests", and for how long where it said so. */
  limited(retryAfterMs: number | undefined): void;
}

export interface OpenResearch {
  readonly engine: ReturnType<typeof createEngine>;
  close(): Promise<void>;
}

export async function openResearch(config: Config, parts: ResearchParts, watch?: UpstreamWatch): Promise<OpenResearch> {
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

/** Its packages take a tenth of a second to load, which a server without a model need not wait for. */
async function openModel({ timeoutS, ...named }: ModelConfig, fetch: typeof globalThis.fetch): Promise<Model> {
  const { createOpenAiModel } = await import('../model/openai/openai.ts');
  return createOpenAiModel({ ...named, callMs: 1000 * timeoutS, idleMs: 1000 * timeoutS, fetch });
}

/** Whether the settings name a model or a provider. */
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
    const begun = performance.now();
    const tell = (outcome: 'ok' | 'error' | 'limited') =>
      watch.called(kind, name, outcome, (performance.now() - begun) / 1000);
    try {
      const response = await inner(input, init);
      if (response.status === 429) watch.limited(parseRetryAfter(response.headers.get('retry-after')));
      tell(response.status === 429 ? 'limited' : response.ok ? 'ok' : 'error');
      return response;
    } catch (error) {
      tell('error');
      throw error;
    }
  };
}
