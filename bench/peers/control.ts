/**
 * A minimal relay with the same packages: undici, plain parsing of the stream's lines, bare uWebSockets.js, frames 40 ms
 * apart. No keys, no log, no citations, no errors.
 */
import { Agent } from 'undici';
import { loadUws } from '../../src/transport/uws/load-uws.ts';
import { request, type StartRelay } from '../support/relay.ts';

const rollUpMs = 40;

const startControl: StartRelay = async (upstream) => {
  const { uws } = await loadUws();
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const { origin, pathname } = new URL(upstream);
  const closed = new WeakSet<object>();
  const app = uws.App().ws('/*', {
    close: (ws) => void closed.add(ws),
    async message(ws) {
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
      const answer = await agent.request({
        origin,
        path: `${pathname}/chat/completions`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      let rest = '';
      answer.body.setEncoding('utf8');
      answer.body.on('data', (data: string) => {
        const lines = (rest + data).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          if (line.startsWith('data: {')) text += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? '';
        }
        if (text === '' || waits) return;
        waits = true;
        setTimeout(flush, rollUpMs);
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    app.listen('127.0.0.1', 0, (socket) => resolve(uws.us_socket_local_port(socket as never)));
  });
  return { url: `ws://127.0.0.1:${port}/`, protocol: 'ws', close: () => app.close() };
};
export default startControl;
