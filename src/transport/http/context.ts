/**
 * One HTTP call, from its request to its answer. The headers set on a context go with the answer, whichever it will be:
 * that is how an error after a charge still carries the caller's rate-limit state.
 */
import type { HTTPError, HTTPValidationError } from '../../../protocol/index.ts';
import type { Credentials } from '../../access/access.ts';
import { rateLimitHeaders } from '../../access/limiter/limiter.ts';
import { type AppError, asAppError, errorObject, type OnFault } from '../../base/errors.ts';
import { traceIdOf } from '../../base/traceparent.ts';
import { formatRetryAfter } from '../../base/upstream/retry-after.ts';
import type { BodyCall } from '../../service/calls.ts';
import type { Exchange, Headers, RequestHead, Stream } from '../exchange.ts';
import { type JsonLimits, limitsOfBody } from '../json-limits.ts';
import { credentialsOf } from './credentials.ts';
import { readJson, readJsonIfAny } from './read-json.ts';

/** The status and the JSON body of an error. */
export type ErrorFormat = (error: AppError, requestId: string) => { readonly status: number; readonly body: unknown };

export interface Context {
  readonly request: RequestHead;
  /** Fires when the client leaves before the answer is complete. */
  readonly signal: AbortSignal;
  /** The call for the service; a charge sets the `RateLimit` headers. */
  readonly call: BodyCall & { readonly from: Credentials };
  /** The query parameters; of a repeated one, the last. */
  query(): Record<string, string>;
  /** The body as JSON, `{}` if there is none. Rejects with 413, 415 or 422. */
  optionalBody(): Promise<unknown>;
  /** The body as it is. Rejects with 413. */
  bytes(maxBytes: number): Promise<Uint8Array>;
  /** Sets a header of the answer. */
  header(name: string, value: string): void;
  /** Answers with the headers that were set and these. */
  send(status: number, headers: Headers, body: string | Uint8Array): void;
  json(status: number, body: unknown): void;
  /** Answers with JSON that is text already. */
  jsonText(status: number, json: string): void;
  /** Answers with the error's status and body. */
  error(error: AppError): void;
  /** Begins a streamed answer with status 200. */
  stream(headers: Headers): Stream;
  /** Breaks off the streamed answer, or one that begins later: the client notices that it is not complete. */
  breakOff(): void;
}

export interface ContextOptions {
  /** Headers of every answer, besides `x-request-id`. */
  readonly headers?: Headers;
  /** What the body may hold; called when it is read. By default what the body of a search may. */
  readonly bodyLimits?: () => JsonLimits;
  /** The form of errors, asked for when there is one; by default the native one. */
  readonly errorFormat?: () => ErrorFormat;
  /** The span of the call; by default its caller's. */
  readonly traceparent?: string | undefined;
  /** Called with the status once the complete answer was handed over. */
  readonly onAnswered?: (status: number) => void;
  /** Called with each error that answers the call. */
  readonly onError?: (error: AppError) => void;
  /** Called with 1 when a streamed answer begins and with -1 when it is over. */
  readonly onStream?: (change: 1 | -1) => void;
}

/** For answers that a cache must not keep and a browser must not take for another type. */
export const defaultHeaders: Headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** For every 401 (RFC 9110, 11.6.1). */
const challenge: Headers = { 'www-authenticate': 'Bearer realm="citewire"' };

/** The context of an exchange that has not been answered yet. */
export function createContext(exchange: Exchange, options: ContextOptions = {}): Context {
  const {
    onAnswered,
    onStream,
    onError,
    errorFormat = () => nativeError,
    bodyLimits = () => limitsOfBody(undefined),
  } = options;
  const { traceparent = exchange.headers.get('traceparent') } = options;
  const headers: Record<string, string> = { 'x-request-id': exchange.id, ...options.headers };
  let streamed: Stream | undefined;
  let isBrokenOff = false;

  function send(status: number, more: Headers, body: string | Uint8Array): void {
    exchange.respond(status, { ...headers, ...more }, body);
    onAnswered?.(status);
  }

  function jsonText(status: number, json: string, more?: Headers): void {
    const all = { 'content-type': 'application/json; charset=utf-8', ...defaultHeaders, ...headers, ...more };
    exchange.respond(status, all, json);
    onAnswered?.(status);
  }

  return {
    request: exchange,
    signal: exchange.signal,
    call: {
      request_id: exchange.id,
      from: credentialsOf(exchange),
      signal: exchange.signal,
      body: () => readJson(exchange, bodyLimits()),
      onCharged: (rate) => void Object.assign(headers, rateLimitHeaders(rate)),
      traceparent,
    },
    query: () => Object.fromEntries(new URLSearchParams(exchange.query)),
    optionalBody: () => readJsonIfAny(exchange, bodyLimits()),
    bytes: (maxBytes) => exchange.body(maxBytes),
    header(name, value) {
      headers[name] = value;
    },
    send,
    json: (status, body) => jsonText(status, JSON.stringify(body)),
    jsonText: (status, json) => jsonText(status, json),
    error(error) {
      onError?.(error);
      const { retry_after_ms, headers: ofError } = error.details;
      const retry = retry_after_ms === undefined ? {} : { 'retry-after': formatRetryAfter(retry_after_ms) };
      const { status, body } = errorFormat()(error, exchange.id);
      jsonText(status, JSON.stringify(body), { ...retry, ...(status === 401 ? challenge : {}), ...ofError });
    },
    stream(more) {
      const stream = exchange.stream({ ...defaultHeaders, ...headers, ...more });
      streamed = stream;
      let isOpen = true;
      const close = () => {
        if (isOpen) onStream?.(-1);
        isOpen = false;
      };
      onStream?.(1);
      exchange.signal.addEventListener('abort', close, { once: true });
      if (isBrokenOff) stream.terminate();
      return {
        ...stream,
        end() {
          stream.end();
          if (isOpen) onAnswered?.(200);
          close();
        },
      };
    },
    breakOff() {
      isBrokenOff = true;
      streamed?.terminate();
    },
  };
}

/** Answers with anything that was thrown, unless the client has left; anything but an AppError is reported as a fault. */
export function sendError(ctx: Context, error: unknown, onFault: OnFault): undefined {
  if (ctx.signal.aborted) return;
  const shown = asAppError(error);
  if (shown.code === 'internal') onFault(error, ctx.request.id, traceIdOf(ctx.call.traceparent));
  ctx.error(shown);
}

/** The form of errors of the native calls. */
export const nativeError = ((error, requestId) => {
  const { status } = error;
  const shown = errorObject(error, requestId);
  if (status !== 422) return { status, body: { detail: shown.message, error: shown } };
  const issues = shown.issues ?? [{ loc: ['body'], msg: shown.message, type: shown.code }];
  return { status, body: { detail: issues, error: shown } };
}) satisfies (...error: Parameters<ErrorFormat>) => { status: number; body: HTTPError | HTTPValidationError };
