/**
 * One open WebSocket shared by any number of searches. It routes frames to their searches, detects a silent connection, and
 * fails every search when the connection is lost. Reconnecting is the job of connection.ts.
 */
import type { ServerFrame } from '../../protocol/index.ts';
import { type CitewireError, connectionFailed, fromCloseCode, fromErrorObject } from './citewire-error.ts';
import { createInactivityTimeout } from './inactivity-timeout.ts';
import { createQueue, type Queue } from './queue.ts';
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

/** Resolves with the server's `session.ready`; rejects with CitewireError when the socket closes earlier. */
export function openWebSocketTransport(
  socket: SocketLike,
  options: WebSocketTransportOptions,
): Promise<WebSocketTransport> {
  const byRef = new Map<string, Queue<unknown>>();
  const bySearch = new Map<string, Set<Queue<unknown>>>();
  const queues = new Set<Queue<unknown>>();
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
      for (const queue of bySearch.get(event.search_id) ?? []) queue.push(event);
      return;
    }
    switch (message.type) {
      case 'session.ready':
        inactivity.setLimit(options.silenceTimeoutMs ?? 2000 * (message.heartbeat_s || 15));
        ready = true;
        settle.resolve({ read, cancel, isOpen, close });
        closeWhenIdle();
        break;
      case 'session.closing':
        retire(message.reconnect_after_ms);
        break;
      case 'error':
        if (message.ref !== undefined) byRef.get(message.ref)?.push(message);
        else {
          // The reason why the server is about to close the connection, or a frame that it refused before it read its ref.
          closeReason = fromErrorObject(message.error);
          if (closeReason.code === 'validation_error') onlyUnanswered()?.push(message);
        }
        break;
      case 'search.attached':
        attach(message.search_id, byRef.get(message.ref));
        byRef.get(message.ref)?.push(message);
        break;
      case 'resume.failed':
        byRef.get(message.ref)?.push(message);
    }
  }

  async function* read(position: ReadPosition, signal: AbortSignal): ReturnType<Transport['read']> {
    if (lost !== undefined) throw lost;
    const queue = createQueue<unknown>();
    const ref = String((refs += 1));
    let ended = false;
    const stop = () => queue.end();
    signal.addEventListener('abort', stop);
    queues.add(queue);
    byRef.set(ref, queue);
    clearTimeout(idleTimer);
    sendStart(ref, position);
    try {
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
      queues.delete(queue);
      byRef.delete(ref);
      forget(queue, ended);
      closeWhenIdle();
    }
  }

  function sendStart(ref: string, { start, search_id, after, onSent }: ReadPosition): void {
    const frame =
      search_id === undefined
        ? { type: 'search.start', ref, ...start }
        : { type: 'search.resume', ref, search_id, after_seq: after };
    socket.send(JSON.stringify(frame));
    onSent();
  }

  /** The queue of the only start or resume without a response; undefined if there are several. */
  function onlyUnanswered(): Queue<unknown> | undefined {
    const attached = new Set([...bySearch.values()].flatMap((readers) => [...readers]));
    const unanswered = [...queues].filter((queue) => !attached.has(queue));
    return unanswered.length === 1 ? unanswered[0] : undefined;
  }

  /** Events may follow in the same tick, so the queue must be registered before its reader has seen `search.attached`. */
  function attach(search_id: string, queue: Queue<unknown> | undefined): void {
    const readers = bySearch.get(search_id) ?? new Set();
    if (queue !== undefined) bySearch.set(search_id, readers.add(queue));
    else if (readers.size === 0) detach(search_id);
  }

  function forget(queue: Queue<unknown>, ended: boolean): void {
    for (const [search_id, readers] of bySearch) {
      if (!readers.delete(queue) || readers.size > 0) continue;
      bySearch.delete(search_id);
      if (!ended) detach(search_id);
    }
  }

  function detach(search_id: string): void {
    sendFrame({ type: 'search.detach', search_id });
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
    if (lost === undefined && queues.size === 0) idleTimer = setTimeout(close, options.idleMs);
  }

  function fail(why: CitewireError): void {
    if (lost !== undefined) return;
    lost = why;
    inactivity.stop();
    clearTimeout(idleTimer);
    settle.reject(why);
    retire(undefined);
    for (const queue of queues) queue.fail(why);
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

function parseMessage(data: unknown): Message {
  try {
    return (JSON.parse(String(data)) ?? {}) as Message;
  } catch {
    return { type: undefined };
  }
}
