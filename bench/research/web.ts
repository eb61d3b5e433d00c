/** Serves a world on loopback, each site on an address of its own, with a search engine that speaks SearXNG's JSON. */
import type { WebHit } from '../../test/support/servers/search-engines.ts';
import { startWebServer, type WebServer } from '../../test/support/servers/web-server.ts';
import type { Page, Site } from './page.ts';
import type { World } from './world.ts';

/** Of each site. */
export const hosts: Record<Site, string> = {
  guide: '127.0.0.1',
  almanac: '127.0.0.2',
  courier: '127.0.0.3',
  gazette: '127.0.0.4',
  forum: '127.0.0.5',
  directory: '127.0.0.6',
};

export interface WorldServer {
  /** For SEARXNG_URL. */
  readonly url: string;
  /** For FETCH_ALLOW_HOSTS. */
  readonly allowed: string;
  urlOf(page: Page): string;
  close(): Promise<void>;
}

const hitsPerQuery = 10;

/** Listens on a free port. */
export async function serveWorld(world: World): Promise<WorldServer> {
  const served = world.pages.map((page) => [
    page.path,
    { body: page.isGone ? 'gone' : htmlOf(page), status: page.isGone ? 404 : 200 },
  ]);
  const web: WebServer = await startWebServer(Object.fromEntries(served), Object.values(hosts));
  const port = new URL(web.url).port;
  const urlOf = ({ site, path }: Page) => `http://${hosts[site]}:${port}${path}`;
  const find = createIndex(world.pages);
  web.found = (_, query) => {
    web.requests.length = 0;
    return find(query).map((page) => hitOf(page, urlOf(page), query));
  };
  return {
    url: web.url,
    allowed: Object.values(hosts)
      .map((host) => `${host}:${port}`)
      .join(','),
    urlOf,
    close: () => web.close(),
  };
}

function htmlOf({ title, paragraphs, published }: Page): string {
  const date = published === undefined ? '' : `<meta property="article:published_time" content="${published}">`;
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${date}</head><body><main><article><h1>${title}</h1>\n${text}</article></main></body></html>`;
}

/** The snippet is the sentence that has most words of the query, as engines show it. */
function hitOf({ title, paragraphs, published }: Page, url: string, query: string): WebHit {
  const asked = new Set(termsOf(query));
  const held = (sentence: string) => new Set(termsOf(sentence).filter((term) => asked.has(term))).size;
  const [content = ''] = paragraphs.flatMap((part) => part.split(/(?<=\.) /)).sort((a, b) => held(b) - held(a));
  return {
    url,
    title,
    content: content.slice(0, 160),
    ...(published === undefined ? {} : { publishedDate: published }),
  };
}

/** BM25 over titles (three times) and texts, k1 = 1.2, b = 0.75, as search engines set it. */
function createIndex(pages: readonly Page[]): (query: string) => Page[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = pages.map(({ title, paragraphs }, at) => {
    const terms = [title, title, title, ...paragraphs].flatMap(termsOf);
    for (const term of terms) {
      const of = postings.get(term) ?? new Map<number, number>();
      postings.set(term, of.set(at, (of.get(at) ?? 0) + 1));
    }
    return terms.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(query))) {
      const of = postings.get(term) ?? new Map<number, number>();
      const idf = Math.log(1 + (pages.length - of.size + 0.5) / (of.size + 0.5));
      for (const [at, count] of of) {
        const weight = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * lengths[at]!) / mean));
        scores.set(at, (scores.get(at) ?? 0) + idf * weight);
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b);
    return best.slice(0, hitsPerQuery).map(([at]) => pages[at]!);
  };
}

const dull = new Set(
  'the of a an is was did does in on to and or for by with which what who where when how many'.split(' '),
);

function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((term) => !dull.has(term))
    .map((term) => term.replace(/s$/, ''));
}
