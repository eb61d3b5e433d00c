/**
 * The HTTP calls. An idempotent call is retried when the server is overloaded, limits the key or cannot be reached: after
 * `Retry-After`, else with exponential backoff and jitter, a bounded number of times.
 */

import { type BackoffOptions, createBackoff } from './backoff.ts';
import { toJson } from './calls/request-checks.ts';
import { CitewireError, checkKey, connectionFailed, fromResponse, isRetryable } from './citewire-error.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, without a leading slash. */
  readonly path: string;
  readonly body?: unknown;
  /** A file, as it is, in place of `body`. */
  readonly content?: Blob | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Not idempotent: when the connection is lost it may have been executed, so it is not sent again. */
  readonly once?: boolean;
}

export interface Http {
  /**
   * One attempt; the body is unread. Rejects with CitewireError when the status is not 2xx, with the signal's reason once that
   * fires.
   */
  send(call: HttpCall): Promise<Response>;
  /** The parsed JSON body, after up to `maxRetries` retries. Rejects like `send`, and with `bad_answer` for invalid JSON. */
  json<Body>(call: HttpCall): Promise<Body>;
}

export interface HttpOptions extends BackoffOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  /** Maximum time for one attempt, including the body. */
  readonly requestTimeoutMs: number;
}

/** Throws a TypeError when `baseUrl` is not a URL. */
export function createHttp(options: HttpOptions): Http {
  const { baseUrl, apiKey, fetch, maxRetries, requestTimeoutMs } = options;
  const base = new URL(baseUrl.replace(/\/*$/, '/'));

  async function send({ method, path, body, content, headers, signal }: HttpCall): Promise<Response> {
    if (apiKey !== undefined) checkKey(apiKey);
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: toJson(body) }),
      ...(content === undefined ? {} : { body: content }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: Error) => {
      if (signal?.aborted) throw signal.reason;
      throw connectionFailed(`Cannot reach ${baseUrl}: ${causeOf(error)}`, error);
    });
    if (!response.ok) throw await fromResponse(response);
    return response;
  }

  async function tryJson<Body>(call: HttpCall): Promise<Body> {
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
    try {
      const response = await send({ ...call, signal });
      const text = await response.text();
      return parseJson(text);
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (error instanceof CitewireError) throw error;
      const message = timeout.aborted ? `no response within ${requestTimeoutMs} ms` : causeOf(error as Error);
      throw connectionFailed(`Cannot reach ${baseUrl}: ${message}`, error);
    }
  }

  return {
    send,
    async json<Body>(call: HttpCall): Promise<Body> {
      const backoff = createBackoff(options);
      for (;;) {
        try {
          return await tryJson<Body>(call);
        } catch (error) {
          if (!(error instanceof CitewireError) || !isRetryable(error) || backoff.failures() >= maxRetries) throw error;
          if (call.once && error.code === 'connection_failed') throw error;
          backoff.recordFailure(error.retry_after_ms);
        }
        await backoff.wait(call.signal ?? never);
        call.signal?.throwIfAborted();
      }
    },
  };
}

const never = new AbortController().signal;

function parseJson<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw badAnswer(`Expected JSON; got ${JSON.stringify(text.slice(0, 60))}.`, cause);
  }
}

/** A `bad_answer`: something other than a Citewire server responded. */
export function badAnswer(message: string, cause?: unknown): CitewireError {
  return new CitewireError('bad_answer', message, { cause });
}

/** The message of fetch's own error is only "fetch failed". */
function causeOf(error: Error): string {
  return (error.cause as Error | undefined)?.message || error.message;
}
