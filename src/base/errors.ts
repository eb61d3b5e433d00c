/**
 * The one kind of failure that callers see. Whatever else is thrown is a fault of ours: logged in full, shown as
 * `internal` with one neutral sentence.
 */
import type { z } from 'zod';
import {
  type ErrorCode,
  type ErrorObject,
  errorTable,
  type RequestPart,
  type ValidationError,
  validationIssues,
} from '../../protocol/index.ts';

export interface ErrorDetails {
  readonly retry_after_ms?: number;
  readonly issues?: readonly ValidationError[];
  /** Extra HTTP headers of the answer, lower case: `allow`, `ratelimit`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** `message` says what was expected and what came, in one sentence that is safe to show. */
export class AppError extends Error {
  override readonly name: string = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** HTTP status. */
  get status(): number {
    return errorTable[this.code].status;
  }

  /** WebSocket close code, where this error ends a connection. */
  get close(): number | undefined {
    const row = errorTable[this.code];
    return 'close' in row ? row.close : undefined;
  }
}

/** Told of a fault of ours, for the server's log; `request_id` is the one that its caller was given. */
export type OnFault = (error: unknown, request_id?: string) => void;

/** Any failure as one that may be shown. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', 'The server met a fault it did not expect; its log has the details.', {
    cause: error,
  });
}

/** The error as it goes out, on every transport. */
export function errorObject(error: AppError, requestId: string): ErrorObject {
  const { retry_after_ms, issues } = error.details;
  return {
    code: error.code,
    message: error.message,
    retryable: errorTable[error.code].retryable,
    ...(retry_after_ms === undefined ? {} : { retry_after_ms: Math.ceil(retry_after_ms) }),
    ...(issues === undefined ? {} : { issues: [...issues] }),
    request_id: requestId,
  };
}

/** A 422 for one field; `loc` begins with `body`, `path`, `query` or `header`. */
export function invalid(loc: readonly (string | number)[], msg: string, type: string): AppError {
  return new AppError('validation_error', msg, { issues: [{ loc: [...loc], msg, type }] });
}

/** A 422 for all of these, of which there is at least one. */
export function invalidAt(issues: readonly ValidationError[]): AppError {
  const message = issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)[0] ?? 'The request does not fit its schema.';
  return new AppError('validation_error', message, { issues });
}

/** Throws a 422 that names every field at fault. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  part: RequestPart = 'body',
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidAt(validationIssues(parsed.error, part, input));
}
