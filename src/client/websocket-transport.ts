/**
 * One open WebSocket shared by any number of searches. It routes frames to their searches, detects a silent connection, and
 * fails every search when the connection is lost. Reconnecting is the job of connection.ts.
 */
import type { ServerFrame } from '../../protocol/index.ts';
import { toJson } from './calls/request-checks.ts';
import { CitewireError, connectionFailed, fromCloseCode, fromErrorObject } from './citewire-error.ts';
import { createInactivityTimeout } from './inactivity-timeout.ts';
import { createQueue } from './queue.ts';
import { createSocketReaders } from './socket-readers.ts';
import { asSearchFrame, isTerminal, type ReadPosition, ResumeError, type Transport } from './transport.ts';

/** What the WebSockets of browsers, `ws` and Node have in common. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: never) => void): void;
}

export interface WebSocketTransport extends Transport {
  /** Requests the cancellation of a search of this account. */
  cancel(search_id: string): void;
  /** Whether searches may be started or resumed here: false once the server has announced that it will close. */
  isOpen(): boolean;
  close(): void;
}

export interface WebSocketTransportOptions {
  readonly connectTimeoutMs: number;
  /** Default: twice the heartbeat interval that the server announces. */
  readonly silenceTimeoutMs: number | undefined;
  /** How long a connection without searches stays open. */
  readonly idleMs: number;
  /** An event of a search arrived: the connection works. */
  readonly onEvent: () => void;
  /** The connection is lost, or the server will close it; `reconnect_after_ms` is the delay that the server asked for. */
  readonly onLost: (reconnect_after_ms: number | undefined) => void;
}

type Message = ServerFrame | { readonly type: undefined };
type ReadyFrame = Extract<ServerFrame, { type: 'session.ready' }>;

