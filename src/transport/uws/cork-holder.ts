/**
 * A cork for upgrades. After the callback, the native server's `cork` checks its response for whether to close the
 * connection; an upgrade has turned that memory into a socket, and now and then its content says yes. An upgrade without a
 * cork works, but prints a warning to standard error each time. So it is done inside the cork of another response: that of
 * a request which this process makes to itself and never answers.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Uws } from './load-uws.ts';

export interface CorkHolder {
  /** Calls `upgrade` inside a cork, or without one if the held connection was lost. */
  cork(upgrade: () => void): void;
  close(): void;
}

/** Rejects when no port of 127.0.0.1 can be listened on. */
export async function openCorkHolder(uws: Uws): Promise<CorkHolder> {
  const app = uws.App();
  const path = `/${randomUUID()}`;
  let client: Socket | undefined;
  let isHeld = true;
  const response = await new Promise<HttpResponse>((resolve, reject) => {
    app.get(path, (held) => {
      held.onAborted(() => {
        isHeld = false;
      });
      resolve(held);
    });
    app.listen('127.0.0.1', 0, (listening) => {
      if (!listening) return reject(new Error('Cannot listen on any port of 127.0.0.1.'));
      client = connect(uws.us_socket_local_port(listening), '127.0.0.1');
      client.on('connect', () => uws.us_listen_socket_close(listening));
      client.on('error', reject);
      client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      client.unref();
    });
  });
  return {
    cork(upgrade) {
      if (isHeld) response.cork(upgrade);
      else upgrade();
    },
    close() {
      client?.destroy();
      app.close();
    },
  };
}
