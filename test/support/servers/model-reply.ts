/** What a scripted model answers with, and how that goes over the wire: whole, or as chunked Server-Sent Events. */
import type { ServerResponse } from 'node:http';
import type { ModelCall } from './model-server.ts';

export type Reply =
  | ({ readonly text: string } & Manner)
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** Starts with this text and then breaks the connection. */
  | { readonly cutAfter: string }
  /** Starts with this text and then stalls; with `pingMs`, it keeps sending comments. */
  | { readonly stallAfter: string; readonly pingMs?: number }
  /** Repeats this until it is stopped, as a server soon does that notices. */
  | { readonly repeats: string; readonly ms?: number }
  /** Sends other words each time until it is stopped. */
  | { readonly endless: true; readonly ms?: number }
  | { readonly refusal: string }
  /** Answers with a call of a tool that was not offered. */
  | { readonly tool: string }
  /** The body of an event stream, unchanged. */
  | { readonly raw: string };

/** How a text is sent; by default a token at a time, each chunk cut at an arbitrary byte. */
interface Manner {
  /** Delay of each token, or of a whole answer. */
  readonly ms?: number;
  /** The same for a whole answer alone. */
  readonly wholeMs?: number;
  /** The second half of the tokens comes once this resolves. */
  readonly restAfter?: Promise<void>;
  readonly finish?: string;
  readonly usage?: boolean;
  /** One byte per chunk. */
  readonly oneByte?: boolean;
  /** Lines end with CRLF, with comments and other fields between them. */
  readonly crlf?: boolean;
  /** Every third delta has `content: null`. */
  readonly nulls?: boolean;
  readonly reasoning?: string;
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** Sends comments for this long before the first chunk. */
  readonly pingsFirstMs?: number;
}

type Spoken = Exclude<Reply, { status: number } | { raw: string }>;

/** Sends `given` as the answer to `call`. */
export async function sendReply(response: ServerResponse, call: ModelCall, given: Reply): Promise<void> {
  if ('status' in given) {
    sendJson(response, given.status, given.body ?? { error: { message: 'scripted' } }, given.headers);
  } else if ('raw' in given) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(given.raw);
  } else if (call.body.stream) await stream(response, call, given);
  else await whole(response, given);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function whole(response: ServerResponse, given: Spoken): Promise<void> {
  if ('stallAfter' in given || 'repeats' in given || 'endless' in given) return;
  if ('cutAfter' in given) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":[{"message":{"content":"');
    setTimeout(() => response.destroy(), 5);
    return;
  }
  const manner: Manner = 'text' in given ? given : {};
  const ms = manner.wholeMs ?? manner.ms ?? manner.pingsFirstMs;
  if (ms !== undefined) await sleep(ms);
  const message = {
    role: 'assistant',
    ...('text' in given
      ? { content: given.text }
      : 'tool' in given
        ? {
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: given.tool, arguments: '{}' } }],
          }
        : { content: null, refusal: given.refusal }),
    ...(manner.reasoning === undefined ? {} : { [manner.reasoningField ?? 'reasoning_content']: manner.reasoning }),
  };
  const usage =
    manner.usage === false ? {} : { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } };
  const finish_reason = 'tool' in given ? 'tool_calls' : (manner.finish ?? 'stop');
  sendJson(response, 200, {
    ...completionHead('chat.completion'),
    choices: [{ index: 0, message, finish_reason }],
    ...usage,
  });
}

async function stream(response: ServerResponse, call: ModelCall, given: Spoken): Promise<void> {
  const manner: Manner = 'text' in given || 'repeats' in given || 'endless' in given ? given : {};
  const end = manner.crlf ? '\r\n\r\n' : '\n\n';
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const write = async (text: string) => {
    const bytes = Buffer.from(text);
    if (manner.oneByte) {
      for (const [at, byte] of bytes.entries()) {
        response.write(Buffer.of(byte));
        if (at % 32 === 0) await sleep();
      }
      return;
    }
    // Cut at an arbitrary byte, possibly within a character.
    const cut = Math.max(1, (bytes.length * ((call.at * 1000) % 97)) / 97) | 0;
    response.write(bytes.subarray(0, cut));
    response.write(bytes.subarray(cut));
  };
  const send = async (delta: unknown, finish_reason: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    await write(`data: ${JSON.stringify({ ...completionHead('chat.completion.chunk'), choices })}${end}`);
    await sleep(manner.ms);
  };
  const until = Date.now() + (manner.pingsFirstMs ?? 0);
  while (Date.now() < until && !response.destroyed) {
    response.write(': still loading\n\n');
    await sleep(50);
  }
  if (manner.crlf) await write(`: keepalive${end}event: message\r\nid: 1\r\nretry: 100\r\ndata:${end}`);
  await send({ role: 'assistant', content: manner.nulls ? null : '' });
  const field = manner.reasoningField ?? 'reasoning_content';
  for (const piece of manner.reasoning?.match(/[\s\S]{1,400}/g) ?? []) await send({ [field]: piece, content: null });
  if ('refusal' in given) await send({ refusal: given.refusal });
  else if ('tool' in given) {
    const call = { index: 0, id: 'c', type: 'function', function: { name: given.tool, arguments: '{}' } };
    await send({ tool_calls: [call] });
  } else if ('repeats' in given || 'endless' in given) {
    while (!response.destroyed) await send({ content: 'repeats' in given ? given.repeats : ` word${Math.random()}` });
    return;
  } else {
    const text = 'text' in given ? given.text : 'cutAfter' in given ? given.cutAfter : given.stallAfter;
    // A token at a time; long answers in at most fifty pieces, unless they are meant to be slow.
    const size = manner.ms === undefined ? Math.max(7, Math.ceil(text.length / 50)) : 7;
    const tokens = text.match(new RegExp(`\\s*\\S{1,${size}}|\\s+$`, 'g')) ?? [];
    for (const [at, token] of tokens.entries()) {
      if (at === Math.floor(tokens.length / 2)) await manner.restAfter;
      if (response.destroyed) return;
      if (manner.nulls && at % 3 === 0) await send({ content: null });
      if (manner.crlf && at % 5 === 0) await write(`: ping${end}`);
      await send({ content: token });
    }
    if ('cutAfter' in given) return void response.destroy();
    if ('stallAfter' in given) {
      while (given.pingMs !== undefined && !response.destroyed) {
        response.write(': ping\n\n');
        await sleep(given.pingMs);
      }
      return;
    }
  }
  await send({}, 'tool' in given ? 'tool_calls' : (manner.finish ?? 'stop'));
  if (call.body.stream_options !== undefined && manner.usage !== false) {
    const usage = { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 };
    await write(`data: ${JSON.stringify({ ...completionHead('chat.completion.chunk'), choices: [], usage })}${end}`);
  }
  await write(`data: [DONE]${end}`);
  response.end();
}

/** The fields that a completion and all its chunks begin with. */
export function completionHead(object: string) {
  return { id: 'chatcmpl-1', object, created: 1_700_000_000, model: 'scripted' };
}

function sleep(ms?: number): Promise<void> {
  return new Promise((resolve) => (ms === undefined ? setImmediate(resolve) : setTimeout(resolve, ms)));
}
