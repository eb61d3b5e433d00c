/**
 * Reads pages for search, `/v1/contents` and the index, so all of them see the same text under the same snapshot id:
 * guarded fetch, robots.txt, extraction in processes of their own, a cache with revalidation, and one request for
 * concurrent reads of a URL, even across processes that share the cache. Pages are extracted in turn for the owners that
 * callers name. A page's canonical URL is trusted only on the same site; otherwise any page could have itself cited as
 * another.
 */
import type { LookupFunction } from 'node:net';
import { allows, everySource, type SourceRules } from '../../protocol/source-rules.ts';
import { sleep } from '../base/abort.ts';
import { snapshotId } from '../base/snapshot-id.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import { createBestEffortCache, type OnCacheTrouble } from './best-effort-cache.ts';
import { createExtractPool, type ExtractPoolOptions } from './extract/extract-pool.ts';
import type { Extraction, PageSource } from './extract/extraction.ts';
import { extractorVersion } from './extract/extractor-version.ts';
import { type BodyMemoryOptions, createBodyMemory } from './fetch/body-memory.ts';
import { createFetcher, type FetchedPage } from './fetch/fetch.ts';
import { createRobots } from './fetch/robots.ts';
import type { Page } from './page.ts';
import { type CachedPage, createMemoryCache, type PageCache, type ReleaseClaim } from './page-cache.ts';
import { PageError } from './page-error.ts';
import { createSingleFlight } from './single-flight.ts';

export interface ReaderOptions {
  /** `host` or `host:port`: private hosts and non-standard ports that are allowed. */
  readonly allowHosts?: readonly string[];
  readonly cache?: PageCache;
  /** Called once when the cache begins to fail, and without an error when it works again; pages are read meanwhile. */
  readonly onCacheTrouble?: OnCacheTrouble;
  /** Max. age of a cached page before it is revalidated, ms; 10 minutes by default. */
  readonly freshMs?: number;
  readonly extraction?: ExtractPoolOptions;
  /** For bodies that are read, or wait to be extracted. */
  readonly bodyMemory?: BodyMemoryOptions;
  /** Bounds of one fetch, ms: 3,000, 10,000 and 30,000 by default. */
  readonly timeouts?: { readonly connectMs?: number; readonly headersMs?: number; readonly totalMs?: number };
  /** Replaces every way to resolve a name. */
  readonly lookup?: LookupFunction;
}

export interface ReadOptions {
  readonly rules?: SourceRules;
  /** Overrides `freshMs`; 0 always revalidates. */
  readonly maxAgeMs?: number;
  /** The account that wants the page; callers that name none count as one owner. */
  readonly owner?: string | undefined;
}

