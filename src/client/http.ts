/**
 * The HTTP calls. A call that does no harm twice is made again when the server is full, limits the key or cannot be
 * reached: after `Retry-After`, else with exponential backoff and jitter, a bounded number of times.
 */

import { createPace, type PaceOptions } from './backoff.ts';
import { CitewireError, connectionFailed, fromResponse, worthAnotherTry } from './citewire-error.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base URL, without a slash in front. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** It must not be done twice: where the line was cut it may have been done, so it is not sent again. */
  readonly once?: boolean;
}

export interface Http {
  /** One try: the answer, its body unread. Rejects with CitewireError when it is not 2xx, with the signal's reason once that fires. */
  send(call: HttpCall): Promise<Response>;
  /** The JSON of the answer, after as many tries as are allowed. */
  json<Body>(call: HttpCall): Promise<Body>;
}

export interface HttpOptions extends PaceOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly maxRetries: number;
  /** The longest wait for an answer, its body included. */
  readonly requestTimeoutMs: number;
}

export function createHttp(options: HttpOptions): Http {
  const { baseUrl, apiKey, fetch, maxRetries, requestTimeoutMs } = options;
  const base = new URL(baseUrl.replace(/\/*$/, '/'));

  async function send({ method, path, body, headers, signal }: HttpCall): Promise<Response> {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: Error) => {
      if (signal?.aborted) throw signal.reason;
      throw connectionFailed(`${baseUrl} cannot be reached: ${causeOf(error)}`, error);
    });
    if (!response.ok) throw await fromResponse(response);
    return response;
  }

  async function tryJson<Body>(call: HttpCall): Promise<Body> {
    const late = AbortSignal.timeout(requestTimeoutMs);
    const signal = call.signal === undefined ? late : AbortSignal.any([call.signal, late]);
    try {
      const response = await send({ ...call, signal });
      const text = await response.text();
      return readJson(text);
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (error instanceof CitewireError) throw error;
      const message = late.aborted ? `no answer within ${requestTimeoutMs} ms` : causeOf(error as Error);
      throw connectionFailed(`${baseUrl} cannot be reached: ${message}`, error);
    }
  }

  return {
    send,
    async json<Body>(call: HttpCall): Promise<Body> {
      const pace = createPace(options);
      for (;;) {
        try {
          return await tryJson<Body>(call);
        } catch (error) {
          if (!(error instanceof CitewireError) || !worthAnotherTry(error) || pace.failures() >= maxRetries)
            throw error;
          if (call.once && error.code === 'connection_failed') throw error;
          pace.failed(error.retry_after_ms);
        }
        await pace.wait(call.signal ?? never);
        call.signal?.throwIfAborted();
      }
    },
  };
}

const never = new AbortController().signal;

function readJson<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw badAnswer(`Expected JSON; got ${JSON.stringify(text.slice(0, 60))}.`, cause);
  }
}

export function badAnswer(message: string, cause?: unknown): CitewireError {
  return new CitewireError('bad_answer', message, { cause });
}

/** What fetch itself says is only that it failed. */
function causeOf(error: Error): string {
  return (error.cause as Error | undefined)?.message || error.message;
}
