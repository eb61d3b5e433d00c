/**
 * Tickets let a page open a WebSocket without ever holding a key: 32 random bytes, bought with the key by the page's own
 * server, used once, within minutes, from one origin if it says so. Only the SHA-256 of a ticket is kept. What a ticket
 * was bought with is judged again when it is used: redeem, then `identity.recheck` its caller.
 *
 * This file is what a ticket means; where they are kept is a `TicketStore`, memory here, Redis in tickets-redis.ts.
 */
import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { TicketRequest } from '../../protocol/index.ts';
import { AppError, invalid } from '../base/errors.ts';
import type { Caller } from './identity.ts';

/** What a ticket stands for. */
export interface TicketGrant {
  /** Whoever bought it, as they were then. */
  readonly caller: Caller;
  readonly origin?: string;
  readonly max_searches?: number;
  readonly locked?: Readonly<Record<string, unknown>>;
}

export interface Tickets {
  /** Rejects with a 422 for `locked` over 16 KiB, or `overloaded` when tickets cannot be kept at the moment. */
  issue(caller: Caller, request: TicketRequest): Promise<{ readonly ticket: string; readonly expires_at: string }>;
  /**
   * Uses the ticket up, whatever comes of it. Rejects with `unauthorized` for one that is unknown, used or too old,
   * `forbidden` for another origin than it is bound to, `overloaded` when that cannot be known.
   */
  redeem(ticket: string, origin: string | undefined): Promise<TicketGrant>;
}

export interface TicketStore {
  put(hash: string, value: string, ttl_s: number): Promise<void>;
  /** Gives a value to the first who asks, and to nobody after. */
  take(hash: string): Promise<string | undefined>;
}

const ticketPattern = /^[A-Za-z0-9_-]{43}$/;
const lockedBytes = 16 * 1024;

export function createTickets(options: { readonly store: TicketStore }): Tickets {
  const { store } = options;
  return {
    async issue(caller, { ttl_s, origin, max_searches, locked }) {
      if (locked !== undefined && Buffer.byteLength(JSON.stringify(locked)) > lockedBytes) {
        throw invalid(['body', 'locked'], `expected at most ${lockedBytes} bytes of JSON`, 'too_long');
      }
      const ticket = randomBytes(32).toString('base64url');
      const grant: TicketGrant = {
        caller,
        ...(origin === undefined ? {} : { origin: new URL(origin).origin }),
        ...(max_searches === undefined ? {} : { max_searches }),
        ...(locked === undefined ? {} : { locked }),
      };
      const expires_at = new Date(Date.now() + ttl_s * 1000).toISOString();
      await store.put(hashTicket(ticket), JSON.stringify(grant), ttl_s).catch(throwOverloaded);
      return { ticket, expires_at };
    },

    async redeem(ticket, origin) {
      const value = ticketPattern.test(ticket)
        ? await store.take(hashTicket(ticket)).catch(throwOverloaded)
        : undefined;
      if (value === undefined) {
        throw new AppError('unauthorized', 'Expected a ticket that is not used and not older than its time.');
      }
      const grant = JSON.parse(value) as TicketGrant;
      if (grant.origin !== undefined && grant.origin !== origin) {
        throw new AppError('forbidden', 'This ticket is for a page of another origin.');
      }
      return grant;
    },
  };
}

/** `capacity` bounds the tickets that wait; the oldest goes first. */
export function createMemoryTicketStore(
  options: {
    /** Milliseconds that never go back. */
    readonly now?: () => number;
    readonly capacity?: number;
  } = {},
): TicketStore {
  const { now = () => performance.now(), capacity = 50_000 } = options;
  const kept = new LRUCache<string, string>({ max: capacity, ttlResolution: 0, perf: { now } });
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

function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

function throwOverloaded(cause: unknown): never {
  const message = 'The server cannot keep or read tickets at the moment.';
  throw new AppError('overloaded', message, { retry_after_ms: 1_000, cause });
}
