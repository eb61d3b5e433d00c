/**
 * One way of relaying a model's stream to WebSockets, in a process of its own, so that its CPU time is its own:
 * `citewire` is the whole app; `control` the least that can be done (undici, a bare parser, bare uWebSockets.js, 40 ms
 * roll-up); `openai-ws` what one writes by hand from two packages. Says "cpu" → its CPU time so far, µs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { Agent } from 'undici';
import { WebSocketServer } from 'ws';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { loadUws } from '../../src/transport/load-uws.ts';

const [kind = '', upstream = '', streams = '1'] = process.argv.slice(2);
const body = { model: 'paced', stream: true, messages: [{ role: 'user' as const, content: 'go' }] };

const kinds: Record<string, () => Promise<{ url: string; keys?: string[]; close: () => Promise<unknown> }>> = {
  async citewire() {
    const dataDir = mkdtempSync(join(tmpdir(), 'citewire-relay-'));
    const settings = { PORT: '0', DATA_DIR: dataDir, MODEL: 'paced', OPENAI_BASE_URL: upstream, MEDIAWIKI_URL: 'off' };
    const app = await startApp(readConfig(settings), createLog('error'));
    await app.corpus.index({ kind: 'folder', path: new URL('../../test/support/pages', import.meta.url).pathname });
    const keys: string[] = [];
    for (let i = 0; i * 4 < Number(streams); i += 1) {
      keys.push((await app.accounts.createKey({ plan: 'pro', name: `bench ${i}` })).plaintext);
    }
    const close = async () => {
      await app.close(0);
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { url: `${app.url.replace('http', 'ws')}/v1/ws/search`, keys, close };
  },

  async control() {
    const { uws } = await loadUws();
    const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
    const { origin, pathname } = new URL(upstream);
    const closed = new WeakSet<object>();
    const app = uws.App().ws('/*', {
      close: (ws) => void closed.add(ws),
      message(ws) {
        let from = 0;
        let text = '';
        let waits = false;
        const flush = () => {
          waits = false;
          if (closed.has(ws)) return;
          ws.cork(() => ws.send(JSON.stringify({ type: 'answer.delta', from, text })));
          from += text.length;
          text = '';
        };
        const headers = { 'content-type': 'application/json' };
        const request = {
          origin,
          path: `${pathname}/chat/completions`,
          method: 'POST' as const,
          headers,
          body: JSON.stringify(body),
        };
        void agent.request(request).then((answer) => {
          let rest = '';
          answer.body.setEncoding('utf8');
          answer.body.on('data', (data: string) => {
            const lines = (rest + data).split('\n');
            rest = lines.pop()!;
            for (const line of lines) {
              if (!line.startsWith('data: {')) continue;
              text += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? '';
            }
            if (text === '' || waits) return;
            waits = true;
            setTimeout(flush, 40);
          });
        });
      },
    });
    const port = await new Promise<number>((resolve) => {
      app.listen('127.0.0.1', 0, (socket) => resolve(uws.us_socket_local_port(socket as never)));
    });
    return { url: `ws://127.0.0.1:${port}/`, close: async () => app.close() };
  },

  async 'openai-ws'() {
    const client = new OpenAI({ apiKey: 'none', baseURL: upstream });
    const server = createServer();
    new WebSocketServer({ server }).on('connection', (ws) => {
      ws.on('message', async () => {
        let from = 0;
        for await (const { choices } of await client.chat.completions.create({ ...body, stream: true })) {
          const text = choices[0]?.delta.content;
          if (!text) continue;
          ws.send(JSON.stringify({ type: 'answer.delta', from, text }));
          from += text.length;
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: async () => server.close() };
  },
};

const { close, ...ready } = await kinds[kind]!();
process.on('message', async (message) => {
  if (message === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  } else {
    await close();
    process.exit();
  }
});
process.send?.(ready);
