/**
 * A cork for upgrades. The native server's `cork` looks at its response again after the callback, to see whether the
 * connection is to be closed; an upgrade has made that memory a socket's, and now and then what stands there says yes.
 * Without any cork an upgrade goes well, but is warned about on standard error each time. So it happens inside the cork
 * of another response: one that this process asked itself for, and never answers.
 */

import type { HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Uws } from './load-uws.ts';

export interface CorkHolder {
  cork(act: () => void): void;
  close(): void;
}

export async function openCorkHolder(uws: Uws): Promise<CorkHolder> {
  const app = uws.App();
  const path = `/${randomUUID()}`;
  let client: Socket | undefined;
  let isHeld = true;
  const response = await new Promise<HttpResponse>((resolve, reject) => {
    app.get(path, (asked) => {
      asked.onAborted(() => {
        isHeld = false;
      });
      resolve(asked);
    });
    app.listen('127.0.0.1', 0, (listening) => {
      if (!listening) return reject(new Error('No port of 127.0.0.1 could be listened on.'));
      client = connect(uws.us_socket_local_port(listening), '127.0.0.1');
      client.on('connect', () => uws.us_listen_socket_close(listening));
      client.on('error', reject);
      client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      client.unref();
    });
  });
  return {
    cork(act) {
      if (isHeld) response.cork(act);
      else act();
    },
    close() {
      client?.destroy();
      app.close();
    },
  };
}
