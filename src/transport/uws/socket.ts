/** A WebSocket of the native server as a Socket. */
import type { WebSocket } from 'uWebSockets.js';
import type { Socket } from '../exchange.ts';
import { closeReason, socketLimits } from '../socket-limits.ts';

export interface SocketData {
  /** Until it is open. */
  accept: ((socket: Socket) => void) | undefined;
  readonly listeners: Listeners;
}

interface Listeners {
  message?: (text: string | undefined) => void;
  drain?: () => void;
  close?: () => void;
}

export function createSocket(ws: WebSocket<SocketData>, listeners: Listeners): Socket {
  let open = true;
  let onClose: (() => void) | undefined;
  listeners.close = () => {
    open = false;
    onClose?.();
  };
  return {
    canWrite: (bytes) => {
      const held = open ? ws.getBufferedAmount() : 0;
      return held === 0 || held + bytes <= socketLimits.highWaterMark;
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
    onDrain: (listener) => {
      listeners.drain = listener;
    },
    onClose: (listener) => {
      onClose = listener;
    },
    close(code, reason) {
      if (open) ws.end(code, closeReason(reason));
    },
    end() {
      this.close(1000, '');
    },
    terminate() {
      if (open) ws.close();
    },
    buffered: () => (open ? ws.getBufferedAmount() : 0),
  };
}

/** Whether the socket was closed because its client sends and does not read. */
export function cutFlood(ws: WebSocket<SocketData>): boolean {
  const isFlood = ws.getBufferedAmount() > socketLimits.maxBufferedBytes;
  if (isFlood) ws.close();
  return isFlood;
}
