/**
 * The only error that the client throws: a row of the protocol's error table, or one of four errors that occur only in a
 * client. Decide by `code`.
 */
import type { ErrorCode, ErrorObject, errorTable, ValidationError } from '../../protocol/index.ts';

/**
 * connection_failed: the server cannot be reached, or the connection was lost more often than `maxRetries` allows.
 * cancelled: the search ended with `search.cancelled`, or was aborted by its signal.
 * closed: `close()` was called on the client.
 * bad_answer: the response does not follow the protocol.
 */
export type ClientErrorCode = 'connection_failed' | 'cancelled' | 'closed' | 'bad_answer';

export interface CitewireErrorDetails {
  /** The HTTP status, if there is one. */
  readonly status?: number | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean;
  /** Minimum wait before a retry. */
  readonly retry_after_ms?: number | undefined;
  readonly issues?: readonly ValidationError[] | undefined;
  readonly request_id?: string;
  readonly cause?: unknown;
}

export class CitewireError extends Error {
  override readonly name: string = 'CitewireError';
  readonly code: ErrorCode | ClientErrorCode;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retry_after_ms: number | undefined;
  /** Every invalid field, for a `validation_error`. */
  readonly issues: readonly ValidationError[];
  readonly request_id: string | undefined;

  constructor(code: ErrorCode | ClientErrorCode, message: string, details: CitewireErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.retry_after_ms = details.retry_after_ms;
    this.issues = details.issues ?? [];
    this.request_id = details.request_id;
  }
}

/** An error from the server's error object; `status` is that of the HTTP response, if there was one. */
export function fromErrorObject(error: ErrorObject, status: number | undefined = statusOf[error.code]): CitewireError {
  const { code, message, ...details } = error;
  return new CitewireError(code, message, { ...details, status });
}

/** An error from a response that is not 2xx; reads its body. A body in another form is a proxy's: then the status decides. */
export async function fromResponse(response: Response): Promise<CitewireError> {
  const body = (await response.json().catch(() => undefined)) as { error?: ErrorObject } | undefined;
  return fromAnswer(response.status, response.headers.get('retry-after'), body);
}

/** Like `fromResponse`, from the parts: the status, the header `Retry-After` and the parsed body. */
export function fromAnswer(
  status: number,
  retryAfter: string | null | undefined,
  body: { error?: ErrorObject } | undefined,
): CitewireError {
  const retry_after_ms = parseRetryAfter(retryAfter);
  if (typeof body?.error?.code === 'string')
    return fromErrorObject({ ...(retry_after_ms === undefined ? {} : { retry_after_ms }), ...body.error }, status);
  const code = codeOfStatus[status] ?? 'bad_answer';
  const retryable = code !== 'bad_answer' && status !== 401 && status !== 403 && status !== 404;
  return new CitewireError(code, `The server answered ${status}.`, { status, retryable, retry_after_ms });
}

/** The error for a close code of a WebSocket; undefined for codes after which the client may reconnect. */
export function fromCloseCode(code: number, reason: string): CitewireError | undefined {
  if (code < 4400 || code > 4499) return undefined;
  const known = codeOfClose[code] ?? 'bad_answer';
  const status = known === 'bad_answer' ? undefined : statusOf[known];
  return new CitewireError(known, reason || `The server closed the connection with ${code}.`, {
    status,
    retryable: known === 'rate_limited',
  });
}

/** A retryable `connection_failed`. */
export function connectionFailed(message: string, cause?: unknown): CitewireError {
  return new CitewireError('connection_failed', message, { retryable: true, cause });
}

/**
 * Throws `unauthorized` for a key that no header can carry, such as one with the "…" of an example: fetch and WebSockets fail with
 * it as if the server could not be reached.
 */
export function checkKey(apiKey: string): void {
  const [character] = /[^\x21-\x7e]/u.exec(apiKey) ?? [];
  if (character === undefined) return;
  const message = `Expected an API key of visible ASCII characters; got one with ${JSON.stringify(character)}.`;
  throw new CitewireError('unauthorized', message, { status: statusOf.unauthorized });
}

/** Set by hand, above every rate-limit window of the server; longer waits are left to the caller. */
const maxRetryAfterMs = 120_000;

/** Whether the client retries an idempotent call by itself: the server is unreachable, limits the key or is overloaded. */
export function isRetryable({ code, status, retry_after_ms = 0 }: CitewireError): boolean {
  return retry_after_ms <= maxRetryAfterMs && (code === 'connection_failed' || status === 429 || status === 503);
}

/** In milliseconds; the header has seconds or a date. */
function parseRetryAfter(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? 1000 * Number(header) : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

const codeOfStatus: Record<number, ErrorCode | ClientErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'connection_failed',
  429: 'rate_limited',
  502: 'connection_failed',
  503: 'overloaded',
  504: 'connection_failed',
};

const codeOfClose: Record<number, ErrorCode> = {
  4400: 'bad_message',
  4401: 'unauthorized',
  4403: 'forbidden',
  4406: 'subprotocol',
  4429: 'rate_limited',
};

/** A copy of the table's statuses, checked by the compiler: importing the table would import its schemas too. */
const statusOf: { readonly [Code in ErrorCode]: (typeof errorTable)[Code]['status'] } = {
  validation_error: 422,
  idempotency_mismatch: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  still_running: 408,
  method_not_allowed: 405,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  upgrade_required: 426,
  bad_message: 422,
  unknown_type: 422,
  subprotocol: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  too_many_searches: 429,
  overloaded: 503,
  server_shutdown: 503,
  blocked_address: 422,
  source_denied: 422,
  robots_denied: 422,
  unsupported_type: 422,
  too_large: 422,
  unreachable: 502,
  dns_error: 502,
  http_status: 502,
  too_many_redirects: 502,
  parse_failed: 502,
  timeout: 504,
  upstream_error: 502,
  deadline_exceeded: 504,
  lost: 500,
  internal: 500,
};
