/** The `openai` package's stream as Server-Sent Events over Fastify: a generator, sent as a stream. */
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import OpenAI from 'openai';
import { request, type StartRelay } from '../support/relay.ts';

const startFastifySse: StartRelay = async (upstream) => {
  const client = new OpenAI({ apiKey: 'none', baseURL: upstream });
  const server = Fastify({ forceCloseConnections: true });
  async function* events() {
    let from = 0;
    for await (const { choices } of await client.chat.completions.create(request)) {
      const text = choices[0]?.delta.content;
      if (!text) continue;
      yield `data: ${JSON.stringify({ type: 'answer.delta', from, text })}\n\n`;
      from += text.length;
    }
  }
  server.post('/', (_, reply) => reply.type('text/event-stream').send(Readable.from(events())));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/`, protocol: 'sse', close: () => server.close() };
};
export default startFastifySse;
