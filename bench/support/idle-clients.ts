/** Many WebSocket clients that only hold their connection: sockets with an upgrade written by hand, for they cost little. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { serve } from './processes.ts';
import type { Relay } from './relay.ts';

export type IdleClientsApi = {
  /** Opens so many; how many are open. */
  open(relay: Omit<Relay, 'close'>, count: number): Promise<number>;
  close(): void;
};

const atOnce = 50;
/** An address has 28,000 ports to call from, and the more of them are taken the longer a free one is looked for. */
const perAddress = 1_000;
/** Masked by nothing, and empty. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const sockets: Socket[] = [];

async function upgrade(url: URL, key: string | undefined, from: string): Promise<void> {
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress: from });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    let head = '';
    socket.on('data', (data) => {
      if (head.includes('\r\n\r\n')) {
        // Whatever came may hold a ping, anywhere in it; one answer too many is no fault.
        socket.write(pong);
        return;
      }
      head += data.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      if (head.startsWith('HTTP/1.1 101')) resolve();
      else reject(new Error(`an upgrade was answered with ${head.slice(0, 300)}`));
    });
    socket.once('error', reject);
    socket.write(
      [
        `GET ${url.pathname} HTTP/1.1`,
        `Host: ${url.host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        ...(key === undefined ? [] : [`X-API-Key: ${key}`]),
        '\r\n',
      ].join('\r\n'),
    );
  });
}

serve<IdleClientsApi>({
  async open({ url, keys }, count) {
    let next = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < count) {
          const at = next;
          next += 1;
          await upgrade(new URL(url), keys?.[at % keys.length], `127.0.0.${2 + Math.floor(at / perAddress)}`);
        }
      }),
    );
    return sockets.filter((socket) => !socket.destroyed).length;
  },
  close() {
    for (const socket of sockets) socket.destroy();
    sockets.length = 0;
  },
});