/** Resolves with the server's `session.ready`; rejects with CitewireError when the socket closes earlier. */
export function openWebSocketTransport(
  socket: SocketLike,
  options: WebSocketTransportOptions,
): Promise<WebSocketTransport> {
  const readers = createSocketReaders((search_id) => sendFrame({ type: 'search.detach', search_id }));
  let limits: Partial<ReadyFrame['limits']> = {};
  let refs = 0;
  let ready = false;
  let isClosing = false;
  let isSocketClosed = false;
  let lost: CitewireError | undefined;
  let closeReason: CitewireError | undefined;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let settle: { resolve: (transport: WebSocketTransport) => void; reject: (error: CitewireError) => void };
  const opened = new Promise<WebSocketTransport>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const inactivity = createInactivityTimeout(options.connectTimeoutMs, () => {
    fail(connectionFailed('The server has been silent for too long.'));
    (socket as { terminate?: () => void }).terminate?.();
    closeSocket();
  });

  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    inactivity.activity();
    try {
      if (lost === undefined) receive(data);
    } catch (error) {
      fail(connectionFailed('The server sent an invalid frame.', error));
      closeSocket();
    }
  });
  socket.addEventListener('error', ({ message }: { message?: string }) => {
    fail(connectionFailed(`The WebSocket failed${message ? `: ${message.replace(/\.$/, '')}` : ''}.`));
    closeSocket();
  });
  socket.addEventListener('close', ({ code, reason }: { code: number; reason: string }) => {
    const final = fromCloseCode(code, reason);
    const isOverloaded = !ready && closeReason?.status === 503;
    const sent = final !== undefined || isOverloaded ? closeReason : undefined;
    fail(sent ?? final ?? connectionFailed(`The connection was closed with ${code}. ${reason}`));
  });

  function receive(data: unknown): void {
    const message = parseMessage(data);
    const event = asSearchFrame(message);
    if (event !== undefined) {
      options.onEvent();
      for (const queue of readers.of(event.search_id)) queue.push(event);
      return;
    }
    switch (message.type) {
      case 'session.ready':
        inactivity.setLimit(options.silenceTimeoutMs ?? 2000 * (message.heartbeat_s || 15));
        limits = message.limits ?? {};
        ready = true;
        settle.resolve({ read, cancel, isOpen, close });
        closeWhenIdle();
        break;
      case 'session.closing':
        retire(message.reconnect_after_ms);
        break;
      case 'error':
        if (message.ref !== undefined) {
          refuse(message.ref, message);
          break;
        }
        // The reason why the server is about to close the connection, or a frame that it refused before it read its ref.
        closeReason = fromErrorObject(message.error);
        if (isAboutFrame(closeReason)) refuse(readers.onlyUnanswered(), message);
        break;
      case 'search.attached':
        // Events may follow in the same tick, so the queue must be registered before its reader has seen this.
        readers.attach(message.ref, message.search_id);
        readers.withRef(message.ref)?.push(message);
        break;
      case 'resume.failed':
        refuse(message.ref, message);
    }
  }

  function refuse(ref: string | undefined, message: Message): void {
    if (ref === undefined) return;
    readers.refuse(ref);
    readers.withRef(ref)?.push(message);
  }

  async function* read(position: ReadPosition, signal: AbortSignal): ReturnType<Transport['read']> {
    if (lost !== undefined) throw lost;
    const queue = createQueue<unknown>();
    const ref = String((refs += 1));
    const request = requestOf(ref, position);
    let ended = false;
    const stop = () => queue.end();
    signal.addEventListener('abort', stop);
    readers.add(ref, queue, position.search_id);
    clearTimeout(idleTimer);
    try {
      socket.send(request);
      position.onSent();
      for await (const message of queue) {
        const event = asSearchFrame(message);
        if (event !== undefined) {
          ended = isTerminal(event);
          yield event;
          if (ended) return;
          continue;
        }
        const reply = message as ServerFrame;
        if (reply.type === 'error') throw fromErrorObject(reply.error);
        if (reply.type === 'resume.failed') throw new ResumeError(reply.reason);
        if (reply.type !== 'search.attached') continue;
        // Its terminal event has a seq that this reader knows as another event's: the log is not the one that was read.
        if (reply.state !== 'running' && reply.head_seq <= reply.after_seq) throw new ResumeError('expired');
        position.onAttached(reply.search_id);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      readers.remove(ref, ended);
      closeWhenIdle();
    }
  }

  /** Throws `payload_too_large` for a frame that the server would refuse, or cut the connection off for. */
  function requestOf(ref: string, { start, search_id, after }: ReadPosition): string {
    if (search_id !== undefined) return JSON.stringify({ type: 'search.resume', ref, search_id, after_seq: after });
    const text = toJson({ type: 'search.start', ref, ...start });
    const hasImage = start !== undefined && 'image' in start.request && start.request.image !== undefined;
    const limit = (hasImage ? limits.frame_with_image_bytes : limits.frame_bytes) ?? Number.POSITIVE_INFINITY;
    // A UTF-16 code unit is at most three bytes.
    const bytes = 3 * text.length <= limit ? 0 : new TextEncoder().encode(text).length;
    if (bytes <= limit) return text;
    const message = `Expected a request of at most ${limit} bytes; got ${bytes}.`;
    throw new CitewireError('payload_too_large', message, { status: 413 });
  }

  function sendFrame(frame: { type: string; search_id: string }): void {
    if (lost === undefined) socket.send(JSON.stringify({ ...frame, ref: String((refs += 1)) }));
  }

  /** The server closes once the searches being read have ended; new ones use another connection. */
  function retire(reconnect_after_ms: number | undefined): void {
    if (ready && !isClosing) options.onLost(reconnect_after_ms);
    isClosing = true;
  }

  /** An open connection would keep a process from exiting. */
  function closeWhenIdle(): void {
    clearTimeout(idleTimer);
    if (lost === undefined && readers.isEmpty()) idleTimer = setTimeout(close, options.idleMs);
  }

  function fail(why: CitewireError): void {
    if (lost !== undefined) return;
    lost = why;
    inactivity.stop();
    clearTimeout(idleTimer);
    settle.reject(why);
    retire(undefined);
    for (const queue of readers.all()) queue.fail(why);
  }

  function cancel(search_id: string): void {
    sendFrame({ type: 'search.cancel', search_id });
  }

  function isOpen(): boolean {
    return !isClosing && lost === undefined;
  }

  function close(): void {
    isClosing = true;
    fail(connectionFailed('The client closed the connection.'));
    closeSocket(1000);
  }

  /** At most once: in Node 22, `close()` on a connecting socket emits an error before it returns. */
  function closeSocket(code?: number): void {
    if (isSocketClosed) return;
    isSocketClosed = true;
    socket.close(code);
  }

  return opened;
}

/** Whether the server refused a frame for what it holds, rather than its sender. */
function isAboutFrame({ code }: CitewireError): boolean {
  return code === 'validation_error' || code === 'payload_too_large';
}

function parseMessage(data: unknown): Message {
  try {
    return (JSON.parse(String(data)) ?? {}) as Message;
  } catch {
    return { type: undefined };
  }
}
