/**
 * Everything that clients reach, over whichever Server carries it: HTTP calls and WebSockets. They drain together: new work
 * is refused, work in progress ends.
 */
import type { OnFault } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Tracing } from '../runs/tracing.ts';
import type { AccountService } from '../service/account.ts';
import type { ServerService } from '../service/service.ts';
import type { Handlers } from './exchange.ts';
import { behindProxies } from './http/client-address.ts';
import type { Doors } from './http/door.ts';
import { createHttp, type Documents, type OnRefused, type Pages } from './http/http.ts';
import { createSocketSessions } from './websocket/upgrade.ts';

export interface TransportOptions {
  readonly service: ServerService;
  readonly account: AccountService;
  /** Whether a page of this origin may use the server under this host. */
  readonly originAllowed: (origin: string, host: string | undefined) => boolean;
  /** The base URL that clients use, if the operator set one. */
  readonly publicUrl: string | undefined;
  /** Whether the server itself speaks TLS. */
  readonly isSecure: boolean;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly documents: Documents;
  readonly pages: Pages;
  readonly doors: Doors;
  readonly metrics: Metrics;
  /** Absent unless traces are exported. */
  readonly tracing?: Pick<Tracing, 'call'> | undefined;
  /** Rejects with the error that GET /readyz answers with while a part of the server does not work. */
  readonly checkReady: () => Promise<void>;
  readonly onFault: OnFault;
  /** Called with each call, and each frame, that is answered with an error. */
  readonly refused?: OnRefused | undefined;
}

export interface Transport {
  readonly handlers: Handlers;
  /** Refuses new work from now on and asks every session to close. Resolves when all work in progress has ended. */
  drain(): Promise<void>;
  /** Closes the sessions that have not left. */
  end(): void;
}

/** Does not listen by itself: a Server calls its `handlers`. */
export function createTransport(options: TransportOptions): Transport {
  let onIdle: (() => void) | undefined;
  const notifyIfIdle = () => {
    if (http.open() === 0 && sessions.open() === 0) onIdle?.();
  };
  const shared = { ...options, isDraining: () => onIdle !== undefined, onClosed: notifyIfIdle };
  const http = createHttp(shared);
  const sessions = createSocketSessions(shared);

  return {
    handlers: behindProxies(options.trustedProxies, { request: http.request, upgrade: sessions.upgrade }),
    drain() {
      return new Promise((resolve) => {
        onIdle = resolve;
        sessions.drain();
        options.doors.drain();
        notifyIfIdle();
      });
    },
    end: sessions.end,
  };
}
