/**
 * Why a page could not be read. Every failure of this folder that a caller may meet is a PageError: a code to decide
 * by, one sentence to show, and never the stack or the text of a library's error.
 */

export const pageErrorCodes = [
  /** The address, port or scheme is one this server does not open. */
  'blocked_address',
  /** A redirect or the page's canonical address left the sources the request allows. */
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
] as const;

export type PageErrorCode = (typeof pageErrorCodes)[number];

export class PageError extends Error {
  override readonly name = 'PageError';
  readonly code: PageErrorCode;
  /** The status the page's own server gave, for `http_status`. */
  readonly status: number | undefined;

  constructor(code: PageErrorCode, message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }
}
