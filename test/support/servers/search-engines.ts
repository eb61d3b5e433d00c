/** Search engines as the servers of tests speak for them: where each is asked, and what it answers in the shape of the real one. */

/** What an engine says of a page. All pass on the address and the date, SearXNG the title and the content too. */
export interface WebHit {
  /** A path, or an address on another host of this server. */
  readonly url: string;
  readonly title: string;
  readonly content: string;
  readonly publishedDate?: string;
}

export type Found = readonly ({ readonly url: string } & Partial<WebHit>)[];

export interface SearchEngine {
  /** Method and path. */
  readonly route: string;
  /** The text that is searched for. */
  query(url: URL, body: string): string;
  /** `origin` is that of the server; `isTired` after a failure within the engine. A string is sent as it is. */
  answer(found: Found, origin: string, isTired: boolean): unknown;
  /** A second request about the same results. */
  readonly more?: { readonly route: string; answer(found: Found): unknown };
}

const inUrl = (name: string) => (url: URL) => url.searchParams.get(name) ?? '';
const inBody = (name: string) => (_: URL, body: string) => String((JSON.parse(body) as Record<string, unknown>)[name]);
const page = { title: 'Page' };

const engines = {
  searxng: {
    route: 'GET /search',
    query: inUrl('q'),
    answer: (found, _, isTired) => ({
      results: found.map((hit) => ({
        title: `Page ${hit.url}`,
        content: 'from <b>SearXNG</b>',
        ...hit,
        engine: 'x',
      })),
      unresponsive_engines: isTired ? [['google', 'timeout']] : [],
    }),
  },
  brave: {
    route: 'GET /res/v1/web/search',
    query: inUrl('q'),
    answer: (found) => ({
      type: 'search',
      web: {
        results: found.map(({ url, publishedDate }) => ({
          ...page,
          url,
          description: 'from Brave',
          page_age: publishedDate,
        })),
      },
    }),
  },
  tavily: {
    route: 'POST /search',
    query: inBody('query'),
    answer: (found) => ({
      results: found.map(({ url, publishedDate }) => ({
        ...page,
        url,
        content: 'from Tavily',
        score: 0.9,
        published_date: publishedDate,
      })),
    }),
  },
  exa: {
    route: 'POST /exa/search',
    query: inBody('query'),
    answer: (found) => ({
      requestId: 'r1',
      resolvedSearchType: 'neural',
      results: found.map(({ url, publishedDate }) => ({
        id: url,
        url,
        title: null,
        author: null,
        score: 0.2,
        highlights: ['from', 'Exa'],
        highlightScores: [0.5, 0.4],
        publishedDate,
      })),
      costDollars: { total: 0.007 },
    }),
  },
  firecrawl: {
    route: 'POST /firecrawl/v2/search',
    query: inBody('query'),
    answer: (found) => {
      const isNews = ({ publishedDate }: Found[number]) => publishedDate !== undefined;
      return {
        success: true,
        data: {
          web: found
            .filter((each) => !isNews(each))
            .map(({ url }, at) => ({ ...page, url, description: 'from Firecrawl', position: at + 1 })),
          news: found
            .filter(isNews)
            .map(({ url, publishedDate }) => ({ ...page, url, snippet: 'from Firecrawl', date: publishedDate })),
        },
        creditsUsed: 2,
      };
    },
  },
  jina: {
    route: 'GET /jina/',
    query: inUrl('q'),
    answer: (found) => ({
      code: 200,
      status: 20000,
      data: found.map(({ url, publishedDate }) => ({
        ...page,
        url,
        description: 'from Jina',
        content: '',
        date: publishedDate,
        usage: { tokens: 1000 },
      })),
    }),
  },
  serper: {
    route: 'POST /serper/search',
    query: inBody('q'),
    answer: (found) => ({
      searchParameters: { q: 'q', type: 'search', engine: 'google' },
      organic: found.map(({ url, publishedDate }, at) => ({
        ...page,
        link: url,
        snippet: 'from Serper',
        date: publishedDate,
        position: at + 1,
      })),
      peopleAlsoAsk: [{ question: 'Why?', link: 'https://example.org/why' }],
      credits: 1,
    }),
  },
  kagi: {
    route: 'POST /kagi/api/v1/search',
    query: inBody('query'),
    answer: (found) => ({
      meta: { trace: 't', node: 'us', ms: 12 },
      data: {
        search: found.map(({ url, publishedDate }) => ({ ...page, url, snippet: 'from Kagi', time: publishedDate })),
        related_search: [{ title: 'More', url: 'https://example.org/more' }],
      },
    }),
  },
  arxiv: {
    route: 'GET /arxiv/api/query',
    query: inUrl('search_query'),
    answer: (found) =>
      `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>${found
        .map(({ url, publishedDate = '' }) => {
          const dates = `<updated>2026-01-01T00:00:00Z</updated><published>${publishedDate}</published>`;
          return `<entry><id>${url}</id>${dates}<title>Page &amp;\n  more</title><summary>\n from arXiv\n</summary><author><name>A</name></author></entry>`;
        })
        .join('')}</feed>`,
  },
  pubmed: {
    route: 'GET /pubmed/esearch.fcgi',
    query: inUrl('term'),
    answer: (found) => ({ header: {}, esearchresult: { count: '2', idlist: found.map((_, at) => String(at + 1)) } }),
    more: {
      route: 'GET /pubmed/esummary.fcgi',
      answer: (found) => ({
        result: Object.fromEntries([
          ['uids', found.map((_, at) => String(at + 1))],
          ...found.map(({ publishedDate }, at) => [
            String(at + 1),
            {
              uid: String(at + 1),
              title: 'Page',
              fulljournalname: 'from PubMed',
              authors: [],
              sortpubdate: publishedDate,
            },
          ]),
        ]),
      }),
    },
  },
  github: {
    route: 'GET /github/search/repositories',
    query: inUrl('q'),
    answer: (found) => ({
      total_count: found.length,
      incomplete_results: false,
      items: found.map(({ url }) => ({
        html_url: url,
        full_name: 'a/page',
        description: 'from GitHub',
        pushed_at: '2026-01-01T00:00:00Z',
      })),
    }),
  },
  mediawiki: {
    route: 'GET /w/api.php',
    query: inUrl('srsearch'),
    answer: (found, origin) => ({
      query: {
        general: { server: origin, articlepath: '/$1' },
        search: found.map(({ url }) => ({ ns: 0, title: new URL(url).pathname.slice(1), snippet: 'from a wiki' })),
      },
    }),
  },
} satisfies Record<string, SearchEngine>;

export type Engine = keyof typeof engines;

export const searchEngines: Readonly<Record<Engine, SearchEngine>> = engines;
