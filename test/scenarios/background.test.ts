/** Searches in the background: nobody waits for them, and they outlive the process that began them. */

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SearchFrame, type SearchList, SearchRecord } from '../../protocol/index.ts';
import { openStore } from '../../src/store/store.ts';
import { expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { issuesIn } from '../support/requests.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
let model: ModelServer;
/** Lets the model go on writing. */
let finish: () => void;

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());
beforeEach(() => {
  model.script = goodModel;
  model.calls.length = 0;
});

/** The model waits in its first answer, and in others while `finish` was not called. */
function holdWriting(): void {
  let finished = false;
  let wake = () => {};
  const over = new Promise<void>((resolve) => {
    wake = resolve;
  });
  finish = () => {
    finished = true;
    wake();
  };
  model.script = async (call, count) => {
    if (call.kind === 'write' && !finished) await over;
    return goodModel(call, count);
  };
}

const settings = () => ({ MODEL: 'scripted', OPENAI_BASE_URL: model.url });

describe('a search in the background', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(settings());
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => holdWriting());
  afterEach(() => finish());

  const read = async (search_id: string) => {
    const response = await app.get(`/v1/search/${search_id}`);
    return { status: response.status, record: SearchRecord.parse(await response.json()) };
  };
  const begin = async (path: string, body: object, headers = {}) => {
    const response = await app.post(path, body, headers);
    expect(response.status).toBe(202);
    const record = SearchRecord.parse(await response.json());
    expect(record).toMatchObject({ state: 'running', attempt: 1 });
    expect(response.headers.get('x-search-id')).toBe(record.search_id);
    return record.search_id;
  };
  const running = async () => {
    const { items } = (await (await app.get('/v1/search?state=running')).json()) as SearchList;
    return items;
  };

  it('answers 202 with the id, is listed while it runs, and has its result afterwards', async () => {
    const search_id = await begin('/v1/search', { prompt, background: true });
    expect(await running()).toMatchObject([{ search_id, state: 'running', prompt, attempt: 1 }]);
    expect((await read(search_id)).status).toBe(202);
    finish();
    await expect.poll(async () => (await read(search_id)).record.state).toBe('completed');
    expect((await read(search_id)).record).toMatchObject({ attempt: 1, status: 'answered' });
    await expect.poll(running).toEqual([]);
    expectLawful(await readEvents(await app.get(`/v1/search/${search_id}/events`)));
  });

  it('is the run of an API, with what it is asked in its query', async () => {
    const stub = `background-${Date.now()}`;
    const design = { name: 'B', api_stub: stub, prompt, inputs: {} };
    await app.post('/v1/design-api', design);
    const search_id = await begin(`/v1/user-defined-service/${stub}?background=true`, {});
    finish();
    await expect.poll(async () => (await read(search_id)).record.state).toBe('completed');
    expect((await app.post(`/v1/user-defined-service/${stub}?background=perhaps`, {})).status).toBe(422);
    const misspelt = await app.post(`/v1/user-defined-service/${stub}?backgroud=true`, {});
    expect(await issuesIn(misspelt)).toEqual([['query.backgroud', 'extra_forbidden']]);
  });

  it('goes on when the connection that started it is gone', async () => {
    const socket = await connect(app.url, { 'x-api-key': app.key });
    const search_id = await socket.start({ prompt, background: true }, { on_disconnect: 'cancel' });
    socket.close();
    await socket.closed;
    finish();
    await expect.poll(async () => (await read(search_id)).record.state).toBe('completed');
  });

  it('is cancelled, and removed', async () => {
    const cancelled = await begin('/v1/search', { prompt, background: true });
    const path = (id: string) => `${app.url}/v1/search/${id}`;
    const call = { method: 'DELETE', headers: { 'x-api-key': app.key } };
    expect((await fetch(path(cancelled), call)).status).toBe(202);
    await expect.poll(async () => (await read(cancelled)).record.state).toBe('cancelled');
    const removed = await begin('/v1/search', { prompt, background: true });
    expect((await fetch(`${path(removed)}/record`, call)).status).toBe(200);
    expect((await app.get(`/v1/search/${removed}`)).status).toBe(404);
    expect(await running()).toEqual([]);
  });

  it('leaves nothing where its thread refuses it', async () => {
    const headers = { 'idempotency-key': `refused-${Date.now()}` };
    for (let time = 0; time < 2; time += 1) {
      const refused = await app.post('/v1/search', { prompt, background: true, thread: 's_unknown' }, headers);
      expect(refused.status).toBe(422);
      expect(await running()).toEqual([]);
    }
  });

  it('is one for a repeated request', async () => {
    const headers = { 'idempotency-key': `one-${Date.now()}` };
    const request = { prompt, background: true };
    const search_id = await begin('/v1/search', request, headers);
    expect(await begin('/v1/search', request, headers)).toBe(search_id);
    finish();
    await expect.poll(async () => (await read(search_id)).record.state).toBe('completed');
    const again = await app.post('/v1/search', request, headers);
    expect([again.status, again.headers.get('x-search-id')]).toEqual([200, search_id]);
  });
});

