/** HOST and PORT: free, or held by a server of ours. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../base/config.ts';
import { type Check, ok, problem, reasonOf } from './check.ts';

/** Longest time for whoever holds the port to answer, ms; set by hand. */
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

/** By its OpenAPI document, which every server of ours has and serves to anyone. */
async function isOurs({ host, port }: Config): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${reached}:${port}/openapi.json`, { signal: AbortSignal.timeout(answerMs) });
    const { info } = (await response.json()) as { info?: { title?: string } };
    return info?.title?.startsWith('Citewire') === true;
  } catch {
    return false;
  }
}
