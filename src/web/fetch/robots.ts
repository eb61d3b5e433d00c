/**
 * What a site's robots.txt allows this server. Fetched through the same guarded fetcher as pages, kept for a day. As RFC
 * 9309 has it: a missing file (4xx) allows everything, a server that fails (5xx, no answer in time) allows nothing, and
 * that verdict is asked again soon. Matching costs little whatever the file holds: see `bounded`.
 */
import { LRUCache } from 'lru-cache';
import robotsParser from 'robots-parser';
import { neverAborted, untilAborted } from '../../base/abort.ts';
import { PageError } from '../page-error.ts';
import { type Fetcher, userAgent } from './fetch.ts';

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** Seconds between two requests, as the site asks; 0 when it does not. */
  readonly crawl_delay: number;
}

export interface Robots {
  /** Rejects with the fetcher's PageError when the host itself may not or cannot be opened. */
  verdict(url: URL, signal: AbortSignal): Promise<RobotsVerdict>;
  /** Rejects with `robots_denied` when the site's rules leave this URL out. */
  admit(url: URL, signal: AbortSignal): Promise<void>;
}

interface ParsedRobots {
  isAllowed(url: string, agent?: string): boolean | undefined;
  getCrawlDelay(agent?: string): number | undefined;
}

type Rules = ParsedRobots | 'all' | 'none';

// Its types describe a default export that the CommonJS file does not have.
const parseRobots = robotsParser as unknown as (url: string, text: string) => ParsedRobots;

const dayMs = 24 * 3600 * 1000;
const failureMs = 60 * 1000;
const maxBytes = 500 * 1024;

export function createRobots(fetcher: Fetcher): Robots {
  const known = new LRUCache<string, Promise<Rules>>({ max: 2_000, ttl: dayMs });

  function rulesOf(origin: string): Promise<Rules> {
    const held = known.get(origin);
    if (held !== undefined) return held;
    // No caller's signal: the answer is everyone's, and it is bounded in time by itself.
    const asked = fetchRules(fetcher, origin);
    known.set(origin, asked);
    asked.then(
      (rules) => rules === 'none' && known.set(origin, asked, { ttl: failureMs }),
      () => known.delete(origin),
    );
    return asked;
  }

  async function verdict(url: URL, signal: AbortSignal): Promise<RobotsVerdict> {
    const rules = await untilAborted(rulesOf(url.origin), signal);
    if (typeof rules === 'string') return { allowed: rules === 'all', crawl_delay: 0 };
    const path = `${url.pathname}${url.search}`.slice(0, 1_024);
    const delay = rules.getCrawlDelay(userAgent) ?? 0;
    return {
      allowed: rules.isAllowed(`${url.origin}${path}`, userAgent) ?? true,
      crawl_delay: Number.isFinite(delay) && delay > 0 ? delay : 0,
    };
  }

  return {
    verdict,
    async admit(url, signal) {
      if ((await verdict(url, signal)).allowed) return;
      throw new PageError('robots_denied', `The robots.txt of ${url.hostname.slice(0, 100)} does not allow this page.`);
    },
  };
}

async function fetchRules(fetcher: Fetcher, origin: string): Promise<Rules> {
  const url = `${origin}/robots.txt`;
  try {
    const page = await fetcher.fetch({ url, maxBytes, over: 'cut', totalMs: 8_000 }, neverAborted);
    return parseRobots(url, bounded(page.body.toString('utf8')));
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    if (error.code === 'http_status')
      return error.upstreamStatus !== undefined && error.upstreamStatus < 500 ? 'all' : 'none';
    if (error.code === 'timeout') return 'none';
    if (error.code === 'too_many_redirects' || error.code === 'too_large' || error.code === 'parse_failed')
      return 'all';
    throw error;
  }
}

/** The lines that matter; of the rules with a wildcard, whose matching is quadratic, as many as fit in 16 KiB. */
function bounded(text: string): string {
  let budget = 16 * 1024;
  return text
    .split(/\r\n?|\n/)
    .filter((line) => {
      if (!/^\s*(user-agent|allow|disallow|crawl-delay)\s*:/i.test(line)) return false;
      if (/^\s*(allow|disallow)\s*:/i.test(line) && line.includes('*')) budget -= line.length;
      return budget >= 0 || !line.includes('*');
    })
    .join('\n');
}
