/** Search providers by the names that people know; the server calls them by identifiers. What is not known stays as it came. */
const names: { readonly [identifier: string]: string } = {
  arxiv: 'arXiv',
  brave: 'Brave Search',
  exa: 'Exa',
  firecrawl: 'Firecrawl',
  github: 'GitHub',
  jina: 'Jina',
  kagi: 'Kagi',
  mediawiki: 'MediaWiki',
  pubmed: 'PubMed',
  searxng: 'SearXNG',
  serper: 'Serper',
  tavily: 'Tavily',
};

export function providerName(identifier: string): string {
  return names[identifier] ?? identifier;
}
