/**
 * Every way a call can fail: one row a code, and nothing else decides a status, a close code or whether to try again.
 * A row is: HTTP status, WebSocket close code (absent: an `error` frame, the connection stays), whether the same call may
 * succeed later, and what it means.
 */
import { z } from 'zod';

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
    means: 'The request does not fit its schema; `detail` says where.',
  },
  idempotency_mismatch: {
    status: 422,
    retryable: false,
    means: 'This idempotency key was used with another request body.',
  },
  unauthorized: {
    status: 401,
    close: 4401,
    retryable: false,
    means: 'The API key, ticket or session is missing or not valid.',
  },
  forbidden: {
    status: 403,
    close: 4403,
    retryable: false,
    means: 'The account, the key or the origin may not do this.',
  },
  not_found: {
    status: 404,
    retryable: false,
    means: 'There is no such path, search, API or version for this account.',
  },
  method_not_allowed: { status: 405, retryable: false, means: 'The path exists, not with this method; see `Allow`.' },
  gone: { status: 410, retryable: false, means: 'The search has ended and its events are no longer kept.' },
  payload_too_large: { status: 413, retryable: false, means: 'The body or frame is larger than the limit.' },
  unsupported_media_type: { status: 415, retryable: false, means: 'The body is not `application/json`.' },
  upgrade_required: { status: 426, retryable: false, means: 'This path speaks WebSocket only.' },
  bad_message: {
    status: 422,
    close: 4400,
    retryable: false,
    means: 'A frame is not one JSON object in text; the third closes.',
  },
  unknown_type: {
    status: 422,
    retryable: false,
    means: 'A client frame has a `type` that this version does not know.',
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
    means: 'The key has used its requests of the last minute.',
  },
  too_many_searches: {
    status: 429,
    retryable: true,
    means: 'Too many searches are in flight on this connection or key.',
  },
  overloaded: { status: 503, close: 4503, retryable: true, means: 'The server is at its limit for the moment.' },
  server_shutdown: { status: 503, close: 4503, retryable: true, means: 'The server is going down; connect again.' },
  blocked_address: { status: 422, retryable: false, means: 'The URL leads to an address that is not public.' },
  source_denied: {
    status: 422,
    retryable: false,
    means: 'The page leads to a source that the source lists leave out.',
  },
  robots_denied: { status: 422, retryable: false, means: "The site's robots.txt does not allow this page to be read." },
  unsupported_type: { status: 422, retryable: false, means: 'The page is of a type that cannot be read as text.' },
  too_large: { status: 422, retryable: false, means: 'The page is larger than the limit.' },
  unreachable: { status: 502, retryable: true, means: "The page's server refused, or does not speak HTTP." },
  dns_error: { status: 502, retryable: true, means: "The page's host name could not be resolved." },
  http_status: { status: 502, retryable: true, means: "The page's server answered with an error." },
  too_many_redirects: { status: 502, retryable: false, means: 'The page redirects more than five times.' },
  parse_failed: { status: 502, retryable: false, means: 'The page could not be read as what it says it is.' },
  timeout: { status: 504, retryable: true, means: "The page's server did not answer in time." },
  upstream_error: { status: 502, retryable: true, means: 'Something this server relies on failed.' },
  deadline_exceeded: { status: 504, retryable: true, means: 'The search did not end within its deadline.' },
  lost: { status: 500, retryable: true, means: 'The process that ran this search went away.' },
  internal: { status: 500, close: 4500, retryable: true, means: 'A fault of the server; its log has the details.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** Close codes beyond the table's. 44xx: fix something first. 45xx: connect again and resume. */
export const closeCodes = {
  normal: 1000,
  slow_consumer: 4508,
  lifetime: 4510,
} as const;

/** One thing wrong with a request. `loc` begins with `body`, `path`, `query` or `header`. */
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

/** Body of every other status that is not 2xx. */
export const HTTPError = z.object({ detail: z.string(), error: ErrorObject }).meta({ id: 'HTTPError' });
export type HTTPError = z.infer<typeof HTTPError>;