describe('a search in the background whose process ends', () => {
  let dataDir: string;
  let key: string;
  let server: AppProcess;
  const env = () => ({ DATA_DIR: dataDir, ...settings() });
  const get = (path: string) => fetch(server.url + path, { headers: { 'x-api-key': key } });
  const record = async (search_id: string) => SearchRecord.parse(await (await get(`/v1/search/${search_id}`)).json());
  const post = (body: object, headers = {}) =>
    fetch(`${server.url}/v1/search`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'citewire-'));
    server = await startAppProcess(env(), 1);
    key = server.keys[0]!;
    holdWriting();
  });
  afterEach(async () => {
    finish();
    server.child.kill('SIGKILL');
    await server.ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function restart(signal: NodeJS.Signals): Promise<void> {
    server.child.kill(signal);
    await server.ended;
    server = await startAppProcess(env());
  }
  const begun = (count: number) =>
    expect.poll(() => model.calls.filter(({ kind }) => kind === 'write').length).toBe(count);

  it.each(['SIGKILL', 'SIGTERM'] as const)('is begun again under its id after %s, and ends once', async (signal) => {
    const headers = { 'idempotency-key': 'k' };
    const { search_id } = SearchRecord.parse(await (await post({ prompt, background: true }, headers)).json());
    await begun(1);
    const before = await readSome(search_id, 3);
    await restart(signal);
    await begun(2);
    expect(await record(search_id)).toMatchObject({ state: 'running', attempt: 2, prompt });
    const repeated = await post({ prompt, background: true }, headers);
    expect([repeated.status, repeated.headers.get('x-search-id')]).toEqual([202, search_id]);
    // A reader that comes back has what it needs to begin anew, and nothing else.
    const rest = readEvents(await get(`/v1/search/${search_id}/events?after=${before.at(-1)!.seq}`));
    const whole = readEvents(await get(`/v1/search/${search_id}/events`));
    finish();
    expectLawful(await whole);
    expect((await whole).map(({ type }) => type).slice(0, 2)).toEqual(['search.accepted', 'search.restarted']);
    expect((await rest)[0]).toMatchObject({ type: 'search.restarted', attempt: 2, first_seq: before.at(-1)!.seq + 1 });
    expect(stateAfter([...before, ...(await rest)])).toEqual(stateAfter(await whole));
    await expect.poll(() => record(search_id)).toMatchObject({ state: 'completed', attempt: 2 });
    const { items } = (await (await get('/v1/search')).json()) as SearchList;
    expect(items.filter((item) => item.search_id === search_id)).toHaveLength(1);
    expect(model.calls.filter(({ kind }) => kind === 'write')).toHaveLength(2);
  });

  it('is lost with its second process', async () => {
    const { search_id } = SearchRecord.parse(await (await post({ prompt, background: true })).json());
    await begun(1);
    await restart('SIGKILL');
    await begun(2);
    await restart('SIGKILL');
    await expect.poll(() => record(search_id)).toMatchObject({ state: 'failed', error: { code: 'lost' } });
    expect(model.calls.filter(({ kind }) => kind === 'write')).toHaveLength(2);
  });

  it('ends as cancelled where that was asked before', async () => {
    const { search_id } = SearchRecord.parse(await (await post({ prompt, background: true })).json());
    await begun(1);
    server.child.kill('SIGKILL');
    await server.ended;
    const store = await openStore({ dataDir });
    const accounts = await store.access.accounts();
    const cancelled = await Promise.all(accounts.map(({ id }) => store.background.cancel(id, search_id)));
    expect(cancelled).toContain(true);
    await store.close();
    server = await startAppProcess(env());
    await expect.poll(() => record(search_id)).toMatchObject({ state: 'cancelled', attempt: 2 });
    expect(model.calls.filter(({ kind }) => kind === 'write')).toHaveLength(1);
  });

  /** The first frames of its events. */
  async function readSome(search_id: string, count: number): Promise<SearchFrame[]> {
    const reader = await connect(server.url, { 'x-api-key': key });
    reader.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    const frames: SearchFrame[] = [];
    while (frames.length < count) frames.push((await reader.next((frame) => 'seq' in frame)) as SearchFrame);
    reader.close();
    return frames;
  }
});
