/**
 * A TCP proxy on a free port that disturbs each connection as configured: refuses it, cuts it after some bytes, stalls it, or
 * splits its bytes. Faults need real sockets.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What happens to one connection; bytes are counted from the server to the client. */
export interface Fate {
  /** Resets it before any byte is forwarded. */
  readonly refuse?: boolean;
  /** Ends it after this byte. */
  readonly cutAfter?: number;
  /** Forwards nothing after this byte, in either direction, but stays open. */
  readonly stallAfter?: number;
  /** Removes upgrade headers, as some proxies do. */
  readonly plain?: boolean;
  /** Forwards bytes in pieces of this size. */
  readonly pieces?: number;
}

export interface ChaosProxy {
  readonly url: string;
  /** The first lines of the requests, in order of arrival. */
  readonly requests: string[];
  /** The fates of the next connections, in order; later ones are undisturbed. */
  schedule(fates: readonly Fate[]): void;
  /** Decides by the request's first line instead. */
  decide(fate: (line: string) => Fate): void;
  /** Sends new connections to another server. */
  lead(targetUrl: string): void;
  /** Ends every open connection. */
  cutAll(): void;
  close(): Promise<void>;
}

export async function startChaosProxy(targetUrl: string): Promise<ChaosProxy> {
  let target = Number(new URL(targetUrl).port);
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let fates: Fate[] = [];
  let fateOf = (_: string): Fate => fates.shift() ?? {};

  const server = createServer((near) => {
    keep(near);
    near.once('data', (head) => {
      const line = head.toString('latin1').split('\r\n')[0]!;
      requests.push(line);
      const fate = fateOf(line);
      if (fate.refuse) return near.resetAndDestroy();
      relay(near, head, fate);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function relay(
    near: Socket,
    head: Buffer,
    { cutAfter = Infinity, stallAfter = Infinity, pieces, plain }: Fate,
  ): void {
    const far = keep(connect(target, '127.0.0.1'));
    let passed = 0;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    near.on('close', end);
    far.on('close', () => passed < stallAfter && near.end());
    far.write(plain ? head.toString('latin1').replace(/^(upgrade|connection):.*\r\n/gim, '') : head, 'latin1');
    near.on('data', (bytes) => passed < stallAfter && far.write(bytes));
    far.on('data', (bytes) => {
      const room = Math.min(cutAfter, stallAfter) - passed;
      const given = bytes.subarray(0, Math.max(0, room));
      passed += given.length;
      for (let at = 0; at < given.length; at += pieces ?? given.length) {
        near.write(given.subarray(at, at + (pieces ?? given.length)));
      }
      // What was written before still has to be sent.
      if (passed >= cutAfter) near.end(() => setImmediate(end));
    });
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    requests,
    schedule(next) {
      fates = [...next];
      fateOf = () => fates.shift() ?? {};
    },
    decide(fate) {
      fateOf = fate;
    },
    lead(next) {
      target = Number(new URL(next).port);
    },
    cutAll,
    async close() {
      cutAll();
      server.close();
    },
  };
}
