/**
 * What all search providers share: a time limit, a quota, a circuit breaker, respect for Retry-After and, for adapters that
 * need it, a pace. Adapters only turn a query into a request and a response into hits. A failure is one sentence
 * without keys or addresses.
 */

import { allows } from '../../../protocol/source-rules.ts';
import { sleep, timeLimit } from '../../base/abort.ts';
import { createCircuitBreaker } from '../../base/upstream/circuit-breaker.ts';
import { parseRetryAfter } from '../../base/upstream/retry-after.ts';
import type { Hit, WebQuery, WebSearch } from '../../engine/ports/web.ts';
import { type ProviderAdapter, ProviderError, type ProviderRequest } from './adapter.ts';
import type { FleetLimits } from './fleet/fleet-limits.ts';
import { createPace } from './pace.ts';

export interface ProviderOptions {
  readonly fetch: typeof fetch;
  /** Time limit of one call, ms; 8,000 by default. */
  readonly timeoutMs?: number;
  /** Max. calls in any minute; 120 by default. */
  readonly perMinute?: number;
  /**
   * For a provider that nobody configured: it is probed in the background when first needed, and used once it has answered.
   * While it cannot be reached, it is not called and no warning is reported.
   */
  readonly optional?: boolean;
  /** What this process shares with others of the same provider. */
  readonly fleet?: FleetLimits | undefined;
}

/** Consecutive failures that open the circuit breaker, and how long it stays open, doubling each time; set by hand. */
const maxFailures = 3;
const cooldownMs = { first: 30_000, max: 600_000 } as const;
/** Maximum Retry-After that is respected. Set by hand. */
const maxRetryAfterMs = 3_600_000;
/** Time until an unreachable optional provider is probed again, doubling each time; set by hand. */
const reprobeMs = { first: 60_000, max: 3_600_000 } as const;
/** A Retry-After up to this is awaited within the call; a longer one opens the circuit breaker. Set by hand. */
const maxRetryWaitMs = 2_000;

/** How much longer than a call its turn lasts when its process has died. Set by hand. */
const leaveMs = 2_000;

