/**
 * Everything a caller can reach, over whichever Server carries it: HTTP calls in http.ts, connections in websocket/.
 * Draining is theirs together: new work is refused, what was begun ends, and then nothing is left.
 */

import type { OnFault } from '../base/errors.ts';
import type { Metrics } from '../base/metrics.ts';
import type { AccountService } from '../service/account.ts';
import type { Service } from '../service/service.ts';
import type { Handlers } from './exchange.ts';
import { behindProxies } from './http/client-address.ts';
import { createHttp, type Documents, type Pages } from './http/http.ts';
import { createSocketSessions } from './websocket/upgrade.ts';

export interface TransportOptions {
  readonly service: Service;
  readonly account: AccountService;
  /** Whether a page of this origin may use the server. */
  readonly originAllowed: (origin: string, host: string | undefined) => boolean;
  /** Where clients find this server, where the operator says so. */
  readonly publicUrl: string | undefined;
  /** Addresses and networks whose word for who called them is taken. */
  readonly trustedProxies: readonly string[];
  readonly documents: Documents;
  readonly pages: Pages;
  readonly metrics: Metrics;
  readonly onFault: OnFault;
}

export interface Transport {
  readonly handlers: Handlers;
  /** Refuses new work from here on and asks every session to leave; resolves when all that was begun has ended. */
  drain(): Promise<void>;
  /** Closes the sessions that have not left. */
  end(): void;
}

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
        notifyIfIdle();
      });
    },
    end: sessions.end,
  };
}
