/**
 * What every search provider has around it, whatever it speaks: a time limit, a quota, a breaker that leaves a failing one
 * alone for a while, respect for Retry-After, and, for those who ask for it, one call at a time. Adapters only say how a
 * query becomes a request and an answer becomes hits. A failure is one sentence that names no key and no address.
 */

import { allows } from '../../../protocol/source-rules.ts';
import { sleep } from '../../base/abort.ts';
import { parseRetryAfter } from '../../base/retry-after.ts';
import type { Hit, WebQuery, WebSearch } from '../../engine/ports/web.ts';

export interface ProviderAdapter {
  readonly name: string;
  /** Undefined where this provider has nothing within the query's rules. */
  request(query: WebQuery): { readonly url: string; readonly init?: RequestInit } | undefined;
  /** Hits, best first; throws ProviderError for an answer that is a failure in disguise. */
  parse(answer: unknown): Hit[];
  /** Whether it wants one call at a time. */
  readonly serial?: boolean;
}

export interface ProviderOptions {
  readonly fetch: typeof fetch;
  /** One call, ms; 8,000 unless told. */
  readonly timeoutMs?: number;
  /** Calls in any minute; 120 unless told. */
  readonly perMinute?: number;
  /**
   * For one that nobody configured: it is tried in the background when first needed and joins in once it has answered.
   * While it cannot be reached it is not asked, and nothing is said of it.
   */
  readonly optional?: boolean;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
  }
}

const failuresToRest = 3;
const restMs = { first: 30_000, most: 600_000 } as const;
/** An optional provider that could not be reached is tried again after a minute, then ever less often. */
const probeAgainMs = { first: 60_000, most: 3_600_000 } as const;
/** So long a Retry-After is waited for at once; a longer one rests the provider. */
const shortWaitMs = 2_000;

/** A search provider around an adapter. `search` rejects with a ProviderError, or the signal's reason. */
export function createSearchProvider(adapter: ProviderAdapter, options: ProviderOptions): WebSearch {
  const { timeoutMs = 8_000, perMinute = 120, optional = false } = options;
  const calls: number[] = [];
  let failures = 0;
  let restUntil = 0;
  let rests = 0;
  let queue: Promise<unknown> = Promise.resolve();
  let reached = !optional;
  let probing = false;
  let probes = 0;

  async function call(query: WebQuery, signal: AbortSignal): Promise<Hit[]> {
    const request = adapter.request(query);
    if (request === undefined) return [];
    countCall();
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await options.fetch(request.url, {
        ...request.init,
        signal: AbortSignal.any([signal, limit]),
      });
      const text = await response.text();
      if (!response.ok) throw statusError(response);
      return adapter
        .parse(readJson(text))
        .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url) && allows(query.rules, url))
        .slice(0, query.limit);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderError) throw error;
      if (limit.aborted) throw new ProviderError(`it did not answer within ${timeoutMs / 1000} s.`);
      throw new ProviderError('it could not be reached.', { cause: error });
    }
  }

  function countCall(): void {
    const now = performance.now();
    while (calls.length > 0 && calls[0]! <= now - 60_000) calls.shift();
    if (calls.length >= perMinute) throw new ProviderError(`its quota of ${perMinute} calls a minute is used up.`);
    calls.push(now);
  }

  async function guarded(query: WebQuery, signal: AbortSignal): Promise<Hit[]> {
    signal.throwIfAborted();
    const rest = restUntil - performance.now();
    if (rest > 0) throw new ProviderError(`it failed lately and is left alone for ${Math.ceil(rest / 1000)} s.`);
    try {
      const hits = await call(query, signal).catch(async (error: unknown) => {
        const wait = error instanceof ProviderError ? error.retryAfterMs : undefined;
        if (wait === undefined || wait > shortWaitMs) throw error;
        await sleep(wait, signal);
        return call(query, signal);
      });
      failures = 0;
      rests = 0;
      return hits;
    } catch (error) {
      signal.throwIfAborted();
      failed(error);
      throw error;
    }
  }

  function failed(error: unknown): void {
    failures += 1;
    const asked = error instanceof ProviderError ? error.retryAfterMs : undefined;
    if (asked === undefined && failures < failuresToRest) return;
    const wait = asked ?? Math.min(restMs.first * 2 ** rests, restMs.most);
    rests += 1;
    failures = 0;
    restUntil = Math.max(restUntil, performance.now() + Math.min(wait, probeAgainMs.most));
  }

  /** In the background: no search waits for it. */
  function probe(): void {
    if (probing || performance.now() < restUntil) return;
    probing = true;
    const query: WebQuery = { text: 'encyclopedia', limit: 1, rules: { only: [], never: [] } };
    call(query, AbortSignal.timeout(timeoutMs))
      .then(
        () => {
          reached = true;
          probes = 0;
        },
        () => {
          restUntil = performance.now() + Math.min(probeAgainMs.first * 2 ** probes, probeAgainMs.most);
          probes += 1;
        },
      )
      .finally(() => {
        probing = false;
      });
  }

  return {
    name: adapter.name,
    ready() {
      if (!optional) return true;
      if (reached && performance.now() < restUntil) reached = false;
      if (!reached) probe();
      return reached;
    },
    search(query, signal) {
      if (!adapter.serial) return guarded(query, signal);
      const turn = queue.then(() => guarded(query, signal));
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError('it answered with what is no JSON.');
  }
}

function statusError(response: Response): ProviderError {
  const { status } = response;
  const isLimited = status === 429 || status === 503;
  const retryAfterMs = isLimited ? parseRetryAfter(response.headers.get('retry-after')) : undefined;
  const why = status === 401 || status === 403 ? 'it refused the key or the format' : `it answered ${status}`;
  return new ProviderError(`${why}.`, { retryAfterMs });
}

/** An object of an answer, with its fields unknown. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The objects of a list in an answer; nothing where there is none. */
export function rowsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A hit from what a provider calls its fields; undefined without an address. */
export function hitOf(url: unknown, title: unknown, snippet: unknown, published: unknown): Hit | undefined {
  if (typeof url !== 'string') return undefined;
  const at = typeof published === 'string' ? Date.parse(published) : Number.NaN;
  return {
    url,
    title: plainText(title),
    snippet: plainText(snippet),
    ...(Number.isNaN(at) ? {} : { published_at: new Date(at).toISOString() }),
  };
}

function plainText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 1_000)
    .toWellFormed();
}

/** A query with the operators that most engines know, for as many sites as fit. */
export function withSites({ text, rules }: WebQuery): string {
  const only = rules.only.slice(0, 8).map(({ host, path }) => `site:${host}${path}`);
  const never = rules.never.slice(0, 8).map(({ host, path }) => `-site:${host}${path}`);
  const sites = only.length > 1 ? [`(${only.join(' OR ')})`] : only;
  return [text, ...sites, ...never].join(' ');
}
