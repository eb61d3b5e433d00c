/**
 * What a server provides to the rest of the transport: exchanges, streams and sockets over bytes, independent of any one
 * server. `uws/` and `node/` implement it.
 */

import type { BodyBudget } from './body-budget.ts';
import type { Certificate } from './tls/certificate.ts';

/** The line and the headers of a request. */
export interface RequestHead {
  readonly id: string;
  readonly method: string;
  /** Raw, up to the "?". */
  readonly path: string;
  readonly query: string;
  /** Names in lower case; the values of a repeated name are joined by ", ". */
  readonly headers: ReadonlyMap<string, string>;
  /** The client's IP address. */
  readonly address: string;
}

/** What all requests of a server share. */
export interface ExchangeShared {
  readonly budget: BodyBudget;
  /** Whether connections are to be closed after their answer. */
  readonly closesAfterAnswer: () => boolean;
}

/** One HTTP request and the way to answer it. Answering after the client has left does nothing. */
export interface Exchange extends RequestHead {
  /** Fires when the client leaves before the answer is complete. */
  readonly signal: AbortSignal;
  /**
   * The whole body, to be asked for once the caller is known: before, little of it is read. At most `maxBytes`, by default
   * what a body with an image may have. Rejects with `payload_too_large`, `overloaded`, or the signal's reason once the
   * client has left.
   */
  body(maxBytes?: number): Promise<Uint8Array>;
  /** Sends the whole answer once the request has been read. The answer to a HEAD, or with status 304, has no body. */
  respond(status: number, headers: Headers, body: string | Uint8Array): void;
  /** Begins a streamed answer with status 200. To a HEAD nothing may be written. */
  stream(headers: Headers): Stream;
}

export type Headers = Readonly<Record<string, string>>;

/** An answer or a socket that is written to piece by piece, with backpressure. `onDrain` and `onClose` hold one listener each. */
export interface Stream {
  /** Whether this many bytes may be written now. */
  canWrite(bytes: number): boolean;
  write(text: string): void;
  /** Sends everything that `writes` writes together. */
  cork(writes: () => void): void;
  /** Calls the listener when there is room to write again. */
  onDrain(listener: () => void): void;
  /** Calls the listener when the client has left; immediately if it has. */
  onClose(listener: () => void): void;
  /** Ends it after everything that was written. */
  end(): void;
  /** Breaks the connection off: what was written may be lost, and the client notices. */
  terminate(): void;
}

export type FrameListener = (content: Uint8Array, isText: boolean) => void;

export interface Socket extends Stream {
  /** Calls the listener for every frame, with its content, which is valid only during the call; text is UTF-8. */
  onMessage(listener: FrameListener): void;
  /** Calls the listener for every ping of the WebSocket protocol. The server answers them by itself. */
  onPing(listener: () => void): void;
  /** Sends a close frame. Nothing may be written after it. */
  close(code: number, reason: string): void;
  /** The same, and reads nothing more: the client has little time to receive it. */
  cutOff(code: number, reason: string): void;
  /**
   * Sends the text as a last frame, and ends the connection before another byte is read, for clients that send megabytes.
   * They may see no close code.
   */
  breakOff(last: string, code: number, reason: string): void;
  /** Bytes written that the client has not received yet. */
  buffered(): number;
}

/** What a server calls. Neither rejects: errors are answered. */
export interface Handlers {
  request(exchange: Exchange): Promise<void>;
  /** Resolves with undefined if the upgrade was refused, and answered. */
  upgrade(exchange: Exchange): Promise<AcceptedUpgrade | undefined>;
}

/** The server calls either `accept` or `abandon`, once. */
export interface AcceptedUpgrade {
  readonly protocol?: string;
  readonly accept: (socket: Socket) => void;
  /** Called if there will be no socket, since the client has left. */
  readonly abandon: () => void;
}

export interface Server {
  /** Rejects when the address is in use by another process or is not one of this machine. */
  listen(host: string, port: number): Promise<{ port: number }>;
  /**
   * Uses this certificate for new connections; open ones keep theirs. Throws an Error, and keeps the one it has, if that fails.
   * Only for a server that began with one.
   */
  renew(certificate: Certificate): void;
  /** From now on, closes each connection after its next answer: what its client calls next goes to another server. */
  drain(): void;
  /** Stops accepting connections; open ones stay open. */
  stopListening(): void;
  /** Closes every connection. */
  close(): void;
}

/** The server itself breaks off larger frames; the limits that are answered with an error are lower. */
export const maxFrameBytes = 16 * 1024 * 1024;
