/** A WebSocket of the native server as a Socket. */
import type { WebSocket } from 'uWebSockets.js';
import type { Socket } from '../exchange.ts';
import { closeReason, socketBounds } from '../socket-limits.ts';

export interface SocketData {
  /** Until it is open. */
  accept: ((socket: Socket) => void) | undefined;
  readonly listeners: Listeners;
}

interface Listeners {
  message?: (text: string | undefined) => void;
  room?: () => void;
  gone?: () => void;
}

export function createSocket(ws: WebSocket<SocketData>, listeners: Listeners): Socket {
  let open = true;
  let onGone: (() => void) | undefined;
  listeners.gone = () => {
    open = false;
    onGone?.();
  };
  return {
    hasRoom: (bytes) => {
      const held = open ? ws.getBufferedAmount() : 0;
      return held === 0 || held + bytes <= socketBounds.roomBytes;
    },
    write(text) {
      if (open) ws.send(text);
    },
    cork(writes) {
      if (open) ws.cork(writes);
    },
    onMessage: (listener) => {
      listeners.message = listener;
    },
    onRoom: (listener) => {
      listeners.room = listener;
    },
    onGone: (listener) => {
      onGone = listener;
    },
    close(code, reason) {
      if (open) ws.end(code, closeReason(reason));
    },
    end() {
      this.close(1000, '');
    },
    cut() {
      if (open) ws.close();
    },
    buffered: () => (open ? ws.getBufferedAmount() : 0),
  };
}

/** Whether the socket was closed because its client sends and does not read. */
export function cutFlood(ws: WebSocket<SocketData>): boolean {
  const isFlood = ws.getBufferedAmount() > socketBounds.floodBytes;
  if (isFlood) ws.close();
  return isFlood;
}
