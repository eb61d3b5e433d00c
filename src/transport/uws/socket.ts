/** A WebSocket of the native server as a Socket of exchange.ts. */
import type { WebSocket } from 'uWebSockets.js';
import type { FrameListener, Socket } from '../exchange.ts';
import { closeReason, socketLimits } from '../socket-limits.ts';

export interface SocketData {
  /** Set until the socket is open. */
  accept: ((socket: Socket) => void) | undefined;
  readonly listeners: Listeners;
}

interface Listeners {
  message?: FrameListener;
  ping?: () => void;
  drain?: () => void;
  close?: () => void;
}

/**
 * What the native server writes during a callback leaves after it, unless it is larger than this: then it leaves immediately.
 * The size of its cork buffer, and a frame's head.
 */
const corkBytes = 16 * 1024 + 16;

/** The callbacks of the server call `listeners`. */
export function createSocket(ws: WebSocket<SocketData>, listeners: Listeners): Socket {
  let open = true;
  let onClose: (() => void) | undefined;
  listeners.close = () => {
    open = false;
    onClose?.();
  };
  return {
    canWrite: (bytes) => {
      const buffered = open ? ws.getBufferedAmount() : 0;
      return buffered === 0 || buffered + bytes <= socketLimits.highWaterMark;
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
    onPing: (listener) => {
      listeners.ping = listener;
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
    // After a close frame the native server drops what it reads, but reads on, as fast as the client sends.
    cutOff(code, reason) {
      this.close(code, reason);
    },
    breakOff(last) {
      if (!open) return;
      ws.send(last.padEnd(corkBytes));
      ws.close();
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

/** Terminates the socket of a client that sends without reading the answers. Returns whether it did. */
export function terminateFlood(ws: WebSocket<SocketData>): boolean {
  const isFlood = ws.getBufferedAmount() > socketLimits.maxBufferedBytes;
  if (isFlood) ws.close();
  return isFlood;
}