export interface Reader {
  /** Rejects with a PageError, with `overloaded` while too many pages are read, or with the signal's reason. */
  read(url: string, options: ReadOptions, signal: AbortSignal): Promise<Page>;
  snapshot(id: string): Promise<Snapshot | undefined>;
  /**
   * The bytes of a file, decompressed, through the same guard; robots.txt is not consulted. `take` is called with the size of each
   * piece that arrives; what it throws ends the reading.
   */
  readBytes(
    url: string,
    options: { readonly maxBytes?: number; readonly take?: (bytes: number) => void },
    signal: AbortSignal,
  ): Promise<FetchedPage>;
  /**
   * Gives `use` the bytes of a file, as `readBytes` returns them, and counts them like those of a page of the owner until it has
   * settled. Rejects with `overloaded` while too many pages are read, and as `use` does.
   */
  withBytes<Result>(
    url: string,
    options: { readonly maxBytes?: number; readonly owner?: string | undefined },
    use: (bytes: Uint8Array) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  /** The crawl delay of the host's robots.txt, ms; 0 when it sets none. */
  crawlDelay(url: string, signal: AbortSignal): Promise<number>;
  /** Extracts bytes already at hand as a page of that type. Rejects with a PageError, or the signal's reason. */
  extractFile(bytes: Uint8Array, source: PageSource, signal: AbortSignal, owner?: string): Promise<Extraction>;
  close(): Promise<void>;
}

/** How soon a reader asks again whether another process has read its page: at first, and at last. Set by hand. */
const firstLookMs = 50;
const lastLookMs = 400;

/** How far the clocks of servers that share a cache may differ, ms; set by hand. */
const maxSkewMs = 60_000;

/** A reader with its own connections and processes, released by `close`. */
export function createReader(options: ReaderOptions = {}): Reader {
  const { allowHosts, lookup, timeouts } = options;
  const fetcher = createFetcher({ allowHosts, lookup, ...timeouts });
  const robots = createRobots(fetcher);
  const pool = createExtractPool(options.extraction);
  const cache = createBestEffortCache(options.cache ?? createMemoryCache(), options.onCacheTrouble);
  const memory = createBodyMemory(options.bodyMemory);
  const flights = createSingleFlight<Page>();

  async function visit(
    url: string,
    read: Omit<ReadOptions, 'owner'>,
    owners: readonly string[],
    signal: AbortSignal,
  ): Promise<Page> {
    const rules = read.rules ?? everySource;
    const begunAt = Date.now();
    const fresh = async (): Promise<{ known?: CachedPage | undefined; isFresh: boolean }> => {
      const entry = await cache.get(url);
      if (entry?.extractor_version !== extractorVersion || !allowed(entry, rules)) return { isFresh: false };
      const now = Date.now();
      const maxAgeMs = read.maxAgeMs ?? options.freshMs ?? 600_000;
      const ageMs = now - Date.parse(entry.page.info.fetched_at);
      // A page that was read since this call began is as new as a page can be.
      const isNew = ageMs >= 0 && ageMs < now - begunAt;
      // Of one from so far in the future that clocks cannot differ as much, how old it is cannot be known: the clock was set back
      // since.
      return { known: entry, isFresh: isNew || (ageMs >= -maxSkewMs && Math.max(ageMs, 0) < maxAgeMs) };
    };
    let { known, isFresh } = await fresh();
    if (known !== undefined && isFresh) return fromCache(known.page);
    const { claim } = cache;
    const releaseClaim = claim === undefined ? undefined : await inTurn(claim, url, signal);
    const held = memory.hold(owners);
    try {
      if (releaseClaim !== undefined) ({ known, isFresh } = await fresh());
      if (known !== undefined && isFresh) return fromCache(known.page);
      pool.prepare();
      const earlier = known;
      const headers = earlier === undefined ? undefined : (hop: URL) => validators(earlier, hop);
      const request = { rules, admit: robots.admit, take: held.take };
      let fetched = await fetcher.fetch({ ...request, url, headers }, signal);
      if (fetched.status === 304 && earlier !== undefined) {
        const page = { ...earlier.page, info: { ...earlier.page.info, fetched_at: new Date().toISOString() } };
        await cache.put(url, cached(page, fetched, earlier));
        return fromCache(page);
      }
      let { page, refresh } = await toPage(fetched, rules, owners, signal);
      if (refresh !== undefined && !fetched.hops.includes(refresh)) {
        fetched = await fetcher.fetch({ ...request, url: refresh, hops: fetched.hops }, signal);
        page = (await toPage(fetched, rules, owners, signal)).page;
      }
      await cache.put(url, cached(page, fetched, earlier));
      return page;
    } finally {
      held.release();
      releaseClaim?.();
    }
  }

  async function toPage(
    fetched: FetchedPage,
    rules: SourceRules,
    owners: readonly string[],
    signal: AbortSignal,
  ): Promise<{ page: Page; refresh: string | undefined }> {
    const source = { contentType: fetched.content_type, url: fetched.url };
    const { extraction, hash } = await pool.extract(fetched.body, source, owners, signal);
    const { text, title, canonical_url, published_at, refresh, ...rest } = extraction;
    const url = ownAddress(fetched.url, canonical_url);
    if (!allows(rules, url))
      throw new PageError(
        'source_denied',
        'The canonical URL of the page is excluded by the source lists of this request.',
      );
    const dated = published_at === undefined ? {} : { published_at };
    const page = {
      snapshot: { id: snapshotId(url, text), url, title, text, ...dated },
      info: {
        final_url: fetched.url,
        status: fetched.status,
        content_type: fetched.content_type,
        title,
        ...dated,
        ...rest,
        hash,
        fetched_at: new Date().toISOString(),
        from_cache: false,
      },
    };
    return { page, refresh };
  }

  return {
    async read(url, { owner = '', ...read }, signal) {
      if (!URL.canParse(url)) throw new PageError('blocked_address', 'Expected an absolute http(s) URL.');
      const bare = new URL(url);
      bare.hash = '';
      const key = JSON.stringify([bare.href, read]);
      return flights.run(key, owner, (owners, shared) => visit(bare.href, read, owners, shared), signal);
    },
    snapshot: (id) => cache.snapshot(id),
    readBytes: (url, { maxBytes, take }, signal) => fetcher.fetch({ url, maxBytes, take }, signal),
    async withBytes(url, { maxBytes, owner = '' }, use, signal) {
      const held = memory.hold([owner]);
      try {
        return await use((await fetcher.fetch({ url, maxBytes, take: held.take }, signal)).body);
      } finally {
        held.release();
      }
    },
    async crawlDelay(url, signal) {
      return (await robots.crawlDelay(new URL(url), signal)) * 1_000;
    },
    extractFile: async (bytes, source, signal, owner) =>
      (await pool.extract(bytes, source, owner === undefined ? [] : [owner], signal)).extraction,
    async close() {
      await Promise.all([fetcher.close(), pool.close()]);
    },
  };
}

/** Whether the rules allow a cached page and, as in a fetch, every URL it was redirected through. */
function allowed({ hops, page }: CachedPage, rules: SourceRules): boolean {
  return [...hops, page.snapshot.url].every((url) => allows(rules, url));
}

/** Resolves when no other process fetches the URL. Rejects with the signal's reason. */
async function inTurn(claim: NonNullable<PageCache['claim']>, url: string, signal: AbortSignal): Promise<ReleaseClaim> {
  for (let waitMs = firstLookMs; ; waitMs = Math.min(waitMs * 2, lastLookMs)) {
    const release = await claim(url);
    if (release !== 'taken') return release;
    await sleep(waitMs, signal);
  }
}

function fromCache(page: Page): Page {
  return { ...page, info: { ...page.info, from_cache: true } };
}

function validators(known: CachedPage, hop: URL): Record<string, string> {
  if (hop.href !== known.page.info.final_url) return {};
  return {
    ...(known.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known.last_modified === undefined ? {} : { 'if-modified-since': known.last_modified }),
  };
}

function cached(page: Page, fetched: FetchedPage, known: CachedPage | undefined): CachedPage {
  const etag = fetched.etag ?? (fetched.status === 304 ? known?.etag : undefined);
  const modified = fetched.last_modified ?? (fetched.status === 304 ? known?.last_modified : undefined);
  return {
    page,
    hops: fetched.hops,
    extractor_version: extractorVersion,
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { last_modified: modified }),
  };
}

/** Parameters that choose a page of a list. */
const pagingParameters = ['page', 'p', 'start', 'offset'];

/** The page's canonical URL if it is on the site that served the page; else the URL that served it. */
function ownAddress(finalUrl: string, canonical: string | undefined): string {
  if (canonical === undefined) return finalUrl;
  const [own, declared] = [new URL(finalUrl), new URL(canonical)];
  const site = ({ host }: URL) => host.replace(/^(www|m|mobile|amp)\./, '');
  // Misconfigured sites declare their home page as the canonical URL of every page.
  const isHomePage = declared.pathname === '/' && own.pathname !== '/';
  return site(declared) === site(own) && !isHomePage && !isFirstOf(declared, own) ? canonical : finalUrl;
}

/** Whether a page of a list declares the list as its canonical URL, as if all of its pages were one. */
function isFirstOf(declared: URL, own: URL): boolean {
  if (declared.pathname !== own.pathname) return false;
  return pagingParameters.some((name) => {
    const page = own.searchParams.get(name) ?? '';
    return page !== '' && page !== '0' && page !== '1' && !declared.searchParams.has(name);
  });
}
