import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProber } from '../support/prober.ts';

let status = 200;
const server = createServer((_, response) => response.writeHead(status).end('{}'));
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('reports how long a server answered nobody, once for each probe that had to wait', async () => {
  await using prober = await startProber({ url, pid: process.pid });
  const longest = async () => {
    const end = performance.now() + 200;
    while (performance.now() < end);
    return (await prober.report()).max_ms;
  };
  await expect.poll(longest).toBeGreaterThan(150);
  const { p99_ms, failures, rss_max_mb, loop_max_ms } = await prober.stop();
  // One late answer among hundreds of quick ones would leave the 99th percentile as it was.
  expect(p99_ms).toBeGreaterThan(100);
  // On Linux only. Vitest's own thread has the event loop here.
  if (process.platform === 'linux') expect(loop_max_ms).toBeGreaterThan(20);
  expect(failures).toBe(0);
  expect(rss_max_mb).toBeGreaterThan(10);
});

it('counts answers other than 200, and replaces a connection that was closed', async () => {
  await using prober = await startProber({ url, pid: undefined });
  server.closeAllConnections();
  await expect.poll(async () => (await prober.report()).probes).toBeGreaterThan(10);
  expect((await prober.report()).failures).toBe(0);
  status = 503;
  await expect.poll(async () => (await prober.report()).failures).toBeGreaterThan(0);
});
