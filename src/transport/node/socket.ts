/** A WebSocket of the ws package as a Socket of exchange.ts. */
import type { RawData, WebSocket } from 'ws';
import type { Socket } from '../exchange.ts';
import { closeReason, socketLimits } from '../socket-limits.ts';

/** `toText` decodes the data of a text frame. */
export function createWsSocket(ws: WebSocket, toText: (data: RawData) => string): Socket {
  let open = true;
  let onDrain: (() => void) | undefined;
  let onClose: (() => void) | undefined;
  let onMessage: ((text: string | undefined, bytes: number) => void) | undefined;
  let onPing: (() => void) | undefined;
  /** Whether the client sends without reading the answers; it is then cut off. */
  const terminateFlood = () => {
    if (ws.bufferedAmount > socketLimits.maxBufferedBytes) ws.terminate();
    return ws.bufferedAmount > socketLimits.maxBufferedBytes;
  };

  ws.on('message', (data, isBinary) => {
    // With the default `binaryType` it is one Buffer.
    if (!terminateFlood()) onMessage?.(isBinary ? undefined : toText(data), (data as Buffer).byteLength);
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
    end() {
      this.close(1000, '');
    },
    terminate: () => ws.terminate(),
    buffered: () => (open ? ws.bufferedAmount : 0),
  };
}
