/** HOST and PORT: free, or held by a server of ours. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Config } from '../../base/config.ts';
import { type Check, ok, problem, reasonOf } from './check.ts';

/** How long the program that holds the port may take to answer, ms; set by hand. */
const answerMs = 3_000;

/** Listens for a moment; where that fails, asks what listens there. */
export const checkPort: Check = async ({ config }) => {
  const { host, port } = config;
  if (port === 0) return ok('PORT is 0: the server picks a free one.');
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    return ok(`${host}:${port} is free.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
      const fix = 'Set HOST to an address of this machine, and PORT to one that this user may use (1024 or above).';
      return problem(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`, fix);
    }
    if (await isOurs(config)) return ok(`A Citewire server listens on ${host}:${port}.`);
    return problem(`Another program listens on ${host}:${port}.`, 'Stop it, or set PORT to a free one.');
  } finally {
    server.close();
  }
};

/**
 * Asks for the OpenAPI document, which every server of ours serves to anyone. Whose certificate it has does not matter
 * here.
 */
async function isOurs({ host, port, tls }: Config): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const options = { host: reached, port, path: '/openapi.json', timeout: answerMs };
  const request = tls === undefined ? http.get(options) : https.get({ ...options, rejectUnauthorized: false });
  try {
    request.on('timeout', () => request.destroy());
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const { info } = (await json(response)) as { info?: { title?: string } };
    return info?.title === 'Citewire';
  } catch {
    return false;
  } finally {
    request.destroy();
  }
}
