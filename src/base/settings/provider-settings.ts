/** The settings of search providers: which ones, their keys and where they are. Part of the table in config.ts. */
import * as z from 'zod';
import { headerValue, httpUrl, json, apiKey as key } from './setting-values.ts';

const urlOr = (url: string) => httpUrl.default(url).describe('a URL');

/** For a service without a key: nobody is asked unless the operator says so. */
const onOr = (url: string) =>
  z
    .union([z.literal('on').transform(() => url), httpUrl])
    .optional()
    .describe('on, or a URL');

export const providerSettings = {
  SEARXNG_URL: httpUrl.optional().describe('a URL such as http://127.0.0.1:8888'),
  BRAVE_API_KEY: key,
  BRAVE_URL: urlOr('https://api.search.brave.com'),
  TAVILY_API_KEY: key,
  TAVILY_URL: urlOr('https://api.tavily.com'),
  EXA_API_KEY: key,
  EXA_URL: urlOr('https://api.exa.ai'),
  FIRECRAWL_API_KEY: key,
  FIRECRAWL_URL: httpUrl.optional().describe('a URL such as http://127.0.0.1:3002'),
  JINA_API_KEY: key,
  JINA_URL: urlOr('https://s.jina.ai'),
  SERPER_API_KEY: key,
  SERPER_URL: urlOr('https://google.serper.dev'),
  KAGI_API_KEY: key,
  KAGI_URL: urlOr('https://kagi.com'),
  ARXIV_URL: onOr('https://export.arxiv.org'),
  PUBMED_URL: onOr('https://eutils.ncbi.nlm.nih.gov/entrez/eutils'),
  NCBI_API_KEY: key,
  GITHUB_SEARCH_URL: onOr('https://api.github.com'),
  GITHUB_SEARCH_TOKEN: headerValue.optional().describe('a token without line breaks and characters such as "…"'),
  MEDIAWIKI_URL: z
    .union([z.literal('off'), httpUrl])
    .optional()
    .describe('a URL such as https://en.wikipedia.org or https://{language}.wikipedia.org, or off'),
  SEARCH_HTTP: z.string().transform(json).optional().describe('a JSON object with the url of a search API'),
  SEARCHES_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(120).describe('a whole number from 1'),
};

interface Keyed {
  readonly key: string;
  readonly baseUrl: string;
}

/** Undefined is what is not configured. */
export interface ProviderConfig {
  readonly searxngUrl: string | undefined;
  readonly brave: Keyed | undefined;
  readonly tavily: Keyed | undefined;
  readonly exa: Keyed | undefined;
  readonly firecrawl: { readonly key: string | undefined; readonly baseUrl: string } | undefined;
  readonly jina: Keyed | undefined;
  readonly serper: Keyed | undefined;
  readonly kagi: Keyed | undefined;
  readonly arxiv: { readonly baseUrl: string } | undefined;
  readonly pubmed: { readonly baseUrl: string; readonly key: string | undefined } | undefined;
  readonly github: { readonly baseUrl: string; readonly token: string | undefined } | undefined;
  /** An `optional` one is used while it can be reached, and its absence is not reported. */
  readonly mediawiki: { readonly url: string; readonly optional: boolean } | 'off' | undefined;
  /** Parsed JSON, not validated yet. */
  readonly searchHttp: unknown;
  /** For each provider. */
  readonly searchesPerMinute: number;
}

type Values = { readonly [Name in keyof typeof providerSettings]: z.infer<(typeof providerSettings)[Name]> };

/** The providers in the settings: those that have a key, or a URL where no key is needed. */
export function readProviderConfig(values: Values): ProviderConfig {
  const { FIRECRAWL_API_KEY: firecrawlKey, FIRECRAWL_URL: firecrawlUrl, MEDIAWIKI_URL: wiki } = values;
  const { ARXIV_URL: arxivUrl, PUBMED_URL: pubmedUrl, GITHUB_SEARCH_URL: githubUrl } = values;
  return {
    searxngUrl: values.SEARXNG_URL,
    brave: keyed(values.BRAVE_API_KEY, values.BRAVE_URL),
    tavily: keyed(values.TAVILY_API_KEY, values.TAVILY_URL),
    exa: keyed(values.EXA_API_KEY, values.EXA_URL),
    firecrawl:
      firecrawlKey === undefined && firecrawlUrl === undefined
        ? undefined
        : { key: firecrawlKey, baseUrl: firecrawlUrl ?? 'https://api.firecrawl.dev' },
    jina: keyed(values.JINA_API_KEY, values.JINA_URL),
    serper: keyed(values.SERPER_API_KEY, values.SERPER_URL),
    kagi: keyed(values.KAGI_API_KEY, values.KAGI_URL),
    arxiv: arxivUrl === undefined ? undefined : { baseUrl: arxivUrl },
    pubmed: pubmedUrl === undefined ? undefined : { baseUrl: pubmedUrl, key: values.NCBI_API_KEY },
    github: githubUrl === undefined ? undefined : { baseUrl: githubUrl, token: values.GITHUB_SEARCH_TOKEN },
    mediawiki: wiki === undefined || wiki === 'off' ? wiki : { url: wiki, optional: false },
    searchHttp: values.SEARCH_HTTP,
    searchesPerMinute: values.SEARCHES_PER_MINUTE,
  };
}

function keyed(key: string | undefined, baseUrl: string): Keyed | undefined {
  return key === undefined ? undefined : { key, baseUrl };
}
