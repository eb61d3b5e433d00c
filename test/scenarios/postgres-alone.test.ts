/** One server on Postgres without Redis: nothing is missing there, also after it was killed. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchList } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

describe.skipIf(!hasPostgres)('one server on Postgres without Redis', () => {
  let postgres: TestPostgres;
  let model: ModelServer;
  let server: AppProcess;
  let env: Record<string, string>;
  let key: string;
  beforeAll(async () => {
    [postgres, model] = await Promise.all([openPostgresServer(), startModelServer()]);
    env = {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'citewire-alone-')),
      DATABASE_URL: await postgres.fresh(),
      MODEL: 'scripted',
      OPENAI_BASE_URL: model.url,
    };
    server = await startAppProcess(env, 1);
    key = server.keys[0]!;
  });
  afterAll(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    await model.close();
    await postgres.stop();
    await rm(env.DATA_DIR!, { recursive: true, force: true });
  });

  const send = (method: string, path: string, body?: object) =>
    fetch(server.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('answers a search in the background, and streams its events while it runs and once it has ended', async () => {
    const accepted = await send('POST', '/v1/search', { prompt, background: true });
    expect(accepted.status).toBe(202);
    const { search_id } = (await accepted.json()) as { search_id: string };
    for (let time = 0; time < 2; time += 1) {
      const response = await send('GET', `/v1/search/${search_id}/events`);
      expect(response.status).toBe(200);
      const events = await readEvents(response);
      expectLawful(events);
      expect(events.at(-1)?.type).toBe('search.completed');
    }
  });

  it('begins a search again after it was killed, and its events can be read from the start', async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    model.script = async (call, count) => {
      if (call.kind === 'write') await held;
      return goodModel(call, count);
    };
    const { search_id } = (await (await send('POST', '/v1/search', { prompt, background: true })).json()) as {
      search_id: string;
    };
    await expect.poll(() => model.calls.some(({ kind }) => kind === 'write')).toBe(true);
    server.child.kill('SIGKILL');
    await server.ended;
    server = await startAppProcess(env);
    const listed = (await (await send('GET', '/v1/search?state=running')).json()) as SearchList;
    expect(listed.items.map((item) => item.search_id)).toEqual([search_id]);
    const reading = send('GET', `/v1/search/${search_id}/events`);
    const socket = await connect(server.url, { 'x-api-key': key });
    socket.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    expect(await socket.next(({ ref }) => ref === 'r')).toMatchObject({ type: 'search.attached' });
    finish();
    const response = await reading;
    expect(response.status).toBe(200);
    const events = await readEvents(response);
    expectLawful(events);
    expect(events.map(({ type }) => type)).toContain('search.restarted');
    expect(events.at(-1)?.type).toBe('search.completed');
    expect((await socket.search(search_id)).at(-1)?.type).toBe('search.completed');
    socket.close();
    expect(server.log()).toBe('');
  });
});
