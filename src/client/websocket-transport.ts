/**
 * One open WebSocket with any number of searches on it. It gives each search the frames that are its own, notices a line
 * that has gone silent, and when the line is lost tells every search why. Connecting again is the line's business.
 */
import type { ServerFrame } from '../../protocol/index.ts';
import { type CitewireError, connectionFailed, fromCloseCode, fromErrorObject } from './citewire-error.ts';
import { watchSilence } from './inactivity-timeout.ts';
import { createQueue, type Queue } from './queue.ts';
import { asSearchFrame, isEnding, type Position, type Read, Unresumable } from './transport.ts';

/** What browsers, `ws` and Node give alike. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: never) => void): void;
}

export interface Session {
  readonly read: Read;
  /** Asks for the end of a search of this account. */
  cancel(search_id: string): void;
  /** Whether a search may be begun or read on here: not once the server has said that it will close. */
  isOpen(): boolean;
  close(): void;
}

export interface SessionOptions {
  readonly connectTimeoutMs: number;
  /** Unless given, twice the heartbeat that the server announces. */
  readonly silenceTimeoutMs: number | undefined;
  /** How long a session without searches is kept. */
  readonly idleMs: number;
  /** An event of a search came: the line works. */
  readonly onEvent: () => void;
  /** The line is gone, or soon will be; `reconnect_after_ms` is what the server asked for. */
  readonly onLost: (reconnect_after_ms: number | undefined) => void;
}

type Message = ServerFrame | { readonly type: undefined };

/** Resolves once the server has said `session.ready`; rejects with CitewireError when the socket closes before. */
export function openSession(socket: SocketLike, options: SessionOptions): Promise<Session> {
  const byRef = new Map<string, Queue<unknown>>();
  const bySearch = new Map<string, Set<Queue<unknown>>>();
  const readings = new Set<Queue<unknown>>();
  let refs = 0;
  let ready = false;
  let leaving = false;
  let hungUp = false;
  let lost: CitewireError | undefined;
  let refusal: CitewireError | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let settle: { resolve: (session: Session) => void; reject: (error: CitewireError) => void };
  const opened = new Promise<Session>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const silence = watchSilence(options.connectTimeoutMs, () => {
    lose(connectionFailed('The server has been silent for too long.'));
    (socket as { terminate?: () => void }).terminate?.();
    hangUp();
  });

  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    silence.heard();
    try {
      if (lost === undefined) receive(data);
    } catch (error) {
      lose(connectionFailed('The server sent what is no frame of the protocol.', error));
      hangUp();
    }
  });
  socket.addEventListener('error', ({ message }: { message?: string }) => {
    lose(connectionFailed(`The WebSocket failed${message ? `: ${message}` : ''}.`));
    hangUp();
  });
  socket.addEventListener('close', ({ code, reason }: { code: number; reason: string }) => {
    const final = fromCloseCode(code, reason);
    const toldToWait = !ready && refusal?.status === 503;
    const told = final !== undefined || toldToWait ? refusal : undefined;
    lose(told ?? final ?? connectionFailed(`The connection was closed with ${code}. ${reason}`));
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
        silence.allow(options.silenceTimeoutMs ?? 2000 * (message.heartbeat_s || 15));
        ready = true;
        settle.resolve({ read, cancel, isOpen, close });
        rest();
        break;
      case 'session.closing':
        retire(message.reconnect_after_ms);
        break;
      case 'error':
        // Without a ref it says why the connection will be closed.
        if (message.ref === undefined) refusal = fromErrorObject(message.error);
        else byRef.get(message.ref)?.push(message);
        break;
      case 'search.attached':
        attach(message.search_id, byRef.get(message.ref));
        byRef.get(message.ref)?.push(message);
        break;
      case 'resume.failed':
        byRef.get(message.ref)?.push(message);
    }
  }

  async function* read(position: Position, signal: AbortSignal): ReturnType<Read> {
    if (lost !== undefined) throw lost;
    const queue = createQueue<unknown>();
    const ref = String((refs += 1));
    let ended = false;
    const stop = () => queue.end();
    signal.addEventListener('abort', stop);
    readings.add(queue);
    byRef.set(ref, queue);
    clearTimeout(idle);
    send(ref, position);
    try {
      for await (const message of queue) {
        const event = asSearchFrame(message);
        if (event !== undefined) {
          ended = isEnding(event);
          yield event;
          if (ended) return;
          continue;
        }
        const answer = message as ServerFrame;
        if (answer.type === 'error') throw fromErrorObject(answer.error);
        if (answer.type === 'resume.failed') throw new Unresumable(answer.reason);
        if (answer.type === 'search.attached') position.onAttached(answer.search_id);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      readings.delete(queue);
      byRef.delete(ref);
      forget(queue, ended);
      rest();
    }
  }

  function send(ref: string, { asked, search_id, after, onSent }: Position): void {
    const frame =
      search_id === undefined
        ? { type: 'search.start', ref, ...asked }
        : { type: 'search.resume', ref, search_id, after_seq: after };
    socket.send(JSON.stringify(frame));
    onSent();
  }

  /** The events of a search may follow in the same moment, so it has its readers before anyone reads them. */
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
    tell({ type: 'search.detach', search_id });
  }

  function tell(frame: { type: string; search_id: string }): void {
    if (lost === undefined) socket.send(JSON.stringify({ ...frame, ref: String((refs += 1)) }));
  }

  /** The server closes when what is being read has ended; new searches go elsewhere. */
  function retire(reconnect_after_ms: number | undefined): void {
    if (ready && !leaving) options.onLost(reconnect_after_ms);
    leaving = true;
  }

  /** Without searches nobody needs the line, and it would keep a process from ending. */
  function rest(): void {
    clearTimeout(idle);
    if (lost === undefined && readings.size === 0) idle = setTimeout(close, options.idleMs);
  }

  function lose(why: CitewireError): void {
    if (lost !== undefined) return;
    lost = why;
    silence.stop();
    clearTimeout(idle);
    settle.reject(why);
    retire(undefined);
    for (const queue of readings) queue.fail(why);
  }

  function cancel(search_id: string): void {
    tell({ type: 'search.cancel', search_id });
  }

  function isOpen(): boolean {
    return !leaving && lost === undefined;
  }

  function close(): void {
    leaving = true;
    lose(connectionFailed('The client closed the connection.'));
    hangUp(1000);
  }

  /** Once: in Node 22 the `close()` of a socket that is not open yet tells of an error before it returns. */
  function hangUp(code?: number): void {
    if (hungUp) return;
    hungUp = true;
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
