/**
 * The client's one way to the server by WebSocket, shared by all its searches. It connects when there is something to
 * read, again when the line was lost, with backoff and never before the server wants it; after three upgrades in a row
 * that led nowhere it says so, for a while, so that searches take another way.
 */

import { createPace, type PaceOptions } from './backoff.ts';
import type { CitewireError } from './citewire-error.ts';
import { type DialOptions, dial } from './connect.ts';
import type { Read } from './transport.ts';
import type { Session } from './websocket-transport.ts';

export interface Line {
  readonly read: Read;
  /** Whether it is worth trying: not for a minute after three upgrades failed. */
  isUsable(): boolean;
  /** Asks for the end of a search; false when there is no connection to ask over. */
  cancel(search_id: string): boolean;
  close(): void;
}

export interface LineOptions extends DialOptions, PaceOptions {
  readonly connectTimeoutMs: number;
  readonly silenceTimeoutMs: number | undefined;
}

const failuresAllowed = 3;
const avoidedMs = 60_000;
/** Shorter than anyone waits for a script to end, longer than the pause between two questions of a program. */
const idleMs = 2_000;

export function createLine(options: LineOptions): Line {
  const { connectTimeoutMs, silenceTimeoutMs } = options;
  const pace = createPace(options);
  const closed = new AbortController();
  let current: Session | undefined;
  let dialing: Promise<Session> | undefined;
  let failedUpgrades = 0;
  let avoidedUntil = 0;

  async function connect(): Promise<Session> {
    await pace.wait(closed.signal);
    try {
      const session = await dial(options, {
        connectTimeoutMs,
        silenceTimeoutMs,
        idleMs,
        onEvent: pace.worked,
        onLost: pace.failed,
      });
      failedUpgrades = 0;
      if (closed.signal.aborted) session.close();
      return session;
    } catch (error) {
      const { code, retry_after_ms } = error as CitewireError;
      pace.failed(retry_after_ms);
      if (code === 'connection_failed') failedUpgrades += 1;
      if (failedUpgrades >= failuresAllowed) avoidedUntil = Date.now() + avoidedMs;
      throw error;
    }
  }

  async function session(): Promise<Session> {
    if (current?.isOpen()) return current;
    dialing ??= connect().finally(() => {
      dialing = undefined;
    });
    current = await dialing;
    return current;
  }

  return {
    async *read(position, signal) {
      const open = await unlessAborted(session(), signal);
      if (open !== undefined) yield* open.read(position, signal);
    },
    isUsable: () => Date.now() >= avoidedUntil,
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

/** Undefined once the signal fires: what was begun goes on for others. */
function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
  });
  return Promise.race([value, aborted]).finally(() => signal.removeEventListener('abort', leave));
}
