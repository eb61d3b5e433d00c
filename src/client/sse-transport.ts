/**
 * A search over Server-Sent Events: started with a POST, which the idempotency key makes safe to repeat, and resumed with
 * GET /v1/search/{id}/events after the last seq. Needs only fetch. `on_disconnect` has no effect here, as only the WebSocket
 * carries it: a search without readers gets the server's grace period.
 */
import type { SearchFrame } from '../../protocol/index.ts';
import { CitewireError, connectionFailed } from './citewire-error.ts';
import { readEventStream } from './event-stream.ts';
import { badAnswer, type Http, type HttpCall } from './http.ts';
import { createInactivityTimeout } from './inactivity-timeout.ts';
import {
  asSearchFrame,
  isTerminal,
  type ReadPosition,
  ResumeError,
  type RunRequest,
  type Transport,
} from './transport.ts';

export interface SseTransportOptions {
  readonly http: Http;
  /** Maximum wait for the response to begin. */
  readonly requestTimeoutMs: number;
  /** Maximum silence after that; the server sends something at least every 15 s. */
  readonly silenceTimeoutMs: number;
}

/** Each `read` is one HTTP request. */
export function createSseTransport({ http, requestTimeoutMs, silenceTimeoutMs }: SseTransportOptions): Transport {
  async function* read(position: ReadPosition, signal: AbortSignal): ReturnType<Transport['read']> {
    const leave = new AbortController();
    const stop = () => leave.abort(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const onSilence = () => leave.abort(connectionFailed('The server has been silent for too long.'));
    const inactivity = createInactivityTimeout(requestTimeoutMs, onSilence);
    try {
      position.onSent();
      const response = await http.send({ ...callFor(position), signal: leave.signal });
      // Its terminal event has a seq that this reader knows as another event's: the log is not the one that was read.
      if (response.status === 204 && position.search_id !== undefined) throw new ResumeError('expired');
      let search_id = response.headers.get('x-search-id');
      if (search_id !== null) position.onAttached(search_id);
      inactivity.setLimit(silenceTimeoutMs);
      for await (const data of readEventStream(bodyOf(response), inactivity.activity)) {
        const frame = parseFrame(data);
        if (frame === undefined) continue;
        if (search_id === null) position.onAttached((search_id = frame.search_id));
        yield frame;
        if (isTerminal(frame)) return;
      }
      throw connectionFailed('The stream ended before the search did.');
    } catch (error) {
      throw (position.search_id === undefined ? undefined : toResumeError(error)) ?? toConnectionError(error);
    } finally {
      inactivity.stop();
      signal.removeEventListener('abort', stop);
      leave.abort();
    }
  }

  return { read };
}

function callFor({ start, search_id, after }: ReadPosition): HttpCall {
  const accept = 'text/event-stream';
  if (search_id !== undefined) {
    const path = `v1/search/${encodeURIComponent(search_id)}/events?after=${after}`;
    return { method: 'GET', path, headers: { accept, 'last-event-id': `${search_id}:${after}` } };
  }
  const { request, idempotency_key } = start!;
  const headers = { accept, 'idempotency-key': idempotency_key };
  if (!('api_stub' in request)) return { method: 'POST', path: 'v1/search', body: request, headers };
  return { method: 'POST', path: runPath(request), body: request.inputs, headers };
}

function runPath({ api_stub, version }: RunRequest): string {
  const stub = encodeURIComponent(api_stub);
  if (version === 'draft') return `v1/user-defined-service/${stub}`;
  return `v1/published-service/${stub}${version === 'newest' ? '' : `/v${version}`}`;
}

function bodyOf({ headers, body }: Response): ReadableStream<Uint8Array> {
  const type = headers.get('content-type') ?? 'none';
  if (body !== null && type.startsWith('text/event-stream')) return body;
  throw badAnswer(`Expected a response of type text/event-stream; got ${type}.`);
}

function parseFrame(data: string): SearchFrame | undefined {
  try {
    return asSearchFrame(JSON.parse(data));
  } catch (cause) {
    throw badAnswer(`Expected JSON; got ${JSON.stringify(data.slice(0, 60))}.`, cause);
  }
}

function toConnectionError(error: unknown): unknown {
  if (error instanceof CitewireError) return error;
  return connectionFailed(`The connection was lost: ${(error as Error).message}`, error);
}

function toResumeError(error: unknown): ResumeError | undefined {
  if (error instanceof ResumeError) return error;
  if (!(error instanceof CitewireError)) return undefined;
  if (error.status === 404) return new ResumeError('not_found');
  if (error.status === 410) return new ResumeError('expired');
  return error.status === 422 ? new ResumeError('seq_ahead') : undefined;
}
