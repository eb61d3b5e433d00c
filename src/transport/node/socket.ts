/** A WebSocket of the ws package as a Socket of exchange.ts. */
import type { RawData, WebSocket } from 'ws';
import type { Socket } from '../exchange.ts';
import { closeReason, socketBounds } from '../socket-limits.ts';

export function createWsSocket(ws: WebSocket, toText: (data: RawData) => string): Socket {
  let open = true;
  let onRoom: (() => void) | undefined;
  let onGone: (() => void) | undefined;
  let onMessage: ((text: string | undefined) => void) | undefined;
  const isFlood = () => {
    if (ws.bufferedAmount > socketBounds.floodBytes) ws.terminate();
    return ws.bufferedAmount > socketBounds.floodBytes;
  };

  ws.on('message', (data, isBinary) => {
    if (!isFlood()) onMessage?.(isBinary ? undefined : toText(data));
  });
  ws.on('ping', isFlood);
  // The close that follows says all there is to say.
  ws.on('error', () => {});
  ws.on('close', () => {
    open = false;
    onGone?.();
  });

  return {
    hasRoom: (bytes) => {
      const held = open ? ws.bufferedAmount : 0;
      return held === 0 || held + bytes <= socketBounds.roomBytes;
    },
    write(text) {
      if (!open || ws.readyState !== ws.OPEN) return;
      ws.send(text, () => {
        if (open && ws.bufferedAmount < socketBounds.resumeBelowBytes) onRoom?.();
      });
    },
    cork: (writes) => {
      if (open) writes();
    },
    onMessage: (listener) => {
      onMessage = listener;
    },
    onRoom: (listener) => {
      onRoom = listener;
    },
    onGone: (listener) => {
      onGone = listener;
    },
    close(code, reason) {
      if (open) ws.close(code, closeReason(reason));
    },
    end() {
      this.close(1000, '');
    },
    cut: () => ws.terminate(),
    buffered: () => (open ? ws.bufferedAmount : 0),
  };
}
