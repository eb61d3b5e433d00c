/**
 * A model endpoint that writes 60 tokens per second to every stream. Answers plans and reflections immediately. Its tokens
 * are words, or timestamped (timestamped-tokens.ts).
 *
 *   token-server.ts words|timestamped <seconds>
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from './processes.ts';
import { createTimestampedToken } from './timestamped-tokens.ts';

export type TokenServerApi = {
  url(): string;
  /** Tokens written so far. */
  count(): number;
  streams(): number;
  /** New streams wait for `go`, so that all write at the same time. */
  hold(): void;
  go(): void;
  /** Ends every stream normally. */
  finish(): void;
};

const tokensPerSecond = 60;
const tokenMs = 1000 / tokensPerSecond;
const [kind = 'words', seconds = '25'] = process.argv.slice(2);
const maxTokens = tokensPerSecond * Number(seconds);
/** Words are random, the same in every run: the server cuts off a text that repeats itself. */
const syllables = 'ka lo mi ren sta vor tel pa ning der ous fi bra che um sol wen ti gra ex'.split(' ');
let seed = 1;
const chance = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const word = () => Array.from({ length: 1 + chance(3) }, () => syllables[chance(syllables.length)]).join('');

interface Stream {
  readonly response: ServerResponse;
  sent: number;
  /** When the next token is due, ms. */
  due: number;
}

const streams = new Set<Stream>();
let count = 0;
let held = false;

const chunk = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion.chunk',
    created: 1_741_569_952,
    model: 'paced',
    service_tier: 'default',
    system_fingerprint: 'fp_50cad350e4',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;

/** Around a token; made once, because this process writes tens of thousands per second. */
const [before = '', after = ''] = chunk({ content: '@' }).split('@');

/** Bypasses the response, whose own chunked writing costs several times as much. */
function write({ response }: Stream, text: string): void {
  const data = `${before}${text}${after}`;
  response.socket?.write(`${data.length.toString(16)}\r\n${data}\r\n`, 'latin1');
}

function token(n: number): string {
  if (kind === 'timestamped') return ` ${createTimestampedToken(n)}`;
  return ` ${word()}${n % 13 === 12 ? '.' : ''}`;
}

/** A random moment within the time of a few tokens, as real streams start. */
function begin(): number {
  return held ? Number.POSITIVE_INFINITY : performance.now() + Math.random() * 100;
}

function end(stream: Stream): void {
  streams.delete(stream);
  stream.response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
}

const server = createServer(async (request, response) => {
  // Asked at startup for its models, and whether it is Ollama.
  if (request.method !== 'POST') return void response.writeHead(404).end('{}');
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { stream?: boolean };
  if (!body.stream) {
    const content = JSON.stringify({ queries: ['Heron Point Lighthouse'], enough: true, only: [], never: [] });
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }));
  const stream = { response, sent: 0, due: begin() };
  streams.add(stream);
  response.on('close', () => streams.delete(stream));
});

// On a busy machine it falls behind rather than write two tokens together, which would be read as one.
setInterval(() => {
  const now = performance.now();
  for (const stream of streams) {
    if (now < stream.due) continue;
    write(stream, token(stream.sent));
    stream.due = Math.max(stream.due + tokenMs, now + tokenMs / 2);
    stream.sent += 1;
    count += 1;
    if (stream.sent >= maxTokens) end(stream);
  }
}, 4);

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
serve<TokenServerApi>({
  url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  count: () => count,
  streams: () => streams.size,
  hold() {
    held = true;
  },
  go() {
    held = false;
    for (const stream of streams) stream.due = begin();
  },
  finish: () => [...streams].forEach(end),
});
