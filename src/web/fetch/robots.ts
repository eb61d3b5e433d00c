/**
 * What a site's robots.txt allows this server. Fetched through the same guarded fetcher as pages and kept for a day. As in
 * RFC 9309 (2.3.1), a missing file (4xx) allows everything; while a server fails (5xx, no answer in time) nothing of it is
 * fetched, and its robots.txt is requested again after a minute; of a server that could not be connected to in time, sooner.
 */
import { LRUCache } from 'lru-cache';
import { neverAborted, untilAborted } from '../../base/abort.ts';
import { PageError } from '../page-error.ts';
import { type Fetcher, productName } from './fetch.ts';
import { isConnectTimeout } from './fetch-errors.ts';
import { maxRobotsLength, parseRobots, type RobotsRules } from './robots-rules.ts';

export interface Robots {
  /** Seconds that the site wants between two requests; 0 where it says nothing. Rejects with the fetcher's PageError. */
  crawlDelay(url: URL, signal: AbortSignal): Promise<number>;
  /**
   * Rejects with `robots_denied` when the site's rules exclude this URL, with `unreachable` while they cannot be read, and
   * with the fetcher's PageError when the host itself may not or cannot be opened.
   */
  admit(url: URL, signal: AbortSignal): Promise<void>;
}

type Fetched = { readonly rules: RobotsRules } | { readonly failure: string } | { readonly unconnected: PageError };

const dayMs = 24 * 3600 * 1000;
/** Set by hand: long enough to leave a failing server alone, short enough for a search that is asked again. */
const failureMs = 60 * 1000;
/**
 * After connecting took too long, which may be this server's network. Set by hand: long enough for the pages of a dead host to fail quickly
 * after the first, short enough to harm nobody else for long.
 */
const unconnectedMs = 10 * 1000;
/** Set by hand: robots.txt is read before every first page of a host, so a search waits for it. */
const totalMs = 8_000;
/**
 * Max. size of all rules together, as they count it: about 64 MiB, for hosts that serve the longest files there may be. Set
 * by hand.
 */
const maxKeptSize = 32 * 1024 * 1024;
/** A character takes at most four bytes. */
const maxBytes = 4 * maxRobotsLength;

/**
 * The rules of every site, fetched when first needed. `fetcher` must not apply robots.txt itself. The rules of at most
 * 2,000 origins are kept, and fewer where they are large.
 */
export function createRobots(fetcher: Fetcher): Robots {
  const known = new LRUCache<string, Promise<Fetched>>({ max: 2_000, maxSize: maxKeptSize, ttl: dayMs });

  function rulesOf(origin: string): Promise<Fetched> {
    const held = known.get(origin);
    if (held !== undefined) return held;
    // No caller's signal: everyone waits for the same answer, and it is bounded in time by itself.
    const fetching = fetchRules(fetcher, origin);
    known.set(origin, fetching, { size: 1 });
    fetching.then(
      (fetched) => {
        if ('rules' in fetched) known.set(origin, fetching, { size: 1 + fetched.rules.size });
        else known.set(origin, fetching, { size: 1, ttl: 'failure' in fetched ? failureMs : unconnectedMs });
      },
      () => known.delete(origin),
    );
    return fetching;
  }

  return {
    async crawlDelay(url, signal) {
      const fetched = await untilAborted(rulesOf(url.origin), signal);
      if ('unconnected' in fetched) throw fetched.unconnected;
      return 'failure' in fetched ? 0 : fetched.rules.crawlDelay;
    },
    async admit(url, signal) {
      const fetched = await untilAborted(rulesOf(url.origin), signal);
      if ('unconnected' in fetched) throw fetched.unconnected;
      const host = url.hostname.slice(0, 100);
      if ('failure' in fetched) {
        const message = `The robots.txt of ${host} could not be read (${fetched.failure}), so its pages are not opened for now.`;
        throw new PageError('unreachable', message);
      }
      if (await fetched.rules.allows(`${url.pathname}${url.search}`)) return;
      throw new PageError('robots_denied', `The robots.txt of ${host} does not allow this page.`);
    },
  };
}

const everythingAllowed: Fetched = { rules: { allows: async () => true, crawlDelay: 0, size: 0 } };

async function fetchRules(fetcher: Fetcher, origin: string): Promise<Fetched> {
  try {
    const request = { url: `${origin}/robots.txt`, maxBytes, over: 'cut', totalMs } as const;
    const page = await fetcher.fetch(request, neverAborted);
    return { rules: await parseRobots(page.body.toString('utf8'), productName) };
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    const { code, upstreamStatus = 0 } = error;
    if (code === 'http_status' && upstreamStatus >= 500) return { failure: `status ${upstreamStatus}` };
    if (isConnectTimeout(error)) return { unconnected: error };
    if (code === 'timeout') return { failure: 'no answer in time' };
    if (['http_status', 'too_many_redirects', 'too_large', 'parse_failed'].includes(code)) return everythingAllowed;
    throw error;
  }
}
