/**
 * A call to an endpoint that searches can do without: one try, a time limit, and a circuit breaker, so that an endpoint that
 * fails costs nothing while it does. A failure is one sentence without keys, addresses or text of the endpoint.
 */
import { timeLimit } from '../../base/abort.ts';
import { createCircuitBreaker } from '../../base/upstream/circuit-breaker.ts';
import { parseRetryAfter } from '../../base/upstream/retry-after.ts';
import { missingModel, rejectionOf } from '../endpoint/errors.ts';
import { ModelError } from '../model-error.ts';

export interface GuardedPostOptions {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly timeoutMs: number;
  readonly onFailure?: ((error: ModelError) => void) | undefined;
}

export interface GuardedPost {
  /**
   * The JSON of the answer as `read` returns it. Rejects with a `ModelError`, or with the signal's reason. What `read` throws
   * counts as a failure of the endpoint; a refusal that may be about the text counts as nothing. An answer counts as a success unless
   * `isLate` says by then that it was too late for its search.
   */
  post<Value>(
    body: unknown,
    read: (answer: unknown) => Value,
    signal: AbortSignal,
    isLate?: () => boolean,
  ): Promise<Value>;
  /** Reports and counts what `post` cannot know to be a failure: an answer that is late for its search, a refusal of any text. */
  failed(error: ModelError): void;
  /** Whether calls are sent at present. */
  isOpen(): boolean;
}

/** As for search providers, but after a pause one failure begins the next: a search waits for each. Set by hand. */
const limits = {
  maxFailures: 3,
  maxFailuresAgain: 1,
  pauseMs: { first: 30_000, max: 600_000 },
  // An hour of words alone is enough.
  maxRetryAfterMs: 3_600_000,
} as const;

/** Why nothing is sent during a pause. The same sentence each time, so that the log has it once. */
export const failedRecently = 'it failed recently and is not called for a while.';
/** Why a search continued without an answer. */
export const answeredLate = 'it answered too late for a search.';

/** Calls to one address. */
export function createGuardedPost({
  fetch,
  url,
  apiKey,
  model,
  timeoutMs,
  onFailure,
}: GuardedPostOptions): GuardedPost {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const breaker = createCircuitBreaker(limits);

  function failed(error: ModelError): void {
    onFailure?.(error);
    breaker.failed({ retryAfterMs: error.retryAfterMs, isPermanent: error.permanent });
  }

  async function send(body: unknown, signal: AbortSignal): Promise<unknown> {
    const limit = timeLimit(timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, limit]),
      });
      const text = await response.text();
      if (!response.ok) {
        const rejection = rejectionOf(response.status, response.headers, text, missingModel(model));
        const retryAfterMs = rejection.retryAfterMs ?? parseRetryAfter(response.headers.get('retry-after'));
        const { message, status, permanent } = rejection;
        throw new ModelError(message, { status, permanent, retryAfterMs });
      }
      return parse(text);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      if (limit.aborted) throw new ModelError(`its endpoint did not answer within ${timeoutMs / 1000} s.`);
      throw new ModelError('its endpoint could not be reached.', { cause: error });
    }
  }

  return {
    isOpen: () => breaker.remainingMs() === 0,
    failed,
    async post(body, read, signal, isLate = () => false) {
      signal.throwIfAborted();
      const left = breaker.remainingMs();
      if (left > 0) throw new ModelError(failedRecently, { retryAfterMs: left });
      try {
        const value = read(await send(body, signal));
        // An endpoint that is always late would never be left alone.
        if (!isLate()) breaker.succeeded();
        return value;
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof ModelError ? error : unreadable(error);
        // The endpoint is well if it refuses one text.
        if (!isAboutText(failure)) failed(failure);
        throw failure;
      }
    },
  };
}

/** Whether the endpoint refused what it was sent, so that another text may be accepted. */
export function isAboutText(error: unknown): boolean {
  return error instanceof ModelError && [400, 413, 422].includes(error.status ?? 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause: unknown): ModelError {
  return new ModelError('its response could not be read.', { cause });
}
