/**
 * An OpenAI-compatible endpoint on loopback that speaks the real protocol over real sockets: chat completions, whole and
 * as chunked Server-Sent Events cut at any byte, JSON mode, strict schemas, images, usage, /models. What it answers is
 * scripted per call; it records every request and when its socket was closed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ModelCall {
  readonly kind: 'plan' | 'reflect' | 'write' | 'fill' | 'repair' | 'describe' | 'other';
  readonly body: ChatRequest;
  /** The texts of its messages, joined. */
  readonly prompt: string;
  readonly key: string | undefined;
  readonly at: number;
  /** When its answer ended or its socket was closed, whichever was first. */
  endedAt: number | undefined;
  /** Whether the caller left before the answer was complete. */
  abandoned: boolean;
}

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: unknown;
  readonly max_tokens?: number;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } };
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export type Reply =
  | { readonly text: string; readonly ms?: number; readonly finish?: string; readonly usage?: boolean }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  /** Starts with this text and then breaks the connection. */
  | { readonly cutAfter: string }
  /** Starts with this text and then stalls. */
  | { readonly stallAfter: string }
  /** Repeats this endlessly. */
  | { readonly forever: string; readonly ms?: number }
  | { readonly refusal: string }
  /** Answers with a call of a tool that was not offered. */
  | { readonly tool: string }
  /** The body of an event stream, unchanged. */
  | { readonly raw: string };

export type Script = (call: ModelCall, count: number) => Reply | Promise<Reply>;

export interface ModelServer {
  /** For OPENAI_BASE_URL. */
  readonly url: string;
  readonly calls: ModelCall[];
  /** How many requests are not answered yet. */
  open(): number;
  script: Script;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startModelServer(script: Script = goodModel): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url?.endsWith('/models')) return json(response, 200, { object: 'list', data: [{ id: 'scripted' }] });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
    const prompt = body.messages.map(({ content }) => textOf(content)).join('\n\n');
    const key = request.headers.authorization?.replace('Bearer ', '');
    const call: ModelCall = {
      kind: kindOf(prompt),
      body,
      prompt,
      key,
      at: performance.now(),
      endedAt: undefined,
      abandoned: false,
    };
    calls.push(call);
    response.on('close', () => {
      call.endedAt ??= performance.now();
      call.abandoned = !response.writableFinished;
    });
    await reply(response, call, await self.script(call, calls.length));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    open: () => calls.filter(({ endedAt }) => endedAt === undefined).length,
    script,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}

/** Plans with the question, has enough evidence, and writes the first sentence of the best. */
export const goodModel: Script = (call) => {
  if (call.kind === 'plan')
    return {
      text: JSON.stringify({ queries: [questionIn(call)], from: null, to: null, language: null, only: [], never: [] }),
    };
  if (call.kind === 'reflect') return { text: JSON.stringify({ enough: true, queries: [] }) };
  if (call.kind === 'describe') return { text: 'A red kettle with the words Kettle 9000.' };
  if (call.kind === 'write') {
    const [first] = evidenceIn(call);
    return {
      text: first === undefined ? 'STATUS: not_found' : `STATUS: answered\n\n${sentenceOf(first.text)} [${first.n}]`,
    };
  }
  return { text: '{}' };
};

export function questionIn({ prompt }: ModelCall): string {
  return /(?:^|\n)Question:\n([^\n]*)/.exec(prompt)?.[1] ?? '';
}

/** The pieces of evidence in a prompt, as it shows them. */
export function evidenceIn({ prompt }: ModelCall): { n: number; text: string }[] {
  return [...prompt.matchAll(/<<<\S+ evidence \[(\d+)\]\n[\s\S]*?\n\n([\s\S]*?)\n\S+>>>/g)].map(([, n, text]) => ({
    n: Number(n),
    text: text!,
  }));
}

