/** What a client does when the server, the connection or the network fails: which failures it handles itself, and how. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import { type App, startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import type { Client } from '../../src/client/client.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { quickClient, readAll } from '../support/clients/client-search.ts';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { testPages } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const isUpgrade = (line: string) => line.includes('/v1/ws/search');

let dataDir: string;
let model: ModelServer;
let home: App;
/** Knows the keys and the finished searches, but none of those that run on `home`. */
let away: App;
let apiKey: string;
let proxy: ChaosProxy;
let others: App[];
let clients: Client[];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'citewire-'));
  model = await startModelServer();
  home = await startServer();
  apiKey = home.developmentKey!.plaintext;
  await home.corpus.index({ kind: 'folder', path: testPages });
  away = await startServer();
});
afterAll(async () => {
  await Promise.all([home.close(0), away.close(0)]);
  await model.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  others = [];
  clients = [];
  model.script = goodModel;
  proxy = await startChaosProxy(home.url);
});
afterEach(async () => {
  for (const client of clients) client.close();
  await proxy.close();
  await Promise.all(others.map((app) => app.close(0)));
});

/** A server that will shut down. */
async function startOther(): Promise<App> {
  const app = await startServer();
  others.push(app);
  return app;
}

/** Each has a folder of its own, as on a machine of its own, and all have the same database and index. */
async function startServer(): Promise<App> {
  const DATA_DIR = await mkdtemp(join(dataDir, 'server-'));
  for (const file of ['citewire.db', 'index.db']) await symlink(join(dataDir, file), join(DATA_DIR, file));
  const wanted = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', MEDIAWIKI_URL: 'off' };
  const config = readConfig({ PORT: '0', DATA_DIR, LOG_LEVEL: 'silent', ...wanted });
  return startApp(config, createLog(config.logLevel));
}

function newClient(options: object = {}): Client {
  const client = quickClient({ baseUrl: proxy.url, apiKey, ...options });
  clients.push(client);
  return client;
}

/** The model writes when it is let. */
function holdWriting(): () => void {
  let letWrite = () => {};
  const allowed = new Promise<void>((resolve) => {
    letWrite = resolve;
  });
  model.script = async (call, count) => {
    if (call.kind === 'write') await allowed;
    return goodModel(call, count);
  };
  return letWrite;
}

describe('a client whose WebSockets are blocked', () => {
  it('falls back to Server-Sent Events after three failed upgrades, and stays with them for a while', async () => {
    proxy.decide((line) => ({ refuse: isUpgrade(line) }));
    const client = newClient();
    expectLawful(await readAll(client.search(question)));
    expect(proxy.requests.filter(isUpgrade).length).toBe(3);
    expectLawful(await readAll(client.search(question)));
    expect(proxy.requests.filter(isUpgrade).length).toBe(3);
  });

  it('falls back when a proxy does not support upgrades', async () => {
    proxy.decide((line) => ({ plain: isUpgrade(line) }));
    expectLawful(await readAll(newClient().search(question)));
    expect(proxy.requests.filter(isUpgrade).length).toBe(3);
  });

  it('falls back when upgrades get no response', async () => {
    proxy.decide((line) => (isUpgrade(line) ? { stallAfter: 0 } : {}));
    expectLawful(await readAll(newClient({ connectTimeoutMs: 50 }).search(question)));
    expect(proxy.requests.filter(isUpgrade).length).toBe(3);
  });

  it('fails after a limited number of attempts when only the WebSocket is allowed', async () => {
    proxy.decide((line) => ({ refuse: isUpgrade(line) }));
    const search = newClient({ maxRetries: 4 }).search(question, { transport: 'websocket' });
    await expect(search.result).rejects.toMatchObject({ code: 'connection_failed', retryable: true });
    expect(proxy.requests.filter(isUpgrade).length).toBe(5);
  });
});

