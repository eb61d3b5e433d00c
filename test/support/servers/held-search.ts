/**
 * A search provider (SearXNG's API) that answers nothing until it is told: whoever asks through it has a search that is
 * under way for as long as a test likes.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

export interface HeldSearch {
  readonly url: string;
  /** Resolves once somebody has asked. */
  readonly asked: Promise<void>;
  /** Answers what was asked and what will be, with no results. */
  release(): void;
  close(): Promise<void>;
}

export async function startHeldSearch(): Promise<HeldSearch> {
  let tellAsked = () => {};
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (_, response) => {
    tellAsked();
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
