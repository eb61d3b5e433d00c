/** Each chunk of the `openai` package's stream is an event of Socket.IO. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { Server } from 'socket.io';
import { request, type StartRelay } from '../support/relay.ts';

const startSocketIo: StartRelay = async (upstream) => {
  const client = new OpenAI({ apiKey: 'none', baseURL: upstream });
  const server = createServer();
  const io = new Server(server);
  io.on('connection', (socket) => {
    socket.on('search', async () => {
      let from = 0;
      for await (const { choices } of await client.chat.completions.create(request)) {
        const text = choices[0]?.delta.content;
        if (!text) continue;
        socket.emit('answer.delta', { from, text });
        from += text.length;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, protocol: 'socket.io', close: () => io.close() };
};
export default startSocketIo;
