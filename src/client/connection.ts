/**
 * The client's WebSocket connection, shared by all its searches. It connects when there is something to read and
 * reconnects after a loss, with backoff and never earlier than the server allows. After three failed upgrades in a row it
 * reports itself unusable for a while, so that searches use another transport.
 */

import { type BackoffOptions, createBackoff } from './backoff.ts';
import { CitewireError } from './citewire-error.ts';
import { type ConnectOptions, connect } from './connect.ts';
import type { Transport } from './transport.ts';
import type { WebSocketTransport } from './websocket-transport.ts';

export interface Connection extends Transport {
  /** False for a minute after three upgrades in a row failed. */
  isUsable(): boolean;
  /** Sends a request to cancel a search; false when there is no open connection to send it on. */
  cancel(search_id: string): boolean;
  close(): void;
}

export interface ConnectionOptions extends ConnectOptions, BackoffOptions {
  readonly connectTimeoutMs: number;
  readonly silenceTimeoutMs: number | undefined;
  /** Asks by HTTP; rejects with `unauthorized` if the server refuses the key, and in other ways if it cannot be asked. */
  readonly verifyKey?: (() => Promise<unknown>) | undefined;
}

// All are set by hand.
const maxFailedUpgrades = 3;
/** After how many failed upgrades the key is verified, again and again: most WebSockets do not tell why they failed. */
const suspectUpgrades = 2;
const unusableMs = 60_000;
/** Short enough that a script does not hang at its end, longer than a program's pause between two questions. */
const idleMs = 2_000;

/** Does not connect yet: that happens with the first `read`. */
export function createConnection(options: ConnectionOptions): Connection {
  const { connectTimeoutMs, silenceTimeoutMs } = options;
  const backoff = createBackoff(options);
  const closed = new AbortController();
  let current: WebSocketTransport | undefined;
  let connecting: Promise<WebSocketTransport> | undefined;
  let failedUpgrades = 0;
  let unusableUntil = 0;

  async function connectAfterBackoff(): Promise<WebSocketTransport> {
    await backoff.wait(closed.signal);
    try {
      const transport = await connect(options, {
        connectTimeoutMs,
        silenceTimeoutMs,
        idleMs,
        onEvent: backoff.reset,
        onLost: backoff.recordFailure,
      });
      failedUpgrades = 0;
      if (closed.signal.aborted) transport.close();
      return transport;
    } catch (error) {
      const { code, retry_after_ms } = error as CitewireError;
      backoff.recordFailure(retry_after_ms);
      if (code === 'connection_failed') failedUpgrades += 1;
      if (code === 'connection_failed' && failedUpgrades % suspectUpgrades === 0) await throwIfRefused();
      if (failedUpgrades >= maxFailedUpgrades) unusableUntil = Date.now() + unusableMs;
      throw error;
    }
  }

  async function throwIfRefused(): Promise<void> {
    const refusal = await options.verifyKey?.().catch((error: unknown) => error);
    if (refusal instanceof CitewireError && refusal.code === 'unauthorized') throw refusal;
  }

  async function openTransport(): Promise<WebSocketTransport> {
    if (current?.isOpen()) return current;
    connecting ??= connectAfterBackoff().finally(() => {
      connecting = undefined;
    });
    current = await connecting;
    return current;
  }

  return {
    async *read(position, signal) {
      const transport = await unlessAborted(openTransport(), signal);
      if (transport !== undefined) yield* transport.read(position, signal);
    },
    isUsable: () => Date.now() >= unusableUntil,
    cancel(search_id) {
      if (!current?.isOpen()) return false;
      current.cancel(search_id);
      return true;
    },
    close() {
      closed.abort();
      current?.close();
    },
  };
}

/** Undefined once the signal fires; the promise itself continues, as others may be waiting for it too. */
function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
  });
  return Promise.race([value, aborted]).finally(() => signal.removeEventListener('abort', leave));
}
