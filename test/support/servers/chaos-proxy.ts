/**
 * A TCP proxy on a free port that does to each connection what it is told: refuse it, cut it after so many bytes, let it
 * go silent, hand bytes on in pieces. Faults need real sockets.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What happens to one connection; bytes are counted from the server to the client. */
export interface Fate {
  /** Ends it before a byte was passed on. */
  readonly refuse?: boolean;
  /** Ends it at this byte. */
  readonly cutAfter?: number;
  /** Passes nothing on from this byte, in neither direction, and stays open. */
  readonly stallAfter?: number;
  /** Knows no upgrades, as some proxies. */
  readonly plain?: boolean;
  /** Hands bytes on in pieces of this size. */
  readonly pieces?: number;
}

export interface ChaosProxy {
  readonly url: string;
  /** The requests' first lines, in order of arrival. */
  readonly requests: string[];
  /** The fates of the connections to come, in order; later ones are left in peace. */
  schedule(fates: readonly Fate[]): void;
  /** Decides by the request's first line instead. */
  decide(fate: (line: string) => Fate): void;
  /** Where connections to come lead. */
  lead(targetUrl: string): void;
  /** Ends every connection there is. */
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
      // What was written before still has to leave.
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
