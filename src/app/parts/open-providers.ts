/** Opens the search providers in the settings. */
import { ConfigError } from '../../base/settings/config-error.ts';
import type { ProviderConfig } from '../../base/settings/provider-settings.ts';
import type { WebSearch } from '../../engine/ports/web.ts';
import type { ProviderAdapter } from '../../web/providers/adapter.ts';
import { arxiv } from '../../web/providers/arxiv.ts';
import { brave } from '../../web/providers/brave.ts';
import { HttpSearch, httpSearch } from '../../web/providers/custom.ts';
import { exa } from '../../web/providers/exa.ts';
import { firecrawl } from '../../web/providers/firecrawl.ts';
import type { FleetLimits } from '../../web/providers/fleet/fleet-limits.ts';
import { github } from '../../web/providers/github.ts';
import { jina } from '../../web/providers/jina.ts';
import { kagi } from '../../web/providers/kagi.ts';
import { mediawiki } from '../../web/providers/mediawiki.ts';
import { createSearchProvider } from '../../web/providers/provider.ts';
import { pubmed } from '../../web/providers/pubmed.ts';
import { searxng } from '../../web/providers/searxng.ts';
import { serper } from '../../web/providers/serper.ts';
import { tavily } from '../../web/providers/tavily.ts';

/**
 * The search provider of a server that has none in its settings, as it needs no key. Optional: searches do not wait for it when
 * there is no network.
 */
export const defaultWiki = { url: 'https://{language}.wikipedia.org', optional: true } as const;

/**
 * Throws ConfigError when SEARCH_HTTP is invalid. `fetchFor` returns the fetch for the provider of a name; `fleet` has what
 * processes share.
 */
export function openProviders(
  config: ProviderConfig,
  fetchFor: (name: string) => typeof fetch,
  fleet?: FleetLimits,
): WebSearch[] {
  const { mediawiki: wiki, searchesPerMinute: perMinute } = config;
  const isOptional = wiki !== 'off' && wiki?.optional === true;
  return adaptersOf(config).map((adapter) =>
    createSearchProvider(adapter, {
      fetch: fetchFor(adapter.name),
      perMinute,
      fleet,
      optional: isOptional && adapter.name === 'mediawiki',
    }),
  );
}

/** Whether the settings name any provider. */
export function hasProvider({ searchesPerMinute: _, mediawiki: wiki, ...others }: ProviderConfig): boolean {
  return [...Object.values(others), wiki === 'off' ? undefined : wiki].some((each) => each !== undefined);
}

function adaptersOf(config: ProviderConfig): ProviderAdapter[] {
  const { searxngUrl, mediawiki: wiki, searchHttp } = config;
  const open = <Options>(adapter: (options: Options) => ProviderAdapter, options: Options | undefined) =>
    options === undefined ? [] : [adapter(options)];
  return [
    ...open(searxng, searxngUrl),
    ...open(brave, config.brave),
    ...open(tavily, config.tavily),
    ...open(exa, config.exa),
    ...open(firecrawl, config.firecrawl),
    ...open(jina, config.jina),
    ...open(serper, config.serper),
    ...open(kagi, config.kagi),
    ...open(arxiv, config.arxiv),
    ...open(pubmed, config.pubmed),
    ...open(github, config.github),
    ...open(httpSearch, searchHttp === undefined ? undefined : readHttpSearch(searchHttp)),
    ...open(mediawiki, wiki === 'off' ? undefined : wiki?.url),
  ];
}

function readHttpSearch(json: unknown): HttpSearch {
  const parsed = HttpSearch.safeParse(json);
  if (parsed.success) return parsed.data;
  const named = parsed.error.issues.flatMap(({ path }) => shapes.filter(([field]) => field === path[0]))[0];
  const what =
    named === undefined ? 'an object with the fields url, name, headers, results and fields' : named.join(' to be ');
  // It may hold a key.
  throw new ConfigError(`SEARCH_HTTP: expected ${what}; got another value, not shown here.`);
}

const shapes = [
  ['url', 'a URL with {query}'],
  ['name', 'at most 40 lower-case letters, digits and hyphens'],
  ['headers', 'an object of HTTP headers and their values'],
  ['results', 'a path such as data.items'],
  ['fields', 'an object with the paths of url, title, snippet and published_at'],
] as const;
