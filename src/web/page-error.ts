/**
 * Why a page could not be read. Every failure of this folder that reaches a caller is a PageError: a code for programs,
 * one sentence for people, and never the stack or the text of a library's error.
 */

import type { ErrorCode } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import { ProcessError } from '../base/processes/process-error.ts';

const pageErrorCodes = [
  /** The address, port or scheme is not allowed. */
  'blocked_address',
  /** The URL, a redirect or the page's canonical URL is excluded by the source lists of the request. */
  'source_denied',
  'robots_denied',
  'dns_error',
  /** Refused, reset, bad TLS, or not HTTP. */
  'unreachable',
  'timeout',
  'too_large',
  'too_many_redirects',
  'http_status',
  'unsupported_type',
  'parse_failed',
] as const satisfies readonly ErrorCode[];

export type PageErrorCode = (typeof pageErrorCodes)[number];

export class PageError extends AppError {
  override readonly name = 'PageError';
  declare readonly code: PageErrorCode;
  /** For `http_status`: the status code of the page's server. */
  readonly upstreamStatus: number | undefined;
  /** How long the page's server asked to be left alone, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: PageErrorCode,
    message: string,
    options: { cause?: unknown; status?: number; retryAfterMs?: number | undefined } = {},
  ) {
    super(code, message, options.cause === undefined ? {} : { cause: options.cause });
    this.upstreamStatus = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Whether this machine was too busy to read the page. That is not the page's fault. */
export function isBusy(error: unknown): boolean {
  return error instanceof PageError && error.cause instanceof ProcessError && error.cause.reason === 'busy';
}
