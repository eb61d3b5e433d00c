/** A TCP proxy on a free port that delays every byte. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface SlowProxy {
  readonly port: number;
  /** For bytes that arrive from now on. */
  setDelay(ms: number): void;
  close(): Promise<void>;
}

export async function startSlowProxy(targetPort: number): Promise<SlowProxy> {
  let delay = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delay));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    setDelay(ms) {
      delay = ms;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
