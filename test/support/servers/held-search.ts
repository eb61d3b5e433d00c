/**
 * A search provider (SearXNG's API) that does not answer until it is released, which keeps a search running as long as a test
 * needs.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

export interface HeldSearch {
  readonly url: string;
  /** Resolves at the first request. */
  readonly asked: Promise<void>;
  /** Answers all requests, earlier and later, with no results. */
  release(): void;
  close(): Promise<void>;
}

export async function startHeldSearch(): Promise<HeldSearch> {
  let resolveAsked = () => {};
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    resolveAsked = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (_, response) => {
    resolveAsked();
    await released;
    response.setHeader('content-type', 'application/json').end('{"results": []}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    asked,
    release,
    async close() {
      release();
      server.closeAllConnections();
      server.close();
    },
  };
}
