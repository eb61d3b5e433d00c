/**
 * `fetch` for the endpoints that the operator configured: models and search providers. Separate from the guarded fetcher,
 * for these may be private addresses; a page can never bring it to open anything. Redirects are not followed, so a key
 * never travels on. An event stream is handed over as the bytes come, without a stream's layers around each of them.
 */
import { Agent, type Dispatcher } from 'undici';

export interface TrustedFetch {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** A response whose body is read from `incoming` by whoever knows it is there. */
interface StreamedResponse extends Response {
  readonly incoming: IncomingBytes;
}

/** A body as it comes in; nothing of it is read before it is asked for. */
export interface IncomingBytes {
  /** Once. `onEnd` is called once, with the error where the body broke off or was given up. */
  read(onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void): void;
  /** Gives up what has not come. */
  cancel(): void;
}

const mostBytes = 8 * 1024 * 1024;

/** Bodies come whole, up to 8 MB, but for `text/event-stream`. */
export function createTrustedFetch(): TrustedFetch {
  // Whoever calls sets the time; these only end what has been forgotten.
  const agent = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 300_000, bodyTimeout: 300_000 });

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

/** Takes an answer in; `signal` gives it up at any time, within an event stream too. */
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

  const giveUp = () => {
    reject(signal?.reason);
    controller?.abort(signal?.reason);
  };
  signal?.addEventListener('abort', giveUp, { once: true });

  return {
    onRequestStart(given) {
      controller = given;
      if (signal?.aborted) given.abort(signal.reason);
    },
    onResponseStart(given, code, fields) {
      if (code < 200) return;
      status = code;
      headers = headersOf(fields);
      if (status !== 200 || !headers.get('content-type')?.startsWith('text/event-stream')) return;
      incoming = createIncoming(given);
      const streamed = Object.assign(new Response(null, { status, headers }), { incoming: incoming.bytes });
      resolve(streamed satisfies StreamedResponse);
    },
    onResponseData(given, chunk) {
      if (incoming !== undefined) return incoming.add(chunk);
      size += chunk.length;
      if (size > mostBytes) given.abort(new Error('The answer is larger than 8 MB.'));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      signal?.removeEventListener('abort', giveUp);
      if (incoming !== undefined) return incoming.end();
      const isEmpty = [101, 204, 205, 304].includes(status);
      resolve(new Response(isEmpty ? null : Buffer.concat(chunks).toString('utf8'), { status, headers }));
    },
    onResponseError(_, error) {
      signal?.removeEventListener('abort', giveUp);
      if (incoming === undefined) reject(error);
      else incoming.end(error);
    },
  };
}

function createIncoming(controller: Dispatcher.DispatchController) {
  let onBytes: (bytes: Buffer) => void = () => {};
  let onEnd: (error?: Error) => void = () => {};
  let ended: { readonly error?: Error } | undefined;
  controller.pause();
  const bytes: IncomingBytes = {
    read(each, end) {
      onBytes = each;
      onEnd = end;
      if (ended === undefined) controller.resume();
      else onEnd(ended.error);
    },
    cancel: () => controller.abort(new Error('The rest of the answer was not wanted.')),
  };
  return {
    bytes,
    add: (chunk: Buffer) => onBytes(chunk),
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
