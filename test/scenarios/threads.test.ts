/** Threads: conversations that an account keeps, finds again, and shares by a link. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  NewThreadShare,
  PageContents,
  SearchRecord,
  SharedThread,
  TextResult,
  Thread,
  ThreadList,
} from '../../protocol/index.ts';
import { connect } from '../support/clients/ws-client.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
let app: TestApp;
let stranger: string;
beforeAll(async () => {
  app = await startTestApp();
  stranger = (await app.accounts.createKey({ name: 'stranger', plan: 'pro' })).plaintext;
});
afterAll(() => app[Symbol.asyncDispose]());

async function ask(request: object, key = app.key): Promise<string> {
  const response = await app.post('/v1/search', { prompt, ...request }, { 'x-api-key': key });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.headers.get('x-search-id')!;
}

const call = (method: string, path: string, body?: unknown, key = app.key) =>
  fetch(app.url + path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const read = async (id: string) => (await (await app.get(`/v1/threads/${id}`)).json()) as Thread;
const list = async (query = '', key = app.key) =>
  (await (await call('GET', `/v1/threads${query}`, undefined, key)).json()) as ThreadList;
const readShared = (token: string, path = '') =>
  fetch(`${app.url}/v1/shared${path}`, { headers: { 'x-share-token': token } });

describe('threads', () => {
  it('keeps a conversation with its follow-ups and the versions of a question, as they were asked', async () => {
    const first = await ask({ thread: true, effort: 'fast' });
    const second = await ask({ thread: first, previous_search_id: first, prompt: 'When was it built?' });
    const again = await ask({ thread: first, previous_search_id: first, prompt: 'When was it opened?' });
    const thread = await read(first);
    expect(thread).toMatchObject({ thread_id: first, title: prompt, pinned: false });
    const of = (search_id: string, asked: string, previous?: string) => ({
      search_id,
      created_at: expect.any(String),
      has_image: false,
      request: { prompt: asked, effort: search_id === first ? 'fast' : 'balanced' },
      ...(previous === undefined ? {} : { previous_search_id: previous }),
    });
    expect(thread.turns).toEqual([
      of(first, prompt),
      of(second, 'When was it built?', first),
      of(again, 'When was it opened?', first),
    ]);
    expect((await list()).items[0]).toMatchObject({ thread_id: first, turns: 3 });
  });

  it('keeps searches over a WebSocket as soon as they begin', async () => {
    const client = await connect(app.url, { 'x-api-key': app.key });
    const search_id = await client.start({ prompt, thread: true });
    expect((await read(search_id)).turns).toHaveLength(1);
    client.close();
  });

  it('keeps no search that does not ask for it, and no run of an API', async () => {
    const before = (await list()).items.length;
    await ask({});
    expect((await list()).items).toHaveLength(before);
  });

  it('refuses a thread of another account, and one that does not exist, and starts nothing', async () => {
    const mine = await ask({ thread: true });
    for (const [thread, key] of [
      [mine, stranger],
      ['s_none', app.key],
    ] as const) {
      const response = await app.post('/v1/search', { prompt, thread }, { 'x-api-key': key });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ loc: ['body', 'thread'] }] });
    }
    expect((await read(mine)).turns).toHaveLength(1);
    expect((await list('', stranger)).items).toEqual([]);
    expect((await call('GET', `/v1/threads/${mine}`, undefined, stranger)).status).toBe(404);
    expect((await call('DELETE', `/v1/threads/${mine}`, undefined, stranger)).status).toBe(404);
  });

  it('refuses a `thread` that is neither true nor an id', async () => {
    for (const thread of [false, 7, '', 'x'.repeat(65)]) {
      const response = await app.post('/v1/search', { prompt, thread });
      expect(response.status).toBe(422);
    }
  });

  it('renames, pins and finds threads', async () => {
    const id = await ask({ thread: true, prompt: 'What is the API key of the kettle for?' });
    const response = await call('PATCH', `/v1/threads/${id}`, { title: ' Kettle\n keys ', pinned: true });
    expect(await response.json()).toMatchObject({ title: 'Kettle keys', pinned: true });
    await ask({ thread: true });
    expect((await list()).items[0]).toMatchObject({ thread_id: id });
    expect((await list('?q=KETTLE%20api')).items.map(({ thread_id }) => thread_id)).toEqual([id]);
    for (const change of [{ title: '' }, { title: 'x'.repeat(121) }, { pinned: 'yes' }, { other: 1 }]) {
      expect((await call('PATCH', `/v1/threads/${id}`, change)).status).toBe(422);
    }
  });

  it('removes a thread with its searches', async () => {
    const first = await ask({ thread: true });
    const second = await ask({ thread: first, previous_search_id: first });
    const removed = await call('DELETE', `/v1/threads/${first}`);
    expect(await removed.json()).toEqual({ thread_id: first, deleted: true });
    for (const id of [first, second]) expect((await app.get(`/v1/search/${id}`)).status).toBe(404);
    expect((await app.get(`/v1/threads/${first}`)).status).toBe(404);
  });

  it('drops a removed search from its thread', async () => {
    const first = await ask({ thread: true });
    const second = await ask({ thread: first, previous_search_id: first });
    await call('DELETE', `/v1/search/${first}/record`);
    expect((await read(first)).turns.map(({ search_id }) => search_id)).toEqual([second]);
  });
});

describe('a share link', () => {
  const share = async (id: string, body?: object) => {
    const response = await call('POST', `/v1/threads/${id}/share`, body);
    expect(response.status).toBe(201);
    return (await response.json()) as NewThreadShare;
  };

  it('shows the thread as it was, and the pages that it cites, without a key', async () => {
    const id = await ask({ thread: true });
    const { token, url, expires_at, created_at } = await share(id, { days: 2 });
    expect(url).toBe(`${app.url}/shared#${token}`);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(2 * 86_400_000);
    await ask({ thread: id, previous_search_id: id, prompt: 'Asked later, and not shared.' });
    const shared = (await (await readShared(token)).json()) as SharedThread;
    expect(shared).toMatchObject({ title: prompt, turns: [{ search_id: id, state: 'completed', prompt }] });
    for (const part of [shared.turns[0]!, shared.turns[0]!.result!]) {
      expect(part).not.toHaveProperty('usage');
      expect(part).not.toHaveProperty('timings');
    }
    const { answer, citations } = shared.turns[0]!.result as TextResult;
    expect(answer).toContain('[1]');
    const page = (await (await readShared(token, `/contents/${citations[0]!.snapshot}`)).json()) as PageContents;
    const { source_start, source_end, quote } = citations[0]!;
    expect(page.response.slice(source_start, source_end)).toBe(quote);
    expect((await read(id)).share).toEqual({ created_at, expires_at });
  });

  it('shows nothing of a document that was read and is not cited', async () => {
    const upload = async (name: string, text: string) => {
      const headers = { 'x-api-key': app.key, 'content-type': 'text/markdown' };
      const sent = await fetch(`${app.url}/v1/sources/files?name=${name}`, { method: 'POST', headers, body: text });
      const { source_id } = (await sent.json()) as { source_id: string };
      const state = async () => ((await (await app.get(`/v1/sources/${source_id}`)).json()) as { state: string }).state;
      await expect.poll(state).toBe('ready');
    };
    await upload('launch.md', '# Flumox launch\n\nThe Flumox product launch is on 3 March 2031.\n');
    const salary = 'Flumox product launch team salaries: Ada 91000, Bob 45000. Bob will be dismissed after the launch.';
    await upload('staff.md', `# Flumox staff file\n\n${salary}\n`);
    const asked = { prompt: 'When is the Flumox product launch?' };
    for (const request of [asked, { ...asked, output_format: { day: 'string' }, include: ['evidence'] }]) {
      const id = await ask({ ...request, thread: true });
      const record = (await (await app.get(`/v1/search/${id}`)).json()) as SearchRecord;
      const cited = new Set(record.citations!.map(({ snapshot }) => snapshot));
      const others = record.sources!.filter(({ snapshot }) => !cited.has(snapshot));
      expect(others.length).toBeGreaterThan(0);
      const { token } = await share(id);
      const shown = await (await readShared(token)).text();
      expect(shown).not.toContain('91000');
      const { turns } = JSON.parse(shown) as SharedThread;
      expect(new Set(turns[0]!.sources!.map(({ snapshot }) => snapshot))).toEqual(cited);
      for (const [pages, status] of [
        [[...cited], 200],
        [others.map(({ snapshot }) => snapshot), 404],
      ] as const) {
        for (const page of pages) expect((await readShared(token, `/contents/${page}`)).status).toBe(status);
      }
    }
  });

  it('shows the newest version of each question', async () => {
    const first = await ask({ thread: true });
    const second = { thread: first, previous_search_id: first };
    await ask({ ...second, prompt: 'When was it built?' });
    const newest = await ask({ ...second, prompt: 'When was it first lit?' });
    const { token } = await share(first);
    const { turns } = (await (await readShared(token)).json()) as SharedThread;
    expect(turns.map(({ search_id }) => search_id)).toEqual([first, newest]);
  });

  it('shows no page that the thread does not cite', async () => {
    const { token } = await share(await ask({ thread: true }));
    const other = await app.post('/v1/search', { prompt: 'What does the kettle API return?' });
    const known = new Set(
      ((await (await readShared(token)).json()) as SharedThread).turns[0]!.sources!.map((s) => s.snapshot),
    );
    const { sources } = (await (await app.get(`/v1/search/${other.headers.get('x-search-id')}`)).json()) as {
      sources: { snapshot: string }[];
    };
    const foreign = sources.find(({ snapshot }) => !known.has(snapshot));
    for (const snapshot of [foreign?.snapshot ?? 'none', 'none', '../keys']) {
      expect((await readShared(token, `/contents/${encodeURIComponent(snapshot)}`)).status).toBe(404);
    }
  });

  it('stops working when it is revoked or replaced, and when its thread is removed', async () => {
    const id = await ask({ thread: true });
    const first = await share(id);
    const second = await share(id);
    expect((await readShared(first.token)).status).toBe(404);
    expect((await readShared(second.token)).status).toBe(200);
    expect((await call('DELETE', `/v1/threads/${id}/share`, undefined, stranger)).status).toBe(404);
    expect((await call('DELETE', `/v1/threads/${id}/share`)).status).toBe(200);
    expect((await readShared(second.token)).status).toBe(404);
    const third = await share(id);
    await call('DELETE', `/v1/threads/${id}`);
    expect((await readShared(third.token)).status).toBe(404);
  });

  it('stops working when one of its searches is removed, and when its account is suspended', async () => {
    const id = await ask({ thread: true });
    const again = await ask({ thread: id, previous_search_id: id });
    const { token } = await share(id);
    await call('DELETE', `/v1/search/${again}/record`);
    expect((await readShared(token)).status).toBe(404);
    const { account, plaintext } = await app.accounts.createKey({ name: 'suspect', plan: 'pro' });
    const own = await ask({ thread: true }, plaintext);
    const made = (await (
      await call('POST', `/v1/threads/${own}/share`, undefined, plaintext)
    ).json()) as NewThreadShare;
    expect((await readShared(made.token)).status).toBe(200);
    await app.accounts.setStatus(account.id, 'suspended');
    expect((await readShared(made.token)).status).toBe(404);
  });

  it('is not guessed: anything else is a 404, and many tries are a 429', async () => {
    for (const token of ['', 'x', 'x'.repeat(43), 'é'.repeat(43), `${'x'.repeat(43)}x`]) {
      const response = await readShared(encodeURIComponent(token));
      expect(response.status).toBe(404);
    }
    const tries = await Promise.all(Array.from({ length: 130 }, () => readShared('y'.repeat(43))));
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('the title of a thread', () => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModelServer();
    model.script = goodModel;
  });
  afterAll(() => model.close());

  it('is written by the model after the first answer', async () => {
    await using withModel = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url });
    model.script = (modelCall, count) =>
      modelCall.prompt.includes('Write a title')
        ? { text: 'Title: "Heron Point\'s designer."\nIt says so.' }
        : goodModel(modelCall, count);
    const started = await withModel.post('/v1/search', { prompt, thread: true });
    const id = started.headers.get('x-search-id')!;
    const title = async () => ((await (await withModel.get(`/v1/threads/${id}`)).json()) as Thread).title;
    await expect.poll(title).toBe("Heron Point's designer");
  });
});
