/**
 * An HTTP request of the native server as an Exchange, and the answers to it.
 *
 * No request is handled that was smuggled inside another. A request with ambiguous framing headers is cut off unanswered,
 * since after an answer the native server would handle what follows. Its parser takes any two bytes after the last chunk
 * for the end of the line, and what comes next for a request; and an empty header name hides the headers after it,
 * including the one that announces a body. So a request that is chunked, or of a method that sends a body and announces
 * none, is the last of its connection, as is one that asks for that. It is answered in a later tick, since the native
 * server breaks a connection off when a second request arrives before the first was answered.
 *
 * What the native server answers itself cannot be changed here; docs/http.md lists it.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { onAbort } from '../../base/abort.ts';
import { clientLeft } from '../client-left.ts';
import type { Exchange, ExchangeShared, Headers, Stream } from '../exchange.ts';
import { asksToClose, readFraming } from '../framing.ts';
import { createRequestBody } from '../request-body.ts';
import { statusLine } from '../status-line.ts';

/** The native server gives up a response that could not be written for 8 to 12 s; the pump waits 20 s. */
const keepAliveMs = 7_000;

/** Methods whose requests have no body, as a rule. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/** Copies the request and attaches its listeners, in the tick it came in. Returns undefined if it was cut off. */
export function openExchange(
  response: HttpResponse,
  request: HttpRequest,
  { budget, closesAfterAnswer }: ExchangeShared,
): Exchange | undefined {
  const headers = new Map<string, string>();
  const lengths: string[] = [];
  const codings: string[] = [];
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    if (name === 'transfer-encoding') codings.push(value);
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  });
  const framing = readFraming(lengths, codings);
  if (framing === undefined) {
    response.close();
    return undefined;
  }
  const method = request.getCaseSensitiveMethod();
  const left = new AbortController();
  let answered = false;
  response.onAborted(() => left.abort(clientLeft()));
  const body = createRequestBody(framing, budget, left.signal, response);
  const hidesBody = framing.chunked || !(framing.declared || withoutBody.has(method));
  const closes = asksToClose(headers.get('connection'));
  // Its end would stop the timeout that closes a connection which stays idle after a synchronous answer.
  if (!body.isComplete()) response.onData(body.add);

  const begin = (status: number, fields: Headers) => {
    response.writeStatus(statusLine(status));
    for (const [name, value] of Object.entries(fields)) response.writeHeader(name, value);
  };
  const send = (status: number, fields: Headers, content: string | Uint8Array) => {
    if (left.signal.aborted) return;
    // After a body that was not read to its end, only a new connection is sure to begin with a request.
    const isLast = hidesBody || !body.isComplete() || (method !== 'HEAD' && (closes || closesAfterAnswer()));
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    response.cork(() => {
      begin(status, fields);
      if (hasBody || isLast) return response.end(hasBody ? content : '', isLast);
      // If the native server knew the length, it would wait for the body and break off at the next request.
      if (method === 'HEAD') response.writeHeader('content-length', `${Buffer.byteLength(content)}`);
      response.endWithoutBody();
    });
  };

  return {
    id: randomUUID(),
    method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    headers,
    address: Buffer.from(response.getRemoteAddressAsText()).toString(),
    signal: left.signal,
    body: body.whole,
    respond(status, fields, content) {
      if (left.signal.aborted || answered) return;
      answered = true;
      body.drop();
      if (hidesBody || closes) body.over.then(() => setImmediate(send, status, fields, content));
      else if (body.isComplete()) send(status, fields, content);
      else body.over.then(() => send(status, fields, content));
    },
    stream(fields) {
      answered = true;
      const isHead = method === 'HEAD';
      // The native server would write its header where the next chunk belongs if it closed after chunks. So it is written
      // before them, and nothing more is read: the client closes, else the timeout of an idle connection does.
      const isLast = !isHead && (hidesBody || closesAfterAnswer());
      const end = () => {
        if (isHead && !hidesBody) return response.endWithoutBody();
        if (isLast) response.pause();
        response.end(undefined, isHead);
      };
      const open = () => begin(200, isLast ? { ...fields, connection: 'close' } : fields);
      return createStream(response, left.signal, open, end);
    },
  };
}

/** A streamed answer. The native `write` says when the client is slow, `onWritable`, attached once, when it no longer is. */
function createStream(response: HttpResponse, signal: AbortSignal, begin: () => void, finish: () => void): Stream {
  let writable = true;
  let ended = signal.aborted;
  let onDrain: (() => void) | undefined;
  let keepAlive: NodeJS.Timeout | undefined;
  const cork = (writes: () => void) => {
    if (!signal.aborted && !ended) response.cork(writes);
  };
  if (!ended) {
    response.onWritable(() => {
      writable = true;
      stopExtending();
      // After a comment the native server reports drains even when the pump has nothing to write.
      cork(() => response.write(':\n\n'));
      onDrain?.();
      return true;
    });
  }
  const extend = (times: number) => {
    if (signal.aborted || ended) return;
    if (times > 1) keepAlive = setTimeout(extend, keepAliveMs, times - 1);
    // Resuming restarts the native server's timeout of about 10 s.
    response.pause();
    response.resume();
  };
  const stopExtending = () => {
    clearTimeout(keepAlive);
    keepAlive = undefined;
  };
  signal.addEventListener('abort', stopExtending, { once: true });
  cork(begin);
  return {
    canWrite: () => writable,
    write(text) {
      if (signal.aborted || ended) return;
      writable = response.write(text) && writable;
      if (!writable) keepAlive ??= setTimeout(extend, keepAliveMs, 2);
    },
    cork,
    onDrain: (listener) => {
      onDrain = listener;
    },
    onClose: (listener) => onAbort(signal, listener),
    end() {
      stopExtending();
      cork(() => {
        ended = true;
        finish();
      });
    },
    terminate() {
      if (!signal.aborted && !ended) response.close();
    },
  };
}
