/** A WebSocket of the ws package as a Socket of exchange.ts. */
import type { RawData, WebSocket } from 'ws';
import type { Socket } from '../exchange.ts';
import { closeReason, socketLimits } from '../socket-limits.ts';

export function createWsSocket(ws: WebSocket, toText: (data: RawData) => string): Socket {
  let open = true;
  let onDrain: (() => void) | undefined;
  let onClose: (() => void) | undefined;
  let onMessage: ((text: string | undefined) => void) | undefined;
  const isFlood = () => {
    if (ws.bufferedAmount > socketLimits.maxBufferedBytes) ws.terminate();
    return ws.bufferedAmount > socketLimits.maxBufferedBytes;
  };

  ws.on('message', (data, isBinary) => {
    if (!isFlood()) onMessage?.(isBinary ? undefined : toText(data));
  });
  ws.on('ping', isFlood);
  // The close that follows says all there is to say.
  ws.on('error', () => {});
  ws.on('close', () => {
    open = false;
    onClose?.();
  });

  return {
    canWrite: (bytes) => {
      const held = open ? ws.bufferedAmount : 0;
      return held === 0 || held + bytes <= socketLimits.highWaterMark;
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
