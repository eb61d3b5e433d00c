/** Chooses the server that carries the transport: the native one where a build of it loads, else the portable one. */
import type { Log } from '../base/log.ts';
import { createConnectionLimit } from './connection-limit.ts';
import type { Handlers, Server } from './exchange.ts';
import type { Certificate } from './tls/certificate.ts';
import { loadUws } from './uws/load-uws.ts';
import { createUwsServer } from './uws/server.ts';

type CreateServer = (handlers: Handlers) => Server;

export interface ServerChoice {
  readonly transport: 'auto' | 'uws' | 'node';
  /** The path of the WebSocket. */
  readonly socketPath: string;
  /** For TLS; plain HTTP without it. */
  readonly certificate?: Certificate | undefined;
  readonly log: Log;
  readonly onFault: (error: unknown) => void;
}

/** Rejects, with a message for the operator, when the native server is required and no build of it loads. */
export async function chooseServer({
  transport,
  socketPath,
  certificate,
  log,
  onFault,
}: ServerChoice): Promise<CreateServer> {
  const connections = createConnectionLimit({
    onRefused: (max) => log.warn({ max }, 'connections are refused: too few file descriptors; raise `ulimit -n`'),
  });
  const portable = async (): Promise<CreateServer> => {
    const { createNodeServer } = await import('./node/server.ts');
    return (handlers) => createNodeServer({ handlers, socketPath, certificate, connections, onFault });
  };
  if (transport === 'node') return portable();
  try {
    const loaded = await loadUws();
    log.debug({ build: loaded.build }, 'the native server is loaded');
    return (handlers) => createUwsServer({ loaded, handlers, socketPath, certificate, connections, onFault });
  } catch (error) {
    if (transport === 'uws') throw error;
    const { message, cause } = error as Error;
    log.warn({ reason: message }, 'using the portable server, which is slower');
    log.debug({ tried: cause }, 'no build of the native server loads');
    return portable();
  }
}
