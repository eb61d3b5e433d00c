/**
 * The one kind of failure that users of the client see: a row of the protocol's error table, or one of four things that
 * only a client can meet. `code` is the field to decide by.
 */
import type { ErrorCode, ErrorObject, errorTable, ValidationError } from '../../protocol/index.ts';

/**
 * connection_failed: the server cannot be reached, or the line was cut more often than may be tried again.
 * cancelled: the search ended with `search.cancelled`, or was given up by its signal.
 * closed: `close()` was called on the client.
 * bad_answer: what answered does not speak the protocol.
 */
export type ClientErrorCode = 'connection_failed' | 'cancelled' | 'closed' | 'bad_answer';

export interface CitewireErrorDetails {
  /** HTTP status, where the failure has one. */
  readonly status?: number | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean;
  /** Wait at least this long. */
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
  /** Of a `validation_error`: each place at fault. */
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

/** The server's error object; `status` is the answer's where it came by HTTP. */
export function fromErrorObject(error: ErrorObject, status: number | undefined = statusOf[error.code]): CitewireError {
  const { code, message, ...details } = error;
  return new CitewireError(code, message, { ...details, status });
}

/** What an HTTP answer that is not 2xx says. A body that is not the server's is some proxy's: its status decides. */
export async function fromResponse(response: Response): Promise<CitewireError> {
  const body = (await response.json().catch(() => undefined)) as { error?: ErrorObject } | undefined;
  return fromAnswer(response.status, response.headers.get('retry-after'), body);
}

export function fromAnswer(
  status: number,
  retryAfter: string | null | undefined,
  body: { error?: ErrorObject } | undefined,
): CitewireError {
  const retry_after_ms = readRetryAfter(retryAfter);
  if (typeof body?.error?.code === 'string')
    return fromErrorObject({ ...waiting(retry_after_ms), ...body.error }, status);
  const code = ofStatus[status] ?? 'bad_answer';
  const retryable = code !== 'bad_answer' && status !== 401 && status !== 403 && status !== 404;
  return new CitewireError(code, `The server answered ${status}.`, { status, retryable, retry_after_ms });
}

/** Why the server closed a WebSocket for good; undefined for the codes after which one connects again. */
export function fromCloseCode(code: number, reason: string): CitewireError | undefined {
  if (code < 4400 || code > 4499) return undefined;
  const known = closedFor[code] ?? 'bad_answer';
  const status = known === 'bad_answer' ? undefined : statusOf[known];
  return new CitewireError(known, reason || `The server closed the connection with ${code}.`, {
    status,
    retryable: known === 'rate_limited',
  });
}

export function connectionFailed(message: string, cause?: unknown): CitewireError {
  return new CitewireError('connection_failed', message, { retryable: true, cause });
}

/** Longer than any window of the server's limits: whoever asks for more is not waited for. */
const longestWaitMs = 120_000;

/** Whether a call that does no harm twice is made again: the server is full or away, for no longer than anyone waits. */
export function worthAnotherTry({ code, status, retry_after_ms = 0 }: CitewireError): boolean {
  return retry_after_ms <= longestWaitMs && (code === 'connection_failed' || status === 429 || status === 503);
}

function waiting(retry_after_ms: number | undefined): { retry_after_ms?: number } {
  return retry_after_ms === undefined ? {} : { retry_after_ms };
}

/** Milliseconds, from whole seconds or a date. */
function readRetryAfter(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? 1000 * Number(header) : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

const ofStatus: Record<number, ErrorCode | ClientErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'connection_failed',
  429: 'rate_limited',
  502: 'connection_failed',
  503: 'overloaded',
  504: 'connection_failed',
};

const closedFor: Record<number, ErrorCode> = {
  4400: 'bad_message',
  4401: 'unauthorized',
  4403: 'forbidden',
  4406: 'subprotocol',
  4429: 'rate_limited',
};

/** The table's own statuses, checked by the compiler: the table itself would bring its schemas along. */
const statusOf: { readonly [Code in ErrorCode]: (typeof errorTable)[Code]['status'] } = {
  validation_error: 422,
  idempotency_mismatch: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  upgrade_required: 426,
  bad_message: 422,
  unknown_type: 422,
  subprotocol: 422,
  rate_limited: 429,
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
