/** A WebSocket of the ws package as a Socket of exchange.ts. */
import type { WebSocket } from 'ws';
import type { FrameListener, Socket } from '../exchange.ts';
import { closeReason, socketLimits } from '../socket-limits.ts';

/** How long a client that was cut off has to receive the close frame: several round trips. Set by hand. */
const cutOffMs = 2_000;

/** The socket must have the default `binaryType`, with which a frame is one Buffer. */
export function createWsSocket(ws: WebSocket): Socket {
  let open = true;
  let onDrain: (() => void) | undefined;
  let onClose: (() => void) | undefined;
  let onMessage: FrameListener | undefined;
  let onPing: (() => void) | undefined;
  /** Whether the client sends without reading the answers; it is then cut off. */
  const terminateFlood = () => {
    if (ws.bufferedAmount > socketLimits.maxBufferedBytes) ws.terminate();
    return ws.bufferedAmount > socketLimits.maxBufferedBytes;
  };

  ws.on('message', (data, isBinary) => {
    if (!terminateFlood()) onMessage?.(data as Buffer, !isBinary);
  });
  ws.on('ping', () => {
    if (!terminateFlood()) onPing?.();
  });
  // It is followed by a close, which is handled.
  ws.on('error', () => {});
  ws.on('close', () => {
    open = false;
    onClose?.();
  });

  return {
    canWrite: (bytes) => {
      const buffered = open ? ws.bufferedAmount : 0;
      return buffered === 0 || buffered + bytes <= socketLimits.highWaterMark;
    },
    write(text) {
      if (!open || ws.readyState !== ws.OPEN) return;
      ws.send(text, () => {
        if (open && ws.bufferedAmount < socketLimits.lowWaterMark) onDrain?.();
      });
    },
    cork: (writes) => {
      if (open) writes();
    },
    onMessage: (listener) => {
      onMessage = listener;
    },
    onPing: (listener) => {
      onPing = listener;
    },
    onDrain: (listener) => {
      onDrain = listener;
    },
    onClose: (listener) => {
      onClose = listener;
    },
    close(code, reason) {
      if (open) ws.close(code, closeReason(reason));
    },
    cutOff(code, reason) {
      this.close(code, reason);
      // Its answer to the close frame is not read either, so the connection cannot end by itself.
      ws.pause();
      setTimeout(() => ws.terminate(), cutOffMs).unref();
    },
    breakOff(last, code, reason) {
      this.write(last);
      this.cutOff(code, reason);
    },
    end() {
      this.close(1000, '');
    },
    terminate: () => ws.terminate(),
    buffered: () => (open ? ws.bufferedAmount : 0),
  };
}