describe.each(['websocket', 'sse'] as const)('a search over %s', (transport) => {
  it('resumes from where it was when the connection goes silent', async () => {
    const letWrite = holdWriting();
    const search = newClient({ silenceTimeoutMs: 150 }).search(question, { transport });
    const frames: SearchFrame[] = [];
    proxy.schedule([{ stallAfter: 3_000 }]);
    for await (const frame of search) {
      frames.push(frame);
      if (frame.type === 'search.accepted') setTimeout(letWrite, 300);
    }
    expectLawful(frames);
    expect(proxy.requests.length).toBeGreaterThan(1);
  });

  it('reports a pause, its reason, and when events arrive again', async () => {
    const letWrite = holdWriting();
    const pauses: (string | undefined)[] = [];
    const search = newClient().search(question, { transport, onPause: (why) => pauses.push(why?.code) });
    let cut = false;
    for await (const frame of search) {
      if (frame.type !== 'step.finished' || cut) continue;
      cut = true;
      proxy.cutAll();
      letWrite();
    }
    expect(pauses).toEqual(['connection_failed', undefined]);
  });

  it('restarts, under the same idempotency key, on a server that does not know it', async () => {
    const letWrite = holdWriting();
    const search = newClient().search(question, { transport });
    const frames: SearchFrame[] = [];
    for await (const frame of search) {
      frames.push(frame);
      if (frame.search_id !== frames[0]!.search_id) letWrite();
      if (frames.length !== 5) continue;
      proxy.lead(away.url);
      proxy.cutAll();
    }
    const ids = [...new Set(frames.map(({ search_id }) => search_id))];
    expect(ids.length).toBe(2);
    expect(search.search_id).toBe(ids[1]);
    expectLawful(frames.filter(({ search_id }) => search_id === ids[1]));
  });

  it('takes its result from the record when its events have expired', async () => {
    const letWrite = holdWriting();
    const client = newClient({ maxRetries: 1_000 });
    const search = client.search(question, { transport, onDisconnect: 'continue' });
    const frames: SearchFrame[] = [];
    for await (const frame of search) {
      frames.push(frame);
      if (frames.length !== 5) continue;
      const direct = quickClient({ baseUrl: home.url, apiKey });
      proxy.decide(() => ({ refuse: true }));
      proxy.cutAll();
      letWrite();
      await direct.follow(search.search_id!).result;
      direct.close();
      const elsewhere = newClient({ baseUrl: away.url });
      const isRecorded = () => elsewhere.getSearch(search.search_id!).then(({ state }) => state, ignore);
      await expect.poll(isRecorded).toBe('completed');
      proxy.lead(away.url);
      proxy.schedule([]);
    }
    expectDense(frames, 0);
    expect(frames.at(-1)).toMatchObject({ type: 'search.completed', status: 'answered' });
    expect(await search.result).toMatchObject({ search_id: search.search_id, answer: expect.stringMatching(/Heron/) });
  });

  it('continues on another server when its own shuts down', async () => {
    const old = await startOther();
    proxy.lead(old.url);
    const client = newClient({ maxRetries: 50 });
    await client.search(question, { transport }).result;
    const going = old.close(1_000);
    proxy.lead(home.url);
    expectLawful(await readAll(client.search(question, { transport })));
    await going;
  });

  it('fails after a limited number of attempts when the server cannot be reached', async () => {
    proxy.decide(() => ({ refuse: true }));
    const search = newClient({ maxRetries: 3 }).search(question, { transport });
    await expect(search.result).rejects.toMatchObject({ code: 'connection_failed' });
    await expect(readAll(search)).rejects.toMatchObject({ code: 'connection_failed' });
    expect(proxy.requests.length).toBe(4);
  });
});

describe('a server that drains', () => {
  it('starts no new searches on a server that drains, and keeps its running ones until they end', async () => {
    const letWrite = holdWriting();
    const old = await startOther();
    proxy.lead(old.url);
    const client = newClient({ maxRetries: 50 });
    const search = client.search(question);
    const reading = readAll(search);
    await expect.poll(() => search.search_id).toBeDefined();
    const closing = old.close(20_000);
    proxy.lead(home.url);
    const other = readAll(client.search({ prompt: 'How high is the tower?' }));
    letWrite();
    const frames = await reading;
    expectLawful(frames);
    expect(stateAfter(frames).terminal).toMatchObject({ type: 'search.completed' });
    expectLawful(await other);
    await closing;
  });
});

function ignore(): undefined {}
