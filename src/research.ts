/**
 * The engine with the model and the search providers that the settings name; with none named it is the extractive model
 * over the corpus alone. Pages of the web are read only where something leads to them.
 */
import { type Config, ConfigError } from './config.ts';
import { createEngine } from './engine/engine.ts';
import type { Corpus, Model, PageReader, WebSearch } from './engine/ports.ts';
import { createOpenAiModel } from './model/openai.ts';
import { brave } from './web/search-brave.ts';
import { HttpSearch, httpSearch } from './web/search-http.ts';
import { mediawiki } from './web/search-mediawiki.ts';
import { createSearchProvider, type ProviderAdapter } from './web/search-provider.ts';
import { searxng } from './web/search-searxng.ts';
import { tavily } from './web/search-tavily.ts';
import { createTrustedFetch } from './web/trusted-fetch.ts';

export interface ResearchParts {
  /** Answers alone where no other model is named, and stands in for it where one is. */
  readonly extractive: Model;
  readonly corpus: Corpus;
  /** Absent where nothing leads to pages of the web: see `usesWeb`. */
  readonly reader?: PageReader | undefined;
}

export interface OpenResearch {
  readonly engine: ReturnType<typeof createEngine>;
  close(): Promise<void>;
}

export function openResearch(config: Config, { extractive, corpus, reader }: ResearchParts): OpenResearch {
  const trusted = createTrustedFetch();
  const providers = openProviders(config, trusted.fetch);
  const { model: named } = config;
  const timeouts = named === undefined ? {} : { callMs: 1000 * named.timeoutS, idleMs: 1000 * named.timeoutS };
  const model = named === undefined ? undefined : createOpenAiModel({ ...named, ...timeouts, fetch: trusted.fetch });
  const engine = createEngine({
    model: model ?? extractive,
    ...(model === undefined ? {} : { twin: extractive }),
    corpus,
    providers,
    ...(usesWeb(config) ? { pages: reader } : {}),
  });
  return { engine, close: () => trusted.close() };
}

/** Whether the settings name a model or a provider. */
export function usesWeb({ model, searxngUrl, brave: b, tavily: t, searchHttp, mediawiki: wiki }: Config): boolean {
  return [model, searxngUrl, b, t, searchHttp, wiki === 'off' ? undefined : wiki].some((each) => each !== undefined);
}

function openProviders(config: Config, fetch: typeof globalThis.fetch): WebSearch[] {
  const { searxngUrl, brave: ofBrave, tavily: ofTavily, searchHttp, mediawiki: wiki, searchesPerMinute } = config;
  const open = (adapter: ProviderAdapter, optional = false) =>
    createSearchProvider(adapter, { fetch, optional, perMinute: searchesPerMinute });
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
