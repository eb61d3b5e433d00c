/**
 * Tickets let a page open a WebSocket without holding a key: 32 random bytes, issued to the page's own server for its key,
 * valid once, for minutes, and if requested from one origin only. Only the SHA-256 of a ticket is stored. The key behind a
 * ticket is checked again when it is used: redeem, then `identity.recheck` its caller.
 *
 * This file defines what a ticket means. Storage is a `TicketStore`: memory here, Redis in tickets-redis.ts.
 */
import { LRUCache } from 'lru-cache';
import type { TicketRequest } from '../../protocol/index.ts';
import { AppError, invalid } from '../base/errors.ts';
import type { Caller } from './identity.ts';
import { hashSecret, isSecret, newSecret } from './keys.ts';

/** What a ticket grants. */
export interface TicketGrant {
  /** The caller it was issued to, as of then. */
  readonly caller: Caller;
  readonly origin?: string;
  readonly max_searches?: number;
  readonly locked?: Readonly<Record<string, unknown>>;
}

export interface Tickets {
  /** Rejects with `validation_error` for `locked` over 16 KiB, or `overloaded` when the ticket cannot be stored. */
  issue(caller: Caller, request: TicketRequest): Promise<{ readonly ticket: string; readonly expires_at: string }>;
  /**
   * Consumes the ticket, even when it rejects: with `unauthorized` if it is unknown, used or expired, `forbidden` from an
   * origin that it is not bound to, or `overloaded` when the ticket cannot be read.
   */
  redeem(ticket: string, origin: string | undefined): Promise<TicketGrant>;
}

export interface TicketStore {
  put(hash: string, value: string, ttl_s: number): Promise<void>;
  /** Resolves with the value once; with undefined afterwards and when it has expired. */
  take(hash: string): Promise<string | undefined>;
}

const maxLockedBytes = 16 * 1024;

/** Tickets in this store. */
export function createTickets(options: { readonly store: TicketStore }): Tickets {
  const { store } = options;
  return {
    async issue(caller, { ttl_s, origin, max_searches, locked }) {
      const bytes = locked === undefined ? 0 : Buffer.byteLength(JSON.stringify(locked));
      if (bytes > maxLockedBytes) {
        const msg = `expected at most ${maxLockedBytes} bytes of JSON; got ${bytes}`;
        throw invalid(['body', 'locked'], msg, 'too_long');
      }
      const ticket = newSecret();
      const grant: TicketGrant = {
        caller,
        ...(origin === undefined ? {} : { origin: new URL(origin).origin }),
        ...(max_searches === undefined ? {} : { max_searches }),
        ...(locked === undefined ? {} : { locked }),
      };
      const expires_at = new Date(Date.now() + ttl_s * 1000).toISOString();
      await store.put(hashSecret(ticket), JSON.stringify(grant), ttl_s).catch(throwOverloaded);
      return { ticket, expires_at };
    },

    async redeem(ticket, origin) {
      const value = isSecret(ticket) ? await store.take(hashSecret(ticket)).catch(throwOverloaded) : undefined;
      if (value === undefined) {
        throw new AppError('unauthorized', 'Expected an unused ticket that has not expired.');
      }
      const grant = JSON.parse(value) as TicketGrant;
      if (grant.origin !== undefined && grant.origin !== origin) {
        throw new AppError('forbidden', 'This ticket is for a page of another origin.');
      }
      return grant;
    },
  };
}

/** `capacity` bounds the unused tickets; beyond it the least recently used is dropped. 50,000 by default, set by hand. */
export function createMemoryTicketStore(
  options: {
    /** A monotonic clock, milliseconds. */
    readonly now?: () => number;
    readonly capacity?: number;
  } = {},
): TicketStore {
  const { now = () => performance.now(), capacity = 50_000 } = options;
  // By size: `max` would preallocate 2 MiB.
  const size = { maxSize: capacity, sizeCalculation: () => 1 };
  const kept = new LRUCache<string, string>({ ...size, ttlResolution: 0, perf: { now } });
  return {
    async put(hash, value, ttl_s) {
      kept.set(hash, value, { ttl: ttl_s * 1000 });
    },
    async take(hash) {
      const value = kept.get(hash);
      kept.delete(hash);
      return value;
    },
  };
}

function throwOverloaded(cause: unknown): never {
  const message = 'The server cannot store or read tickets at the moment.';
  throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause });
}
