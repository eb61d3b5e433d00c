/** A Response of the protocol's library as the answer to a call: at its pace, to clients that take a stream and to others. */

import { eventStreamHeaders, stallMs } from '../../transport/event-stream.ts';
import type { Context } from '../../transport/http/context.ts';
import { acceptsEvents } from '../../transport/http/sse.ts';

/** Answers with all of it. Resolves when that is done, or the client has left. */
export async function answerWithResponse(ctx: Context, response: Response): Promise<void> {
  const { body, status } = response;
  if (body === null) return ctx.send(status, {}, '');
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream) {
    const allow = response.headers.get('allow');
    if (allow !== null) ctx.header('allow', allow);
    return ctx.jsonText(status, await response.text());
  }
  if (!acceptsEvents(ctx.request)) return ctx.jsonText(200, lastMessage(await response.text()));
  const stream = ctx.stream(eventStreamHeaders);
  await copy(body, stream);
}

async function copy(body: ReadableStream<Uint8Array>, stream: ReturnType<Context['stream']>): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let isClosed = false;
  let wake = () => {};
  stream.onDrain(() => wake());
  stream.onClose(() => {
    isClosed = true;
    wake();
    reader.cancel().catch(() => {});
  });
  while (!isClosed) {
    const { done, value } = await reader.read();
    if (done || isClosed) break;
    const text = decoder.decode(value, { stream: true });
    while (!isClosed && !stream.canWrite(text.length)) {
      const stall = setTimeout(() => stream.terminate(), stallMs);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      clearTimeout(stall);
    }
    if (!isClosed) stream.cork(() => stream.write(text));
  }
  stream.end();
}

/** The response at the end of a stream, for clients that take only JSON: they do without notifications. */
function lastMessage(events: string): string {
  return events.slice(events.lastIndexOf('\ndata: ') + '\ndata: '.length).trim();
}
