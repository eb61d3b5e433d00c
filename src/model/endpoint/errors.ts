/** Turns what the SDK throws into a `ModelError`, and decides which failures are worth a retry. */

import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { parseRetryAfter } from '../../base/retry-after.ts';
import { ModelError } from '../model-error.ts';

/** Whether a retry may help. Not after a timeout: that much time is better spent on the rest of the search. */
export function isRetryable({ status }: ModelError, error: unknown): boolean {
  return (
    (error instanceof APIConnectionError && !(error instanceof APIConnectionTimeoutError)) ||
    status === 408 ||
    status === 409 ||
    status === 429 ||
    (status ?? 0) >= 500
  );
}

/** Any error as a `ModelError`. Its message never repeats what the endpoint wrote. */
export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIUserAbortError) return new ModelError('it did not answer in time.', { cause: error });
  if (error instanceof APIConnectionTimeoutError) return tooSlow(error);
  if (isUnreachable(error)) return unreachable(error);
  if (error instanceof APIConnectionError) return new ModelError('its connection was lost.', { cause: error });
  if (!(error instanceof APIError)) return new ModelError('its response could not be read.', { cause: error });
  const { status } = error;
  const permanent = status === 401 || status === 403 || status === 404;
  const retryAfterMs = parseRetryAfter(error.headers?.get('retry-after'));
  return new ModelError(`its endpoint returned status ${status}.`, { cause: error, status, permanent, retryAfterMs });
}

/** Whether nothing could be connected to, as opposed to a connection that was lost. */
export function isUnreachable(error: unknown): boolean {
  const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(String(code));
}

/** Permanent: further calls would fail, too. */
export function unreachable(cause?: unknown): ModelError {
  return new ModelError('its endpoint could not be reached.', { cause, permanent: true });
}

/** Permanent: the next call would take as long, and a search waits for such an endpoint only once. */
export function tooSlow(cause?: unknown): ModelError {
  return new ModelError('it did not answer in time.', { cause, permanent: true });
}
