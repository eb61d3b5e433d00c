/**
 * Two servers on one Redis, each its own process: whatever happens to one of them, a reader of its search at the other loses
 * nothing, or is notified that the search was lost.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchFrame, SearchList, SearchRecord, TextResult } from '../../protocol/index.ts';
import { createAccounts } from '../../src/access/accounts.ts';
import { plans } from '../../src/access/plans.ts';
import { createRevocations } from '../../src/access/revocations.ts';
import type { Client } from '../../src/client/client.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { quickClient, readAll } from '../support/clients/client-search.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { openWire, TestChat } from '../support/clients/use-chat.ts';
import { connect, type WsClient } from '../support/clients/ws-client.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
/** Long enough to be cut many times, and slow. */
const answer = Array.from({ length: 40 }, (_, at) => `Sentence ${at} says what the page says, 😀 and more.`).join(' ');

describe.skipIf(!hasRedis)('two servers on one Redis', () => {
  let redis: TestRedis;
  let model: ModelServer;
  let dataDir: string;
  let home: AppProcess;
  let away: AppProcess;
  let store: Store;
  let key: string;
  let line: ChaosProxy;
  let others: AppProcess[];
  let clients: Client[];

  const env = () => ({
    DATA_DIR: dataDir,
    REDIS_URL: redis.url,
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'k',
  });
  beforeAll(async () => {
    redis = await startRedis();
    model = await startModelServer();
    dataDir = await mkdtemp(join(tmpdir(), 'citewire-'));
    home = await startAppProcess(env());
    away = await startAppProcess(env());
    store = await openStore({ dataDir });
  });
  afterAll(async () => {
    for (const { child } of [home, away]) child.kill('SIGKILL');
    await Promise.all([home.ended, away.ended]);
    await store.close();
    await model.close();
    await redis.stop();
    await rm(dataDir, { recursive: true });
  });
  beforeEach(async () => {
    others = [];
    clients = [];
    // A key of its own for each test, for each has its own minute.
    const accounts = createAccounts({ records: store.access, revocations: createRevocations() });
    key = (await accounts.createKey({ name: 'test', account: 'acc_development' })).plaintext;
    model.script = (call, count) =>
      call.kind === 'write' ? { text: `STATUS: answered\n\n${answer}`, ms: 3 } : goodModel(call, count);
    line = await startChaosProxy(home.url);
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await line.close();
    for (const { child } of others) child.kill('SIGKILL');
    await Promise.all(others.map(({ ended }) => ended));
  });

  async function startOther(): Promise<AppProcess> {
    const started = await startAppProcess(env());
    others.push(started);
    return started;
  }

  function newClient(baseUrl = line.url): Client {
    const client = quickClient({ baseUrl, apiKey: key, maxRetries: 50 });
    clients.push(client);
    return client;
  }

  const get = (at: AppProcess, path: string) => fetch(at.url + path, { headers: { 'x-api-key': key } });
  const ask = (at: AppProcess, headers: Record<string, string> = {}) =>
    fetch(`${at.url}/v1/search`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(question),
    });
  const terminals = (frames: readonly SearchFrame[]) => frames.filter(({ type }) => /completed|failed|led$/.test(type));

  /** Reads it, from the start, at the other server, where it has come to its answer. */
  async function readAway(search_id: string): Promise<WsClient> {
    const reader = await connect(away.url, { 'x-api-key': key });
    reader.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    expect(await reader.next(({ ref }) => ref === 'r')).toMatchObject({ type: 'search.attached' });
    await reader.next(({ type }) => type === 'answer.delta');
    return reader;
  }

  /** The model says this much and then nothing more. */
  function stall(): void {
    model.script = (call, count) =>
      call.kind === 'write' ? { stallAfter: `STATUS: answered\n\n${answer.slice(0, 300)}` } : goodModel(call, count);
  }

  it.each(['running', 'ended'] as const)('removes a search at either server, whichever ran it: %s', async (state) => {
    const remove = (at: AppProcess, search_id: string) =>
      fetch(`${at.url}/v1/search/${search_id}/record`, { method: 'DELETE', headers: { 'x-api-key': key } });
    for (const at of [home, away]) {
      if (state === 'running') stall();
      const headers = { 'idempotency-key': `removed-${state}-${at === home}`, accept: 'text/event-stream' };
      const response = await ask(home, headers);
      const search_id = response.headers.get('x-search-id')!;
      if (state === 'ended') await response.text();
      const reader = await readAway(search_id);
      expect((await get(away, `/v1/search/${search_id}`)).status).toBe(state === 'running' ? 202 : 200);
      const removed = await remove(at, search_id);
      expect([removed.status, await removed.json()]).toEqual([200, { search_id, deleted: true }]);
      for (const each of [home, away]) expect((await get(each, `/v1/search/${search_id}`)).status).toBe(404);
      expect((await remove(at, search_id)).status).toBe(404);
      if (state === 'running') {
        expect(await response.text()).toContain('event: search.cancelled');
        await reader.next(({ type }) => type === 'search.cancelled');
      }
      reader.close();
      model.script = goodModel;
      const again = await ask(away, headers);
      expect(again.status).toBe(200);
      expect(again.headers.get('x-search-id')).not.toBe(search_id);
      await again.text();
    }
  });

  it.each(['websocket', 'sse'] as const)(
    'serves one search alternately over %s without losing anything',
    async (transport) => {
      const search = newClient().search(question, { transport });
      const frames: SearchFrame[] = [];
      let turns = 0;
      for await (const frame of search) {
        frames.push(frame);
        if (frame.seq < 10 + 40 * turns) continue;
        turns += 1;
        line.lead(turns % 2 === 0 ? home.url : away.url);
        line.cutAll();
      }
      expect(turns).toBeGreaterThan(4);
      expectLawful(frames);
      expect(new Set(frames.map(({ search_id }) => search_id)).size).toBe(1);
      for (const server of [home, away]) {
        const log = await readEvents(await get(server, `/v1/search/${search.search_id}/events`));
        expectLawful(log);
        expect(stateAfter(log)).toEqual(stateAfter(frames));
      }
    },
  );

  it('serves running and ended searches of the other server, and follow-ups to them', async () => {
    const search = newClient().search(question);
    await expect.poll(() => search.search_id).toBeDefined();
    const id = search.search_id!;
    const path = `/v1/search/${id}`;
    expect((await get(away, path)).status).toBe(202);
    const stranger = await fetch(away.url + path, { headers: { 'x-api-key': 'cw_nobody' } });
    expect(stranger.status).toBe(401);
    const second = await readEvents(await get(away, `${path}/events`));
    expectLawful(second);
    await search.result;
    expect(await (await get(away, path)).json()).toMatchObject({ state: 'completed', prompt: question.prompt });
    const listed = async () => ((await (await get(away, '/v1/search')).json()) as SearchList).items;
    await expect.poll(async () => (await listed()).map(({ search_id }) => search_id)).toContain(id);
    const next = newClient(away.url).search({ prompt: 'And when was it lit?', previous_search_id: id });
    await next.result;
    expect(model.calls.some(({ prompt }) => prompt.includes(question.prompt) && prompt.includes('lit?'))).toBe(true);
  });

  it('resumes a chat at the other server, and stops it there', async () => {
    const begun = new TestChat('shared', openWire(home.url, key).transport);
    const asked = begun.sendMessage({ text: question.prompt });
    await expect.poll(() => begun.text()).not.toBe('');
    const resumed = new TestChat('shared', openWire(away.url, key).transport, [begun.messages[0]!]);
    await Promise.all([resumed.resumeStream(), asked]);
    expect([resumed.status, resumed.messages]).toEqual(['ready', begun.messages]);

    stall();
    const stopped = begun.sendMessage({ text: 'And when was it lit?' });
    await expect.poll(() => begun.text()).not.toBe('');
    const headers = { 'x-api-key': key };
    const stop = await fetch(`${away.url}/v1/ai/chat/shared/stop`, { method: 'POST', headers });
    expect(stop.status).toBe(202);
    await stopped;
    expect(begun.status).toBe('ready');
    expect(await (await get(away, `/v1/search/${begun.lastMessage!.id}`)).json()).toMatchObject({ state: 'cancelled' });
  });

  it('starts one search for a request that both servers get with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'both-simultaneously' };
    const answers = await Promise.all([home, away, home, away].map((server) => ask(server, headers)));
    const results = await Promise.all(answers.map(async (each) => (await each.json()) as TextResult));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(results.map(({ search_id }) => search_id)).size).toBe(1);
  });

  it.each(['a frame', 'DELETE'])('cancels searches of the other server, by %s', async (how) => {
    stall();
    const reader = await connect(home.url, { 'x-api-key': key });
    const search_id = await reader.start(question);
    await reader.next(({ type }) => type === 'answer.delta');
    if (how === 'DELETE') {
      const headers = { 'x-api-key': key };
      const response = await fetch(`${away.url}/v1/search/${search_id}`, { method: 'DELETE', headers });
      expect([response.status, await response.json()]).toEqual([202, { search_id, state: 'running' }]);
    } else {
      const other = await connect(away.url, { 'x-api-key': key });
      other.send({ type: 'search.cancel', ref: 'c', search_id });
      other.send({ type: 'search.cancel', ref: 'none', search_id: 's_AAAAAAAAAAAAAAAAAAAAAA' });
      expect(await other.next(({ ref }) => ref === 'none')).toMatchObject({ error: { code: 'not_found' } });
      other.close();
    }
    const frames = await reader.search(search_id);
    expectLawful(frames);
    expect(frames.at(-1)).toMatchObject({ type: 'search.cancelled', by: 'client' });
    reader.close();
  });

  it('reports a search as lost when its process was killed, and let a client search again elsewhere', async () => {
    model.script = (call, count) => {
      if (call.kind !== 'write') return goodModel(call, count);
      const text = `STATUS: answered\n\n${answer}`;
      return call.prompt.includes(question.prompt) ? { stallAfter: text.slice(0, 300) } : { text, ms: 3 };
    };
    const doomed = await startOther();
    const begun = await connect(doomed.url, { 'x-api-key': key });
    const search_id = await begun.start(question);
    const reader = await readAway(search_id);
    line.lead(doomed.url);
    const search = newClient().search({ prompt: 'How high is the Heron Point Lighthouse?' });
    const got: SearchFrame[] = [];
    for await (const frame of search) {
      got.push(frame);
      if (got.length !== 20) continue;
      doomed.child.kill('SIGKILL');
      line.lead(away.url);
    }

    const frames = await reader.search(search_id);
    expectLawful(frames);
    expect(frames.at(-1)).toMatchObject({ type: 'search.failed', error: { code: 'lost', retryable: true } });
    expect(frames.at(-1)).toMatchObject({ partial: { answer: expect.stringContaining('Sentence 0') } });
    for (const server of [home, away]) {
      const log = await readEvents(await get(server, `/v1/search/${search_id}/events`));
      expect(stateAfter(log)).toEqual(stateAfter(frames));
      const record = (await (await get(server, `/v1/search/${search_id}`)).json()) as SearchRecord;
      expect(record).toMatchObject({ state: 'failed', error: { code: 'lost' } });
    }
    reader.close();

    const [first, second, ...rest] = [...new Set(got.map((frame) => frame.search_id))];
    expect(rest).toEqual([]);
    expect(second).not.toBe(first);
    expectLawful(got.filter((frame) => frame.search_id === second));
    expect(await search.result).toMatchObject({ search_id: second, answer: expect.stringContaining('Sentence 39') });
  });

  it('records a search as lost when its process was killed, even if nobody reads it', async () => {
    stall();
    const doomed = await startOther();
    const caller = await connect(doomed.url, { 'x-api-key': key });
    const search_id = await caller.start(question);
    await caller.next(({ type }) => type === 'answer.delta');
    doomed.child.kill('SIGKILL');
    const record = () => store.runs.get('acc_development', search_id);
    await expect.poll(record, { interval: 500 }).toMatchObject({
      state: 'failed',
      terminal: { type: 'search.failed', error: { code: 'lost' } },
    });
  });

  it('counts a search that was lost with its process no longer once it has ended', async () => {
    stall();
    const doomed = await startOther();
    const begun: string[] = [];
    while (begun.length < plans.pro.searches_per_key) {
      const caller = await connect(doomed.url, { 'x-api-key': key });
      for (let n = 0; n < plans.pro.searches_per_connection; n += 1) begun.push(await caller.start(question));
    }
    expect((await ask(away)).status).toBe(429);
    const reader = await readAway(begun[0]!);
    doomed.child.kill('SIGKILL');
    expect((await reader.search(begun[0]!)).at(-1)).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
    model.script = goodModel;
    expect((await ask(away)).status).toBe(200);
    reader.close();
  });

  it('lets a client continue reading at another server while its own drains', async () => {
    const old = await startOther();
    line.lead(old.url);
    const search = newClient().search(question);
    const frames: SearchFrame[] = [];
    for await (const frame of search) {
      frames.push(frame);
      if (frames.length !== 20) continue;
      old.child.kill('SIGTERM');
      line.lead(away.url);
      line.cutAll();
    }
    expectLawful(frames);
    expect(frames.at(-1)!.type).toBe('search.completed');
    expect(new Set(frames.map(({ search_id }) => search_id)).size).toBe(1);
    expect(await old.ended).toEqual({ code: 0, signal: null });
  });

  it('shuts down without waiting for a search of another server whose caller has left', async () => {
    stall();
    const begun = await connect(home.url, { 'x-api-key': key });
    await begun.start(question, { idempotency_key: 'left' });
    const other = await startOther();
    const caller = new AbortController();
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'left' };
    const init = { method: 'POST', headers, body: JSON.stringify(question), signal: caller.signal };
    const answer = fetch(`${other.url}/v1/search`, init).catch(() => 'left');
    await sleep(1_000);
    caller.abort();
    expect(await answer).toBe('left');
    other.child.kill('SIGTERM');
    expect(await other.ended).toEqual({ code: 0, signal: null });
    begun.close();
  }, 20_000);

  it('waits for a process that was stopped for three seconds', async () => {
    const begun = await connect(home.url, { 'x-api-key': key });
    const search_id = await begun.start(question);
    const reader = await readAway(search_id);
    home.child.kill('SIGSTOP');
    await sleep(3_000);
    home.child.kill('SIGCONT');
    const [there, here] = [await reader.search(search_id), await begun.search(search_id)];
    for (const frames of [there, here]) expectLawful(frames);
    expect(there.at(-1)!.type).toBe('search.completed');
    expect(stateAfter(there)).toEqual(stateAfter(here));
    begun.close();
    reader.close();
  });

  it('ends a search exactly once when its process was stopped for too long and comes back', async () => {
    const begun = await connect(home.url, { 'x-api-key': key });
    const search_id = await begun.start(question);
    const reader = await readAway(search_id);
    home.child.kill('SIGSTOP');
    const there = await reader.search(search_id);
    expect(there.at(-1)).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
    home.child.kill('SIGCONT');
    const here = await begun.search(search_id);
    expectDense(here, 0);
    expect(terminals(here)).toMatchObject([{ type: 'search.failed', error: { code: 'lost' } }]);
    const look = new Redis(redis.url);
    const kept = await look.xrange(`citewire:run:${search_id}:log`, '-', '+');
    look.disconnect();
    const types = kept.map(([, [, frame]]) => (JSON.parse(frame!) as SearchFrame).type);
    expect(types.filter((type) => type === 'search.failed' || type === 'search.completed')).toEqual(['search.failed']);
    expect(types.at(-1)).toBe('search.failed');
    begun.close();
    reader.close();
  });

  it('logs no error in any test of two servers', async () => {
    expect(await readAll(newClient(away.url).search(question))).not.toEqual([]);
    expect([home.log(), away.log()]).toEqual(['', '']);
  });
});
