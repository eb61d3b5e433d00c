/** What the SDK throws as a ModelError, and whether another try may help. */

import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { parseRetryAfter } from '../../base/retry-after.ts';
import { ModelError } from '../model-error.ts';

/** A call that took all its time is not made again: that much time is better spent on the rest of the search. */
export function mayPass({ status }: ModelError, error: unknown): boolean {
  return (
    (error instanceof APIConnectionError && !(error instanceof APIConnectionTimeoutError)) ||
    status === 408 ||
    status === 409 ||
    status === 429 ||
    (status ?? 0) >= 500
  );
}

export function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIUserAbortError) return new ModelError('it did not answer in time.', { cause: error });
  if (error instanceof APIConnectionTimeoutError) return tooSlow(error);
  if (isUnreachable(error)) return unreachable(error);
  if (error instanceof APIConnectionError) return new ModelError('its connection broke off.', { cause: error });
  if (!(error instanceof APIError)) return new ModelError('it answered with what could not be read.', { cause: error });
  const { status } = error;
  const permanent = status === 401 || status === 403 || status === 404;
  const retryAfterMs = parseRetryAfter(error.headers?.get('retry-after'));
  return new ModelError(`its endpoint answered ${status}.`, { cause: error, status, permanent, retryAfterMs });
}

/** Nobody there, as opposed to somebody who broke off. */
export function isUnreachable(error: unknown): boolean {
  const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(String(code));
}

export function unreachable(cause?: unknown): ModelError {
  return new ModelError('its endpoint could not be reached.', { cause, permanent: true });
}

/** Asked again it would take as long again: a search waits for such an endpoint once. */
export function tooSlow(cause?: unknown): ModelError {
  return new ModelError('it did not answer in time.', { cause, permanent: true });
}
