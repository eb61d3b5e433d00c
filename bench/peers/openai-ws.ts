/** A relay written by hand: each chunk of the `openai` package's stream is a message of `ws`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { WebSocketServer } from 'ws';
import { request, type StartRelay } from '../support/relay.ts';

const startOpenAiWs: StartRelay = async (upstream) => {
  const client = new OpenAI({ apiKey: 'none', baseURL: upstream });
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (ws) => {
    ws.on('error', console.error);
    ws.on('message', async () => {
      let from = 0;
      const stream = await client.chat.completions.create(request);
      for await (const { choices } of stream) {
        const text = choices[0]?.delta.content;
        if (!text) continue;
        ws.send(JSON.stringify({ type: 'answer.delta', from, text }));
        from += text.length;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/`, protocol: 'ws', close: () => server.closeAllConnections() };
};
export default startOpenAiWs;
