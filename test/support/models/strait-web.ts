/** The web of the strait: its pages on three addresses of loopback, and a search engine that finds them by their words. */
import type { WebHit } from '../servers/search-engines.ts';
import { startWebServer, type WebServer } from '../servers/web-server.ts';
import { untagged } from './behaviour.ts';
import { straitPages } from './strait-pages.ts';

const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
/** Pages that are found on another host than the first. */
const elsewhere: Record<string, (typeof hosts)[number]> = {
  '/false': hosts[2],
  '/inject-image': hosts[1],
  '/inject-link': hosts[1],
  '/forum': hosts[2],
  '/town': hosts[1],
  '/eastness': hosts[1],
};
const maxHits = 10;

/** `allowed` is for FETCH_ALLOW_HOSTS. */
export async function startStraitWeb(): Promise<WebServer & { readonly allowed: string }> {
  const pages = Object.entries(straitPages).map(([path, body]) => [
    path,
    { body, ...(path === '/slow' ? { ms: 1_000 } : {}) },
  ]);
  const web = await startWebServer(Object.fromEntries(pages), hosts);
  const port = new URL(web.url).port;
  web.found = (_, query) =>
    find(untagged(query)).map(([path, hit]) => ({
      ...hit,
      url: `http://${elsewhere[path] ?? hosts[0]}:${port}${path}`,
    }));
  return Object.assign(web, { allowed: hosts.map((host) => `${host}:${port}`).join(',') });
}

interface Indexed {
  readonly path: string;
  readonly words: readonly string[];
  readonly hit: Omit<WebHit, 'url'>;
}

const index: readonly Indexed[] = Object.entries(straitPages).map(([path, html]) => {
  const text = html.replace(/<[^>]+>/g, ' ');
  const publishedDate = /published_time" content="([^"]*)/.exec(html)?.[1];
  const title = /<title>([^<]*)/.exec(html)![1]!;
  const content = text.slice(0, 160);
  return { path, words: wordsOf(text), hit: { title, content, ...(publishedDate ? { publishedDate } : {}) } };
});

/** Words of the query in the page, less for long pages, and more for those in its address. */
function find(query: string): (readonly [string, Indexed['hit']])[] {
  const asked = [...new Set(wordsOf(query))];
  const score = ({ path, words }: Indexed) => {
    const inPath = wordsOf(path);
    const held = asked.filter((word) => words.includes(word)).length;
    return held / Math.sqrt(words.length) + asked.filter((word) => inPath.includes(word)).length;
  };
  return index
    .map((page) => ({ page, score: score(page) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxHits)
    .map(({ page }) => [page.path, page.hit] as const);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
