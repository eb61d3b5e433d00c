/**
 * A model endpoint that writes at a steady pace: 60 tokens a second to every stream, for as long as it is told. Answers
 * plans and reflections at once. Runs in a process of its own; says "count" → how many tokens it has sent.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const tokensPerSecond = 60;
const [seconds = 20] = process.argv.slice(2).map(Number);
const words =
  'the light of this tower can be seen from far out at sea and has guided ships for more than a century now'.split(' ');

interface Stream {
  readonly response: ServerResponse;
  readonly begun: number;
  sent: number;
}

const streams = new Set<Stream>();
let count = 0;

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

const server = createServer(async (request, response) => {
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
  // Begun at any moment within a token's time, as streams of the world do.
  const stream = { response, begun: performance.now() + Math.random() * 100, sent: 0 };
  streams.add(stream);
  response.on('close', () => streams.delete(stream));
});

setInterval(() => {
  const now = performance.now();
  for (const stream of streams) {
    const due = Math.min(((now - stream.begun) / 1000) * tokensPerSecond, seconds * tokensPerSecond);
    while (stream.sent < due) {
      const word = words[(stream.sent * 7 + (stream.sent >> 4)) % words.length]!;
      stream.response.write(chunk({ content: ` ${word}${stream.sent % 13 === 12 ? ` ${stream.sent}.` : ''}` }));
      stream.sent += 1;
      count += 1;
    }
    if (stream.sent >= seconds * tokensPerSecond) {
      streams.delete(stream);
      stream.response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    }
  }
}, 4);

process.on('message', (message) => {
  if (message === 'count') process.send?.(count);
  else process.exit();
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }),
);