/** A search provider for an adapter. `search` rejects with a ProviderError, or the signal's reason. */
export function createSearchProvider(adapter: ProviderAdapter, options: ProviderOptions): WebSearch {
  const { timeoutMs = 8_000, optional = false, fleet } = options;
  const perMinute = Math.min(options.perMinute ?? 120, adapter.perMinute ?? Number.POSITIVE_INFINITY);
  const inTurn = createTurns(adapter, fleet, timeoutMs);
  const calls: number[] = [];
  const breaker = createCircuitBreaker({
    maxFailures,
    maxFailuresAgain: maxFailures,
    pauseMs: cooldownMs,
    maxRetryAfterMs,
  });
  /** Whether the last call took too long: the next one is not waited for as patiently. */
  let isSlow = false;
  let reached = !optional;
  let probing = false;
  let probes = 0;

  async function call(query: WebQuery, signal: AbortSignal): Promise<Hit[]> {
    const request = adapter.request(query);
    if (request === undefined) return [];
    countCall();
    await countInFleet();
    let answer = await send(request, query, signal);
    try {
      if (adapter.follow !== undefined && answer !== undefined) {
        const next = adapter.follow(answer);
        answer = next && (await send(next, query, signal));
      }
      if (answer === undefined) return [];
      return adapter
        .parse(answer)
        .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url) && allows(query.rules, url))
        .slice(0, query.limit);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderError) throw error;
      throw new ProviderError('it answered in an unexpected format.', { cause: error });
    }
  }

  /** The response as its adapter reads it; undefined for the status that means nothing was found. */
  async function send(request: ProviderRequest, { headers, late }: WebQuery, signal: AbortSignal): Promise<unknown> {
    const text = await inTurn(async () => {
      refuseWhilePaused();
      const limit = timeLimit(timeoutMs);
      const patience = isSlow && late !== undefined ? [late] : [];
      try {
        const response = await options.fetch(request.url, {
          ...request.init,
          headers: { ...(request.init?.headers as Record<string, string>), ...headers },
          signal: AbortSignal.any([signal, limit, ...patience]),
        });
        const body = await response.text();
        isSlow = false;
        if (response.status === adapter.emptyStatus) return undefined;
        if (!response.ok) throw statusError(response);
        return body;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProviderError) throw error;
        isSlow = limit.aborted || patience.some(({ aborted }) => aborted);
        if (limit.aborted) throw new ProviderError(`it did not answer within ${timeoutMs / 1000} s.`);
        if (isSlow) throw new ProviderError('it did not answer in time.', { cause: error });
        throw new ProviderError('it could not be reached.', { cause: error });
      }
    }, signal);
    return text === undefined || adapter.format === 'text' ? text : readJson(text);
  }

  function countCall(): void {
    const now = performance.now();
    while (calls.length > 0 && calls[0]! <= now - 60_000) calls.shift();
    if (calls.length >= perMinute) throw usedUp();
    calls.push(now);
  }

  async function countInFleet(): Promise<void> {
    if (fleet === undefined) return;
    const counted = await fleet.count(adapter.name, perMinute);
    if (counted === 'counted') return;
    calls.pop();
    if (counted === 'full') throw usedUp();
    breaker.pauseFor(counted.pausedMs);
    refuseWhilePaused();
  }

  function usedUp(): ProviderError {
    return new ProviderError(`its quota of ${perMinute} calls a minute is used up.`, { isOwnLimit: true });
  }

  function refuseWhilePaused(): void {
    const remaining = breaker.remainingMs();
    if (remaining === 0) return;
    const seconds = Math.ceil(remaining / 1000);
    throw new ProviderError(`it failed recently and is not called for ${seconds} s.`, { isOwnLimit: true });
  }

  async function guarded(query: WebQuery, signal: AbortSignal): Promise<Hit[]> {
    signal.throwIfAborted();
    refuseWhilePaused();
    try {
      const hits = await call(query, signal).catch(async (error: unknown) => {
        const wait = error instanceof ProviderError ? error.retryAfterMs : undefined;
        if (wait === undefined || wait > maxRetryWaitMs) throw error;
        await sleep(wait, signal);
        return call(query, signal);
      });
      breaker.succeeded();
      fleet?.succeeded(adapter.name);
      return hits;
    } catch (error) {
      signal.throwIfAborted();
      failed(error);
      throw error;
    }
  }

  function failed(error: unknown): void {
    if (error instanceof ProviderError && (error.isOwnLimit || error.isOfQuery)) return;
    const retryAfterMs = error instanceof ProviderError ? error.retryAfterMs : undefined;
    const pauseMs = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, maxRetryAfterMs);
    fleet?.failed(adapter.name, { maxFailures, firstMs: cooldownMs.first, maxMs: cooldownMs.max }, pauseMs);
    breaker.failed({ retryAfterMs });
  }

  /** Runs in the background: no search waits for it. */
  function probe(): void {
    if (probing || breaker.remainingMs() > 0) return;
    probing = true;
    const query: WebQuery = { text: 'encyclopedia', limit: 1, rules: { only: [], never: [] } };
    call(query, timeLimit(timeoutMs))
      .then(
        () => {
          reached = true;
          probes = 0;
        },
        () => {
          breaker.pauseFor(Math.min(reprobeMs.first * 2 ** probes, reprobeMs.max));
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
      if (reached && breaker.remainingMs() > 0) reached = false;
      if (!reached) probe();
      return reached;
    },
    search: guarded,
  };
}

/** Runs work as the adapter's pace says, in this process and over those of the fleet. */
function createTurns({ name, pace }: ProviderAdapter, fleet: FleetLimits | undefined, timeoutMs: number) {
  if (pace === undefined) return <Result>(work: () => Promise<Result>) => work();
  const inTurn = createPace(pace);
  if (fleet === undefined) return inTurn;
  const turn = { intervalMs: pace.intervalMs, maxMs: timeoutMs + leaveMs };
  return <Result>(work: () => Promise<Result>, signal: AbortSignal) =>
    inTurn(async () => {
      const end = await fleet.enter(name, turn, signal);
      try {
        return await work();
      } finally {
        end();
      }
    }, signal);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError('it answered with invalid JSON.');
  }
}

function statusError({ status, headers }: Response): ProviderError {
  // GitHub refuses with 403 when its limit is reached.
  const isLimited = status === 429 || status === 503 || headers.get('x-ratelimit-remaining') === '0';
  const resetMs = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000 - Date.now();
  const untilReset = status === 403 && resetMs > 0 ? resetMs : undefined;
  const retryAfterMs = isLimited ? (parseRetryAfter(headers.get('retry-after')) ?? untilReset) : undefined;
  if (isLimited && status === 403) return new ProviderError('its rate limit is reached.', { retryAfterMs });
  const isOfQuery = !isLimited && (status === 400 || status === 422);
  return new ProviderError(`${whyRefused(status)}.`, { retryAfterMs, isOfQuery });
}

function whyRefused(status: number): string {
  if (status === 401 || status === 403) return 'it rejected the key or the format';
  return status === 402 ? 'the credit of its account is used up' : `it answered ${status}`;
}