/** The first complete sentence of a text, without headings and list markers. */
export function sentenceOf(text: string): string {
  const prose =
    text.split(/\n+/).find((line) => /^[A-Z].*[.!?]$/.test(line.trim()) || /^[A-Z].*[.!?] /.test(line)) ?? text;
  return /^.*?[.!?](?=\s|$)/.exec(prose.trim())?.[0] ?? prose.trim();
}

async function reply(response: ServerResponse, call: ModelCall, given: Reply): Promise<void> {
  if ('status' in given)
    return json(response, given.status, given.body ?? { error: { message: 'scripted' } }, given.headers);
  if ('raw' in given) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(given.raw);
    return;
  }
  if (call.body.stream) await stream(response, call, given);
  else await whole(response, given);
}

async function whole(
  response: ServerResponse,
  given: Exclude<Reply, { status: number } | { raw: string }>,
): Promise<void> {
  if ('stallAfter' in given || 'forever' in given) return;
  if ('cutAfter' in given) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":[{"message":{"content":"');
    setTimeout(() => response.destroy(), 5);
    return;
  }
  if ('text' in given && given.ms !== undefined) await sleep(given.ms);
  const message =
    'text' in given
      ? { role: 'assistant', content: given.text }
      : 'tool' in given
        ? {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: given.tool, arguments: '{}' } }],
          }
        : { role: 'assistant', content: null, refusal: given.refusal };
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  json(response, 200, { ...head('chat.completion'), choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
}

async function stream(
  response: ServerResponse,
  call: ModelCall,
  given: Exclude<Reply, { status: number } | { raw: string }>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const send = async (delta: unknown, finish_reason: string | null = null) => {
    const bytes = Buffer.from(
      `data: ${JSON.stringify({ ...head('chat.completion.chunk'), choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`,
    );
    // Cut at an arbitrary byte, possibly within a character.
    const cut = Math.max(1, (bytes.length * ((call.at * 1000) % 97)) / 97) | 0;
    response.write(bytes.subarray(0, cut));
    response.write(bytes.subarray(cut));
    await sleep('ms' in given ? given.ms : undefined);
  };
  await send({ role: 'assistant', content: '' });
  if ('refusal' in given) await send({ refusal: given.refusal });
  else if ('tool' in given)
    await send({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: given.tool, arguments: '{}' } }],
    });
  else if ('forever' in given) {
    while (!response.destroyed) await send({ content: given.forever });
    return;
  } else {
    const text = 'text' in given ? given.text : 'cutAfter' in given ? given.cutAfter : given.stallAfter;
    // A token at a time; long answers in at most fifty pieces, unless they are meant to be slow.
    const size = 'ms' in given ? 7 : Math.max(7, Math.ceil(text.length / 50));
    for (const token of text.match(new RegExp(`\\s*\\S{1,${size}}|\\s+$`, 'g')) ?? []) {
      if (response.destroyed) return;
      await send({ content: token });
    }
    if ('cutAfter' in given) return void response.destroy();
    if ('stallAfter' in given) return;
  }
  await send({}, 'text' in given ? (given.finish ?? 'stop') : 'stop');
  if (call.body.stream_options !== undefined && !('usage' in given && given.usage === false)) {
    const usage = { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 };
    response.write(`data: ${JSON.stringify({ ...head('chat.completion.chunk'), choices: [], usage })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

function head(object: string) {
  return { id: 'chatcmpl-1', object, created: 1_700_000_000, model: 'scripted' };
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function kindOf(prompt: string): ModelCall['kind'] {
  const kinds = [
    ['You plan research', 'plan'],
    ['You check whether', 'reflect'],
    ['You answer a question', 'write'],
    ['You fill in a form', 'fill'],
    ['Some fields of a form', 'repair'],
    ['An image came with a question. Today', 'describe'],
  ] as const;
  return kinds.find(([beginning]) => prompt.startsWith(beginning))?.[1] ?? 'other';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { type: string; text?: string }[]).map((part) => part.text ?? `(${part.type})`).join('\n');
}

function sleep(ms: number | undefined): Promise<void> {
  return new Promise((resolve) => (ms === undefined ? setImmediate(resolve) : setTimeout(resolve, ms)));
}
