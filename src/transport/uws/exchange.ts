/**
 * An HTTP request of the native server as an Exchange, and the answers to it.
 *
 * No request is run that was hidden in another. One whose framing headers can be read in two ways is cut off, unanswered,
 * since an answer would let what follows it run. The native parser takes the first two bytes behind the last chunk for
 * the line's end, whatever they are, and what comes then for a request: so a chunked request is the last of its
 * connection, and is answered in a later turn than it came in, for the native server breaks a connection off when a
 * second request comes before the first was answered.
 *
 * What it answers by itself and this file cannot mend: HTTP/1.0 and absolute URLs get 505, chunk extensions and trailers
 * are not understood, a malformed request gets a bare 400 or 431, and two requests sent without waiting lose both answers.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { Exchange, Headers, Stream } from '../exchange.ts';
import { readFraming } from '../framing.ts';
import { type BodyBudget, createRequestBody } from '../request-body.ts';
import { statusLine } from './status-line.ts';

/** The native server gives a response up that found no room for 8 to 12 s; the pump, after 20. */
const patienceMs = 7_000;

/** Copies what the request says and attaches to it, in the turn it came in. Undefined when it was cut off. */
export function openExchange(response: HttpResponse, request: HttpRequest, budget: BodyBudget): Exchange | undefined {
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
  response.onAborted(() => left.abort(new AppError('internal', 'The client left before the answer.')));
  const body = createRequestBody(framing, budget, left.signal);
  response.onData(body.add);

  const begin = (status: number, fields: Headers) => {
    response.writeStatus(statusLine(status));
    for (const [name, value] of Object.entries(fields)) response.writeHeader(name, value);
  };
  const send = (status: number, fields: Headers, content: string | Uint8Array) => {
    if (left.signal.aborted) return;
    // Behind a body that was not read to its end only a new connection is sure to begin with a request.
    const isLast = framing.chunked || !body.isComplete();
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    response.cork(() => {
      begin(status, fields);
      if (hasBody || isLast) return response.end(hasBody ? content : '', isLast);
      // Told the length, the native server would wait for as many bytes, and break off at the next request.
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
      if (framing.chunked) body.over.then(() => setImmediate(send, status, fields, content));
      else if (body.isComplete()) send(status, fields, content);
      else body.over.then(() => send(status, fields, content));
    },
    stream(fields) {
      answered = true;
      const end = () => {
        if (method === 'HEAD' && !framing.chunked) response.endWithoutBody();
        else response.end(undefined, framing.chunked);
      };
      return createStream(response, left.signal, () => begin(200, fields), end);
    },
  };
}

/** A response that goes on. `write` says when the client is slow; `onWritable`, attached once, says when it is not. */
function createStream(response: HttpResponse, signal: AbortSignal, begin: () => void, finish: () => void): Stream {
  let room = true;
  let ended = signal.aborted;
  let onDrain: (() => void) | undefined;
  let patience: NodeJS.Timeout | undefined;
  const cork = (writes: () => void) => {
    if (!signal.aborted && !ended) response.cork(writes);
  };
  if (!ended) {
    response.onWritable(() => {
      room = true;
      beAtEase();
      // A comment keeps the native server waiting for room even when the pump has nothing to say.
      cork(() => response.write(':\n\n'));
      onDrain?.();
      return true;
    });
  }
  const waitOn = (times: number) => {
    if (signal.aborted || ended) return;
    if (times > 1) patience = setTimeout(waitOn, patienceMs, times - 1);
    // Reading on is what makes the native server wait for another 10 s.
    response.pause();
    response.resume();
  };
  const beAtEase = () => {
    clearTimeout(patience);
    patience = undefined;
  };
  signal.addEventListener('abort', beAtEase, { once: true });
  cork(begin);
  return {
    canWrite: () => room,
    write(text) {
      if (signal.aborted || ended) return;
      room = response.write(text) && room;
      if (!room) patience ??= setTimeout(waitOn, patienceMs, 2);
    },
    cork,
    onDrain: (listener) => {
      onDrain = listener;
    },
    onClose: (listener) => {
      if (signal.aborted) listener();
      else signal.addEventListener('abort', listener, { once: true });
    },
    end() {
      beAtEase();
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
