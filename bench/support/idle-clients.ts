/** Many WebSocket clients that only stay connected: plain sockets with an upgrade written by hand, which cost little. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { serve } from './processes.ts';
import type { Relay } from './relay.ts';

export type IdleClientsApi = {
  /** Opens `count` more; returns how many are open. */
  open(relay: Omit<Relay, 'close'>, count: number): Promise<number>;
  close(): void;
};

const atOnce = 50;
/** A local address has 28,000 ports, and the search for a free one gets slower as they fill. */
const perAddress = 1_000;
/** An empty pong, masked with zeros. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const sockets: Socket[] = [];

async function upgrade(url: URL, key: string | undefined, from: string): Promise<void> {
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress: from });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    let head = '';
    socket.on('data', (data) => {
      if (head.includes('\r\n\r\n')) {
        // The data may contain a ping anywhere; an unsolicited pong is allowed.
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
