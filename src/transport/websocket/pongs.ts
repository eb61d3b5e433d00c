/** The pongs of a connection. They wait while the client does not read, and only a limited number of them. */
import { sessionLimits } from '../../../protocol/index.ts';
import type { Stream } from '../exchange.ts';

export interface Pongs {
  /** Sends the pong as soon as the socket has room for it. */
  add(ref: string): void;
  /** The socket can be written to again. */
  wake(): void;
}

/** Room for one pong: its `ref` has at most 128 characters. */
const pongBytes = 1024;

/** `onFlood` is called for each pong above the number that may wait, and the pong is dropped. */
export function createPongs(options: {
  readonly socket: Pick<Stream, 'canWrite'>;
  readonly send: (pong: { readonly type: 'pong'; readonly ref: string }) => void;
  readonly onFlood: () => void;
}): Pongs {
  const { socket, send, onFlood } = options;
  const waiting: string[] = [];

  function wake(): void {
    while (waiting.length > 0 && socket.canWrite(pongBytes)) send({ type: 'pong', ref: waiting.shift()! });
  }

  return {
    wake,
    add(ref) {
      if (waiting.length >= sessionLimits.pongs_waiting) return onFlood();
      waiting.push(ref);
      wake();
    },
  };
}
