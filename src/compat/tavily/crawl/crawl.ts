/**
 * Reads the pages that a page leads to, level by level. Each is a page like any other: it costs a unit, and the rules of its site
 * hold. What was read when the time is over, or the caller may read no more, is the outcome.
 */
import { crawlLimits, type TavilyCrawlRequest } from '../../../../protocol/index.ts';
import { invalid } from '../../../base/errors.ts';
import type { BodyCall } from '../../../service/calls.ts';
import type { Service } from '../../../service/service.ts';
import { type ReadPage, readPages, simultaneous } from '../../read-pages.ts';
import { createLinkFilter } from './link-filter.ts';

/** What a crawl has found. */
export interface Crawled {
  readonly pages: readonly ReadPage[];
  /** The first page and what the pages link to, in the order in which it was found; each once, without fragments. */
  readonly urls: readonly string[];
}

interface Bounds {
  /** Pages that are read. */
  readonly pages: number;
  /** Addresses that are found. */
  readonly urls: number;
  /** Levels of pages that are read, the first page's included. */
  readonly levels: number;
}

/** Tavily's own defaults. */
export const crawlDefaults = { depth: 1, breadth: 20, limit: 50 } as const;

/** Rejects with the error of the first page, and with a 400 for an invalid URL or pattern. */
export async function crawl(
  service: Pick<Service, 'page'>,
  call: BodyCall,
  asked: TavilyCrawlRequest,
  bounds: Bounds,
): Promise<Crawled> {
  const base = baseOf(asked.url);
  const follows = await createLinkFilter(base, asked);
  const query = asked.instructions;
  const until = performance.now() + 1000 * Math.min(asked.timeout ?? crawlLimits.seconds, crawlLimits.seconds);
  const urls = new Set([base.href]);
  const pages: ReadPage[] = [];
  let level = [base.href];
  for (let read = 0; read < bounds.levels && level.length > 0; read += 1) {
    const next: string[] = [];
    const room = Math.max(0, bounds.pages - pages.length);
    for (const group of groupsOf(level.slice(0, room))) {
      if (performance.now() > until || call.signal.aborted) return { pages, urls: [...urls] };
      const found = await readPages(service, call, group, { query, whole: query == null }).catch((error: unknown) => {
        if (pages.length === 0) throw error;
        return undefined;
      });
      if (found === undefined) return { pages, urls: [...urls] };
      const [first] = found;
      if (pages.length === 0 && first?.error !== undefined) throw first.error;
      pages.push(...found);
      for (const page of found) next.push(...newLinks(page));
    }
    level = next;
  }
  return { pages, urls: [...urls] };

  function newLinks({ contents }: ReadPage): string[] {
    const found: string[] = [];
    const { links = [], other_links = [] } = contents?.info ?? {};
    // What its text leads to comes before its menus.
    for (const url of [...links.map((link) => link.url), ...other_links]) {
      if (found.length >= (asked.max_breadth ?? crawlDefaults.breadth) || urls.size >= bounds.urls) break;
      const link = linkOf(url);
      if (link === undefined || urls.has(link.href) || !follows(link)) continue;
      urls.add(link.href);
      found.push(link.href);
    }
    return found;
  }
}

/** Without a scheme, it is a page of the web. */
function baseOf(url: string): URL {
  const base = linkOf(/^https?:\/\//i.test(url) ? url : `https://${url}`);
  if (base !== undefined) return base;
  throw invalid(['body', 'url'], `expected the URL of a page; got ${JSON.stringify(url.slice(0, 100))}`, 'url_parsing');
}

function linkOf(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined;
  const link = new URL(url);
  link.hash = '';
  return link;
}

/** Pages that are read before it is decided again whether to go on. */
function groupsOf(urls: readonly string[]): string[][] {
  const starts = Array.from({ length: Math.ceil(urls.length / simultaneous) }, (_, at) => at * simultaneous);
  return starts.map((start) => urls.slice(start, start + simultaneous));
}
