/**
 * A search over Server-Sent Events: begun by a POST that its idempotency key makes safe to send again, read on by
 * GET /v1/search/{id}/events behind the last seq. Needs nothing but fetch. The server gives such a search its grace time
 * and no more when it is left, whatever `on_disconnect` says: only the WebSocket has that field.
 */
import type { SearchFrame } from '../../protocol/index.ts';
import { CitewireError, connectionFailed } from './citewire-error.ts';
import { readEventStream } from './event-stream.ts';
import { badAnswer, type Http, type HttpCall } from './http.ts';
import { watchSilence } from './inactivity-timeout.ts';
import { asSearchFrame, isEnding, type Position, type Read, type RunInput, Unresumable } from './transport.ts';

export interface SseOptions {
  readonly http: Http;
  /** The longest wait for an answer to begin. */
  readonly requestTimeoutMs: number;
  /** The longest silence after that; the server says something every 15 s. */
  readonly silenceTimeoutMs: number;
}

export function createSseReader({ http, requestTimeoutMs, silenceTimeoutMs }: SseOptions): Read {
  return async function* read(position, signal) {
    const leave = new AbortController();
    const stop = () => leave.abort(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const tooLong = () => leave.abort(connectionFailed('The server has been silent for too long.'));
    const silence = watchSilence(requestTimeoutMs, tooLong);
    try {
      position.onSent();
      const response = await http.send({ ...callFor(position), signal: leave.signal });
      let search_id = response.headers.get('x-search-id');
      if (search_id !== null) position.onAttached(search_id);
      silence.allow(silenceTimeoutMs);
      for await (const data of readEventStream(bodyOf(response), silence.heard)) {
        const frame = parseFrame(data);
        if (frame === undefined) continue;
        if (search_id === null) position.onAttached((search_id = frame.search_id));
        yield frame;
        if (isEnding(frame)) return;
      }
      throw connectionFailed('The stream ended before the search did.');
    } catch (error) {
      throw position.search_id === undefined ? asCut(error) : (asUnresumable(error) ?? asCut(error));
    } finally {
      silence.stop();
      signal.removeEventListener('abort', stop);
      leave.abort();
    }
  };
}

function callFor({ asked, search_id, after }: Position): HttpCall {
  const accept = 'text/event-stream';
  if (search_id !== undefined) {
    const path = `v1/search/${encodeURIComponent(search_id)}/events?after=${after}`;
    return { method: 'GET', path, headers: { accept, 'last-event-id': `${search_id}:${after}` } };
  }
  const { request, idempotency_key } = asked!;
  const headers = { accept, 'idempotency-key': idempotency_key };
  if (!('api_stub' in request)) return { method: 'POST', path: 'v1/search', body: request, headers };
  return { method: 'POST', path: runPath(request), body: request.inputs, headers };
}

function runPath({ api_stub, version }: RunInput): string {
  const stub = encodeURIComponent(api_stub);
  if (version === 'draft') return `v1/user-defined-service/${stub}`;
  return `v1/published-service/${stub}${version === 'newest' ? '' : `/v${version}`}`;
}

function bodyOf({ headers, body }: Response): ReadableStream<Uint8Array> {
  const type = headers.get('content-type') ?? 'none';
  if (body !== null && type.startsWith('text/event-stream')) return body;
  throw badAnswer(`Expected an answer of type text/event-stream; got ${type}.`);
}

function parseFrame(data: string): SearchFrame | undefined {
  try {
    return asSearchFrame(JSON.parse(data));
  } catch (cause) {
    throw badAnswer(`Expected JSON; got ${JSON.stringify(data.slice(0, 60))}.`, cause);
  }
}

function asCut(error: unknown): unknown {
  if (error instanceof CitewireError) return error;
  return connectionFailed(`The line was cut: ${(error as Error).message}`, error);
}

function asUnresumable(error: unknown): Unresumable | undefined {
  if (!(error instanceof CitewireError)) return undefined;
  if (error.status === 404) return new Unresumable('not_found');
  if (error.status === 410) return new Unresumable('expired');
  return error.status === 422 ? new Unresumable('seq_ahead') : undefined;
}
