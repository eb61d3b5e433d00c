/** A server whose output nobody reads any more, such as one whose log is piped to a program that has ended. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ServeProcess, startServe } from '../support/processes/start-process.ts';
import { freePort } from '../support/servers/free-port.ts';

let folder: string;
let server: ServeProcess;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'citewire-unread-'));
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  server = startServe({ DATA_DIR: folder, PORT: port });
});
afterEach(async () => {
  server.child.kill('SIGKILL');
  await server.ended;
  await rm(folder, { recursive: true });
});

it.each(['stdout', 'stderr'] as const)('serves until it is stopped when nobody reads its %s', async (stream) => {
  server.child[stream]?.destroy();
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), { timeout: 50_000 });
  for (let request = 0; request < 10; request += 1) {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await sleep(20);
  }
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, signal: null });
});
