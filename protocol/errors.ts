/**
 * Every way a call can fail: one row per code. Nothing else decides on a status, a close code or a retry. A row holds
 * the HTTP status, the WebSocket close code (if absent, the error is sent as an `error` frame and the connection stays
 * open), whether the same call may succeed later, and what the code means.
 */
import * as z from 'zod';

interface ErrorRow {
  readonly status: number;
  readonly close?: number;
  readonly retryable: boolean;
  readonly means: string;
}

export const errorTable = {
  validation_error: {
    status: 422,
    retryable: false,
    means: 'The request does not match its schema; `detail` says where.',
  },
  idempotency_mismatch: {
    status: 422,
    retryable: false,
    means: 'This idempotency key was already used with a different request body.',
  },
  unauthorized: {
    status: 401,
    close: 4401,
    retryable: false,
    means: 'The API key, ticket or session is missing or invalid.',
  },
  forbidden: {
    status: 403,
    close: 4403,
    retryable: false,
    means: 'The account, the key or the origin is not allowed to do this.',
  },
  not_found: {
    status: 404,
    retryable: false,
    means: 'No such path, search, API or version exists for this account.',
  },
  still_running: {
    status: 408,
    retryable: true,
    means: 'The search has not ended within the time that the call waits for it.',
  },
  method_not_allowed: { status: 405, retryable: false, means: 'The path does not support this method; see `Allow`.' },
  gone: { status: 410, retryable: false, means: 'The search has ended and its events are no longer available.' },
  payload_too_large: { status: 413, retryable: false, means: 'The body or frame is larger than the limit.' },
  unsupported_media_type: { status: 415, retryable: false, means: 'The body is not `application/json`.' },
  upgrade_required: { status: 426, retryable: false, means: 'This path accepts only WebSocket connections.' },
  bad_message: {
    status: 422,
    close: 4400,
    retryable: false,
    means: 'A frame is not a text frame with one JSON object; the third such frame closes the connection.',
  },
  unknown_type: {
    status: 422,
    retryable: false,
    means: 'The `type` of a client frame is unknown to this version.',
  },
  subprotocol: {
    status: 422,
    close: 4406,
    retryable: false,
    means: 'None of the offered subprotocols is `citewire.v1`.',
  },
  rate_limited: {
    status: 429,
    close: 4429,
    retryable: true,
    means: 'The key has reached its limit of requests per minute.',
  },
  quota_exceeded: {
    status: 429,
    retryable: false,
    means: 'The account has used up a quota of its plan for this day or month; the message says which.',
  },
  too_many_searches: {
    status: 429,
    retryable: true,
    means: 'Too many searches are running on this connection or key, or too many connections are open.',
  },
  overloaded: { status: 503, close: 4503, retryable: true, means: 'The server is at capacity.' },
  server_shutdown: { status: 503, close: 4503, retryable: true, means: 'The server is shutting down; reconnect.' },
  blocked_address: { status: 422, retryable: false, means: 'The URL resolves to an address that is not public.' },
  source_denied: {
    status: 422,
    retryable: false,
    means: 'The page redirects to a source that the source lists exclude.',
  },
  robots_denied: { status: 422, retryable: false, means: "The site's robots.txt disallows reading this page." },
  unsupported_type: { status: 422, retryable: false, means: 'The content type of the page cannot be read as text.' },
  too_large: { status: 422, retryable: false, means: 'The page is larger than the limit.' },
  unreachable: {
    status: 502,
    retryable: true,
    means: "The page's server refused the connection, ended it before the page was complete, or does not speak HTTP.",
  },
  dns_error: { status: 502, retryable: true, means: "The page's host name could not be resolved." },
  http_status: { status: 502, retryable: true, means: "The page's server answered with an error." },
  too_many_redirects: { status: 502, retryable: false, means: 'The page redirects more than five times.' },
  parse_failed: { status: 502, retryable: false, means: 'The page could not be parsed as its declared content type.' },
  timeout: { status: 504, retryable: true, means: "The page's server did not respond in time." },
  upstream_error: { status: 502, retryable: true, means: 'A service that this server depends on failed.' },
  deadline_exceeded: { status: 504, retryable: true, means: 'The search did not finish before its deadline.' },
  lost: { status: 500, retryable: true, means: 'The process that ran this search is gone.' },
  internal: {
    status: 500,
    close: 4500,
    retryable: true,
    means: 'Internal error; see the server log for this `request_id`.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** Close codes that no error causes. 44xx: fix something before reconnecting. 45xx: reconnect and resume. */
export const closeCodes = {
  normal: 1000,
  slow_consumer: 4508,
  lifetime: 4510,
} as const;

/** One problem with a request. `loc` starts with `body`, `path`, `query` or `header`. */
export const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
  })
  .meta({ id: 'ValidationError' });
export type ValidationError = z.infer<typeof ValidationError>;

export const ErrorObject = z
  .object({
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    /** Whether the same call may succeed later. */
    retryable: z.boolean(),
    retry_after_ms: z.int().nonnegative().optional(),
    issues: z.array(ValidationError).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'Error' });
export type ErrorObject = z.infer<typeof ErrorObject>;

/** Body of every 422. */
export const HTTPValidationError = z
  .object({ detail: z.array(ValidationError), error: ErrorObject })
  .meta({ id: 'HTTPValidationError' });
export type HTTPValidationError = z.infer<typeof HTTPValidationError>;

/** Body of every other error status. */
export const HTTPError = z.object({ detail: z.string(), error: ErrorObject }).meta({ id: 'HTTPError' });
export type HTTPError = z.infer<typeof HTTPError>;
