/**
 * The only kind of error that callers see. Anything else that is thrown is a fault of the server: logged in full, shown
 * as `internal` with one neutral sentence.
 */
import type { z } from 'zod';
import {
  type ErrorCode,
  type ErrorObject,
  errorTable,
  type IssueType,
  type RequestPart,
  type ValidationError,
  validationIssues,
} from '../../protocol/index.ts';
import { preview } from '../../protocol/preview.ts';

export interface ErrorDetails {
  readonly retry_after_ms?: number;
  readonly issues?: readonly ValidationError[];
  /** Extra HTTP headers of the response, in lower case: `allow`, `ratelimit`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** `message` is one sentence that is safe to show: what was expected and what came. */
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

  /** The WebSocket close code, if this error ends a connection. */
  get close(): number | undefined {
    const row = errorTable[this.code];
    return 'close' in row ? row.close : undefined;
  }
}

/** Receives faults of the server for its log; `request_id` is the one that the caller was shown, `trace_id` that of its trace. */
export type OnFault = (error: unknown, request_id?: string, trace_id?: string) => void;

/** The error itself if it is an AppError, else an `internal` one with it as the cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', 'Internal error; see the server log for this request_id.', {
    cause: error,
  });
}

/** The error as it is sent, on every transport. */
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

/** A `not_found` for `what`, such as "search", with this id: the account does not have it, or there is none at all. */
export function notFound(what: string, id: string): AppError {
  return new AppError('not_found', `There is no ${what} ${preview(id)} for this account.`);
}

/** A `validation_error` for one field; `loc` begins with `body`, `path`, `query` or `header`. */
export function invalid(loc: readonly (string | number)[], msg: string, type: IssueType): AppError {
  return new AppError('validation_error', msg, { issues: [{ loc: [...loc], msg, type }] });
}

/** A `validation_error` with all of these issues, at least one. */
export function invalidAt(issues: readonly ValidationError[]): AppError {
  const message =
    issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)[0] ?? 'The request does not match its schema.';
  return new AppError('validation_error', message, { issues });
}

/** The parsed input. Throws a `validation_error` that lists every invalid field; `part` begins each `loc`. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  part: RequestPart = 'body',
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidAt(validationIssues(parsed.error, part, input));
}
