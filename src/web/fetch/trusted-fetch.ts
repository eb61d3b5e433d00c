/**
 * `fetch` for the endpoints that the operator configured: models and search providers. Separate from the guarded fetcher
 * because these may have private addresses; content of pages never decides what it requests. Redirects are not followed, so
 * a key is never sent elsewhere. An event stream is passed on as raw chunks, without the overhead of a web stream.
 */
import { Agent, type Dispatcher, ProxyAgent } from 'undici';

export interface TrustedFetch {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** A response without a `body`: a caller that supports it reads `incoming` instead. */
interface StreamedResponse extends Response {
  readonly incoming: IncomingBytes;
}

/** A body as it arrives; paused until `read` is called. */
export interface IncomingBytes {
  /** May be called once. `onEnd` is called once, with the error when the body failed or was cancelled. */
  read(onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void): void;
  /** Discards what has not arrived yet. */
  cancel(): void;
}

/** Max. size of a buffered body; set by hand. */
const maxBytes = 8 * 1024 * 1024;

/**
 * A `fetch` with its own connections, through a proxy if one is given. Bodies are buffered, up to 8 MB, except streams. Rejects
 * with the signal's reason, or an Error when the request fails or the body is too large.
 */
export function createTrustedFetch(proxy?: string): TrustedFetch {
  // Callers set their own time limits; these only end forgotten requests.
  const options = { connect: { timeout: 5_000 }, headersTimeout: 600_000, bodyTimeout: 600_000 };
  const agent = proxy === undefined ? new Agent(options) : new ProxyAgent({ uri: proxy, ...options });

  const trusted = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const request = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: (init.body ?? null) as string | null,
      };
      init.signal?.throwIfAborted();
      agent.dispatch(request, receive(init.signal ?? undefined, resolve, reject));
    });
  return { fetch: trusted as typeof fetch, close: () => agent.destroy() };
}

/** Receives a response; `signal` aborts it at any time, even within an event stream. */
function receive(
  signal: AbortSignal | undefined,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers = new Headers();
  let controller: Dispatcher.DispatchController | undefined;
  let incoming: ReturnType<typeof createIncoming> | undefined;

  function beginStream(dispatch: Dispatcher.DispatchController): ReturnType<typeof createIncoming> {
    const begun = createIncoming(dispatch);
    const streamed = Object.assign(new Response(null, { status, headers }), { incoming: begun.bytes });
    resolve(streamed satisfies StreamedResponse);
    return begun;
  }

  const abort = () => {
    reject(signal?.reason);
    controller?.abort(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });

  return {
    onRequestStart(dispatch) {
      controller = dispatch;
      if (signal?.aborted) dispatch.abort(signal.reason);
    },
    onResponseStart(dispatch, code, fields) {
      if (code < 200) return;
      status = code;
      headers = headersOf(fields);
      if (status === 200 && isStream(headers)) incoming = beginStream(dispatch);
    },
    onResponseData(dispatch, chunk) {
      if (status === 200 && size === 0 && mayBeStream(headers) && beginsEvents(chunk))
        incoming ??= beginStream(dispatch);
      if (incoming !== undefined) return void incoming.add(chunk);
      size += chunk.length;
      if (size > maxBytes) dispatch.abort(new Error('Expected a response of at most 8 MB.'));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      signal?.removeEventListener('abort', abort);
      if (incoming !== undefined) return incoming.end();
      const isEmpty = [101, 204, 205, 304].includes(status);
      resolve(new Response(isEmpty ? null : Buffer.concat(chunks).toString('utf8'), { status, headers }));
    },
    onResponseError(_, error) {
      signal?.removeEventListener('abort', abort);
      if (incoming === undefined) reject(error);
      else incoming.end(error);
    },
  };
}

/** Server-Sent Events, and JSON objects line by line, as Ollama sends them. */
function isStream(headers: Headers): boolean {
  return /^(?:text\/event-stream|application\/x-ndjson)/i.test(headers.get('content-type') ?? '');
}

/** Some servers send events as plain text, or without a type. */
function mayBeStream(headers: Headers): boolean {
  return /^(?:text\/plain|application\/octet-stream|$)/i.test(headers.get('content-type') ?? '');
}

/** Whether the first bytes of a body are those of Server-Sent Events. */
function beginsEvents(chunk: Buffer): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(chunk.toString('latin1', 0, 40));
}

function createIncoming(controller: Dispatcher.DispatchController) {
  let onBytes: (bytes: Buffer) => void = () => {};
  let onEnd: (error?: Error) => void = () => {};
  let ended: { readonly error?: Error } | undefined;
  /** What has arrived before `read` was called. */
  const early: Buffer[] = [];
  let isRead = false;
  controller.pause();
  const bytes: IncomingBytes = {
    read(each, end) {
      onBytes = each;
      onEnd = end;
      isRead = true;
      for (const chunk of early.splice(0)) each(chunk);
      if (ended === undefined) controller.resume();
      else onEnd(ended.error);
    },
    cancel: () => controller.abort(new Error('The response was cancelled.')),
  };
  return {
    bytes,
    add: (chunk: Buffer) => (isRead ? onBytes(chunk) : early.push(chunk)),
    end(error?: Error) {
      ended = error === undefined ? {} : { error };
      onEnd(error);
    },
  };
}

function headersOf(fields: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) headers.set(name, String(value));
  return headers;
}
