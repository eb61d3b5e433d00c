/** Why a page could not be fetched, as a PageError: what its server answered, and errors of undici and of the resolver. */
import type { Dispatcher } from 'undici';
import { AppError } from '../../base/errors.ts';
import { parseRetryAfter } from '../../base/upstream/retry-after.ts';
import { PageError } from '../page-error.ts';
import { headerOf } from './response-headers.ts';

/** For a 206 that nobody asked for. */
export function partial(): PageError {
  return new PageError('unreachable', 'The site sent only part of the page, although the whole page was requested.');
}

/** For a status that is not 2xx; with `retryAfterMs` for 429 and 503 that state it. */
export function httpStatus(response: Dispatcher.ResponseData): PageError {
  const { statusCode: status } = response;
  const retryAfterMs =
    status === 429 || status === 503 ? parseRetryAfter(headerOf(response, 'retry-after')) : undefined;
  return new PageError('http_status', `The page's server answered ${status}.`, { status, retryAfterMs });
}

/** For a host that the request's source rules exclude. */
export function sourceDenied(url: URL): PageError {
  return new PageError(
    'source_denied',
    `${url.hostname.slice(0, 100)} is excluded by the source lists of this request.`,
  );
}

/** For any limit of time. */
export function timedOut(cause?: unknown): PageError {
  return new PageError('timeout', 'The page did not respond in time.', { cause });
}

/** Whether a `timeout` is that of connecting: nothing was asked of the site, and it may be this server's network that is slow. */
export function isConnectTimeout({ code, cause }: PageError): boolean {
  const causeCode = (cause as { code?: unknown } | undefined)?.code;
  return code === 'timeout' && (causeCode === 'UND_ERR_CONNECT_TIMEOUT' || causeCode === 'ETIMEDOUT');
}

/** Whether the code of an error is the resolver's. */
export function isDnsError(code: string): boolean {
  return /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EBADNAME)/.test(code);
}

/** Converts an error of undici or the resolver to a PageError; ours stay as they are. */
export function toPageError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/.test(code)) return timedOut(error);
  if (isDnsError(code)) {
    return new PageError('dns_error', 'The host name could not be resolved.', { cause: error });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new PageError('too_large', 'The response headers are too large.', { cause: error });
  }
  return new PageError('unreachable', 'The connection to the page failed.', { cause: error });
}
