/**
 * What a server gives the rest of the transport: exchanges, streams and sockets over bytes, nothing of any one server in
 * it. uws/server.ts is one; whatever else speaks HTTP and WebSocket can stand in its place.
 */

/** One HTTP request and the way to answer it. Answering after the client left does nothing. */
export interface Exchange {
  readonly id: string;
  readonly method: string;
  /** As it came, before the "?". */
  readonly path: string;
  readonly query: string;
  /** Names in lower case; of a repeated name the values are joined by ", ". */
  readonly headers: ReadonlyMap<string, string>;
  readonly address: string;
  /** Fires when the client leaves before the answer is out. */
  readonly signal: AbortSignal;
  /** The whole body. Rejects with `payload_too_large`, or with the signal's reason once the client has left. */
  body(): Promise<Uint8Array>;
  /** Answers in one piece, once the request has been read. A HEAD, and a 304, gets the headers alone. */
  respond(status: number, headers: Headers, body: string | Uint8Array): void;
  /** Begins an answer that goes on; 200. To a HEAD nothing may be written. */
  stream(headers: Headers): Stream;
}

export type Headers = Readonly<Record<string, string>>;

/** An answer or a socket that is written to piece by piece, with backpressure. `onDrain` and `onClose` each hold one listener. */
export interface Stream {
  /** Whether this many bytes may be handed over now. */
  canWrite(bytes: number): boolean;
  write(text: string): void;
  /** Everything that `writes` sends goes out together. */
  cork(writes: () => void): void;
  /** Called when there is room again. */
  onDrain(listener: () => void): void;
  /** Called when the client has left; at once if it has. */
  onClose(listener: () => void): void;
  /** Ends it well, behind everything written. */
  end(): void;
  /** Breaks the connection off: what was written may be lost, and the client can tell. */
  terminate(): void;
}

export interface Socket extends Stream {
  /** Called for every frame; undefined for one that is not text. */
  onMessage(listener: (text: string | undefined) => void): void;
  /** Sends a close frame. Nothing may be written after it. */
  close(code: number, reason: string): void;
  /** Bytes that the client has not taken yet. */
  buffered(): number;
}

/** What a server calls. Neither rejects: what goes wrong is answered. */
export interface Handlers {
  request(exchange: Exchange): Promise<void>;
  /** What to do with the socket; undefined when the upgrade was refused, and answered. */
  upgrade(exchange: Exchange): Promise<{ protocol?: string; accept: (socket: Socket) => void } | undefined>;
}

export interface Server {
  /** Rejects when the address cannot be had: in use by another process, or not this machine's. */
  listen(host: string, port: number): Promise<{ port: number }>;
  /** Stops accepting; what is open stays open. */
  stopListening(): void;
  /** Closes every connection. */
  close(): void;
}

/** Frames larger than this are cut off by the server itself; the typed limits lie below it. */
export const maxFrameBytes = 16 * 1024 * 1024;
