/** Answers in one piece: JSON, and errors as protocol/errors.ts has them. The headers that every answer carries are here. */

import type { HTTPError, HTTPValidationError } from '../../../protocol/index.ts';
import { type AppError, asAppError, errorObject, type OnFault } from '../../base/errors.ts';
import { formatRetryAfter } from '../../base/retry-after.ts';
import type { Exchange, Headers } from '../exchange.ts';

export const defaultHeaders: Headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function replyJson(exchange: Exchange, status: number, body: unknown, headers: Headers = {}): void {
  replyText(exchange, status, JSON.stringify(body), headers);
}

/** JSON that is text already. */
export function replyText(exchange: Exchange, status: number, json: string, headers: Headers = {}): void {
  const all = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': exchange.id,
    ...defaultHeaders,
    ...headers,
  };
  exchange.respond(status, all, json);
}

export function replyError(exchange: Exchange, error: AppError, headers: Headers = {}): void {
  const { retry_after_ms } = error.details;
  const retry = retry_after_ms === undefined ? {} : { 'retry-after': formatRetryAfter(retry_after_ms) };
  replyJson(exchange, error.status, errorBody(error, exchange.id), { ...headers, ...retry, ...error.details.headers });
}

function errorBody(error: AppError, requestId: string): HTTPError | HTTPValidationError {
  const shown = errorObject(error, requestId);
  if (error.status === 422) {
    return { detail: shown.issues ?? [{ loc: ['body'], msg: shown.message, type: shown.code }], error: shown };
  }
  return { detail: shown.message, error: shown };
}

/** Answers with the error, unless the client has left; a fault of ours goes to the log as it is. */
export function sendError(exchange: Exchange, error: unknown, headers: Headers, onFault: OnFault): undefined {
  if (exchange.signal.aborted) return;
  const shown = asAppError(error);
  if (shown.code === 'internal') onFault(error, exchange.id);
  replyError(exchange, shown, headers);
}
