/**
 * An OpenAI-compatible endpoint on loopback that speaks the real protocol over real sockets: chat completions, whole and
 * as chunked Server-Sent Events cut at any byte, JSON mode, strict schemas, images, usage, /models. What it answers is
 * scripted per call; it records every request and when its socket was closed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { prompts } from '../../../src/model/language/prompts.ts';
import { type Reply, sendJson, sendReply } from './model-reply.ts';

export interface ModelCall {
  readonly kind: 'plan' | 'reflect' | 'write' | 'fill' | 'repair' | 'describe' | 'judge' | 'other';
  readonly body: ChatRequest;
  /** The texts of its messages, joined. */
  readonly prompt: string;
  readonly key: string | undefined;
  readonly traceparent: string | undefined;
  readonly at: number;
  /** When its answer ended or its socket was closed, whichever was first. */
  endedAt: number | undefined;
  /** Whether the caller left before the answer was complete. */
  abandoned: boolean;
}

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: unknown;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } };
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export type Script = (call: ModelCall, count: number) => Reply | Promise<Reply>;

export interface ModelServer {
  /** For OPENAI_BASE_URL. */
  readonly url: string;
  readonly calls: ModelCall[];
  /** How many requests are not answered yet. */
  open(): number;
  /** How many connections are open. */
  connections(): number;
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
    if (request.url?.endsWith('/models'))
      return sendJson(response, 200, { object: 'list', data: [{ id: 'scripted' }] });
    if (!request.url?.endsWith('/chat/completions'))
      return sendJson(response, 404, { error: { message: 'There is no such path.' } });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
    const prompt = body.messages.map(({ content }) => textOf(content)).join('\n\n');
    const key = request.headers.authorization?.replace('Bearer ', '');
    const call: ModelCall = {
      kind: kindOf(prompt),
      body,
      prompt,
      key,
      traceparent: request.headers.traceparent as string | undefined,
      at: performance.now(),
      endedAt: undefined,
      abandoned: false,
    };
    calls.push(call);
    response.on('close', () => {
      call.endedAt ??= performance.now();
      call.abandoned = !response.writableFinished;
    });
    await sendReply(response, call, await self.script(call, calls.length));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    open: () => calls.filter(({ endedAt }) => endedAt === undefined).length,
    connections: () => sockets.size,
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

/** Characters; long enough to tell the prompts apart, and short enough to end before anything that varies. */
const openingLength = 24;
const brief = { prompt: '', question: '', previous: [], today: '' };
const openings = Object.entries(prompts).map(
  ([kind, prompt]) => [kind as ModelCall['kind'], prompt(brief).slice(0, openingLength)] as const,
);

/** The stage whose prompt this is, wherever in it the endpoint was given the instructions. */
function kindOf(prompt: string): ModelCall['kind'] {
  return openings.find(([, opening]) => prompt.includes(opening))?.[0] ?? 'other';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { type: string; text?: string }[]).map((part) => part.text ?? `(${part.type})`).join('\n');
}
