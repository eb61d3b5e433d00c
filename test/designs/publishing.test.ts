/** Publishing: what it takes, what it freezes, and that nothing that happens later changes a version. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DesignVersions, noUsage, type VersionPublished } from '../../protocol/index.ts';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import type { Version } from '../../src/designs/design-records.ts';
import { createDesigns } from '../../src/designs/designs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createDesign, expectedAnswer, publish, whoDesigned } from '../support/design.ts';
import { issuesIn, keyOf, request, rethrow } from '../support/requests.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const inputs = { building: 'Heron Point Lighthouse' };
const folder = temporaryFolder();
let app: TestApp;
/** The app's own, opened beside it. */
let store: Store;
beforeAll(async () => {
  app = await startTestApp();
  store = await openStore({ dataDir: app.dataDir });
});
afterAll(async () => {
  await store.close();
  await app[Symbol.asyncDispose]();
});

/** A new account for each test, and a stub that no other test has published. */
let mine: Record<string, string>;
let stub: string;
let tests = 0;
beforeEach(async () => {
  mine = await keyOf(app);
  stub = `stub-${++tests}`;
});
const design = (change: Record<string, unknown> = {}) => createDesign(app, { api_stub: stub, ...change }, mine);
const change = (api_id: string, fields: object) => request(app, 'PATCH', `/v1/design-api/${api_id}`, fields, mine);
const tryToPublish = (api_id: string, headers = mine) =>
  request(app, 'POST', `/v1/design-api/${api_id}/publish`, undefined, headers);
const run = async (end = '', body: unknown = inputs) => {
  const response = await app.post(`/v1/published-service/${stub}${end}`, body, await keyOf(app));
  return [response.status, await response.json()];
};
const versionsOf = async (api_id: string) =>
  ((await (await app.get(`/v1/design-api/${api_id}/versions?limit=100`, mine)).json()) as DesignVersions).items;

describe('publishing', () => {
  it('returns the next number, a hash and the results of the examples', async () => {
    const { api_id } = await design();
    const first = await publish(app, api_id, mine);
    expect(first).toMatchObject({ api_stub: stub, version: 1, examples: [{ inputs, status: 'answered' }] });
    expect(first.content_hash).toMatch(/^[0-9a-f]{64}$/);
    const example = await app.get(`/v1/search/${first.examples[0]!.search_id}`, mine);
    expect(await example.json()).toMatchObject({ state: 'completed', result: expectedAnswer });
    const second = await publish(app, api_id, mine);
    expect(second).toMatchObject({ version: 2, content_hash: first.content_hash });
    expect(await (await app.get(`/v1/design-api/${api_id}`, mine)).json()).toMatchObject({ published_version: 2 });
  });

  it.each<[string, object[], number]>([
    ['one unit for one example', [{ inputs }], 1],
    ['one unit where there is none', [], 1],
    ['a unit for each of several', [{ inputs }, { inputs }, { inputs }, { inputs }, { inputs }], 5],
  ])('charges %s for publishing', async (_, examples, cost) => {
    const { api_id } = await design({ examples });
    const published = await publish(app, api_id, mine);
    expect(published.examples.map((each) => each.inputs)).toEqual(examples.map(() => inputs));
    expect(await (await app.get('/v1/usage', mine)).json()).toMatchObject({ used: cost });
  });

  it('publishes nothing when the rate limit is reached before all examples have run', async () => {
    const starter = await keyOf(app, 'starter');
    const examples = Array(4).fill({ inputs });
    const { api_id } = await createDesign(app, { api_stub: stub, examples }, starter);
    for (let i = 0; i < 8; i++) await app.post('/v1/contents', {}, starter);
    const response = await tryToPublish(api_id, starter);
    expect([response.status, response.headers.has('retry-after')]).toEqual([429, true]);
    expect((await run())[0]).toBe(404);
  });

  it('refuses to publish with every invalid example, before any is run', async () => {
    const { api_id } = await design({
      examples: [{ inputs }, { inputs: {} }, { inputs: { building: 5, town: 'x' } }],
    });
    expect(await issuesIn(await tryToPublish(api_id))).toEqual([
      ['body.examples.1.inputs.building', 'missing'],
      ['body.examples.2.inputs.building', 'string_type'],
      ['body.examples.2.inputs.town', 'extra_forbidden'],
    ]);
    expect((await run())[0]).toBe(404);
    expect(await versionsOf(api_id)).toEqual([]);
    expect(await (await app.get('/v1/search', mine)).json()).toEqual({ items: [] });
  });

  it('refuses to publish under a stub of another account', async () => {
    const { api_id } = await design();
    const other = await keyOf(app);
    const theirs = await createDesign(app, { api_stub: stub }, other);
    await publish(app, theirs.api_id, other);
    expect(await issuesIn(await tryToPublish(api_id))).toEqual([['body.api_stub', 'value_error']]);
    await change(api_id, { api_stub: `${stub}-mine` });
    expect(await publish(app, api_id, mine)).toMatchObject({ api_stub: `${stub}-mine`, version: 1 });
  });

  it('runs no example for a stub of a suspended account', async () => {
    const { id } = await app.accounts.createAccount({ name: 'suspended', plan: 'pro' });
    const designs = createDesigns(store.designs, rethrow);
    const fields = { name: 'n', api_stub: stub, prompt: 'What?' };
    const theirs = await designs.create(id, fields);
    await designs.publish(id, theirs.api_id, () => Promise.reject(new Error('There are none.')));
    await app.accounts.setStatus(id, 'suspended');
    const { api_id } = await design();
    expect(await issuesIn(await tryToPublish(api_id))).toEqual([['body.api_stub', 'value_error']]);
    expect(await (await app.get('/v1/search', mine)).json()).toEqual({ items: [] });
  });

  it('publishes under a bounded number of stubs, and further versions of these', async () => {
    const { id } = await app.accounts.createAccount({ name: 'busy', plan: 'pro' });
    let count = 999;
    const designs = createDesigns({ ...store.designs, countStubs: async () => count }, rethrow);
    const create = async (api_stub: string) =>
      (await designs.create(id, { name: 'n', api_stub, prompt: 'What?' })).api_id;
    const [first, second] = [await create('bounded-one'), await create('bounded-two')];
    const noExamples = () => Promise.reject(new Error('There are none.'));
    await designs.publish(id, first, noExamples);
    count = 1_000;
    await expect(designs.publish(id, second, noExamples)).rejects.toThrow('expected at most 1000 published APIs');
    expect(await designs.publish(id, first, noExamples)).toMatchObject({ version: 2 });
  });

  it('gives concurrent publications distinct numbers without gaps', async () => {
    const { api_id } = await design({ examples: [] });
    const published: VersionPublished[] = [];
    await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        await change(api_id, { name: `name ${i}` });
        published.push(await publish(app, api_id, mine));
      }),
    );
    const numbers = published.map(({ version }) => version).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
    const kept = await versionsOf(api_id);
    for (const { version, content_hash } of published) {
      expect(kept.find((each) => each.version === version)).toMatchObject({ content_hash });
    }
  });

  it('does not publish a draft that is deleted while its examples run', async () => {
    const { api_id } = await design();
    const designs = createDesigns(store.designs, rethrow);
    const { account_id } = await accountOf(mine);
    const publishing = designs.publish(account_id, api_id, async () => {
      await request(app, 'DELETE', `/v1/design-api/${api_id}`, undefined, mine);
      return { search_id: 's', terminal: completed(expectedAnswer) };
    });
    await expect(publishing).rejects.toMatchObject({ code: 'not_found' });
    expect((await run())[0]).toBe(404);
  });

  it.each<[string, unknown]>([
    ['a field is missing', { designer: 'x' }],
    ['a field is of another type', { designer: 'x', year: '1887' }],
    ['there is a field more', { ...expectedAnswer, town: 'x' }],
    ['there is a list', [expectedAnswer]],
  ])('refuses to publish when an example does not have the shape: %s', async (_, result) => {
    const { api_id } = await design();
    const designs = createDesigns(store.designs, rethrow);
    const { account_id } = await accountOf(mine);
    const publishing = designs.publish(account_id, api_id, async () => ({
      search_id: 's',
      terminal: completed(result),
    }));
    await expect(publishing).rejects.toMatchObject({
      details: { issues: [{ loc: ['body', 'examples', 0], type: 'example_failed' }] },
    });
  });
});

describe('publishing with a model', () => {
  it('refuses to publish when the run of an example fails, and says why', async () => {
    const model: ModelServer = await startModelServer(goodModel);
    await using slow = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url });
    const { api_id } = await createDesign(slow, { max: { seconds: 0.001 }, examples: [{ inputs }, { inputs }] });
    const response = await request(slow, 'POST', `/v1/design-api/${api_id}/publish`);
    const body = (await response.json()) as { detail: { loc: unknown; msg: string }[] };
    expect(response.status, JSON.stringify(body)).toBe(422);
    expect(body.detail.map(({ loc }) => loc)).toEqual([
      ['body', 'examples', 0],
      ['body', 'examples', 1],
    ]);
    expect(body.detail[0]!.msg).toContain('deadline_exceeded');
    await model.close();
  });
});

describe('a version', () => {
  it('keeps a version as it was published, whatever happens to its draft and stub', async () => {
    const { api_id } = await design();
    const first = await publish(app, api_id, mine);
    await change(api_id, { output_format: { engineer: 'string' }, name: 'Later' });
    await publish(app, api_id, mine);
    expect(await run('/v1')).toEqual([200, expectedAnswer]);
    expect(await run('/v2')).toEqual([200, { engineer: expectedAnswer.designer }]);
    expect(await run()).toEqual([200, { engineer: expectedAnswer.designer }]);

    await change(api_id, { api_stub: `${stub}-renamed` });
    expect(await publish(app, api_id, mine)).toMatchObject({ api_stub: `${stub}-renamed`, version: 1 });
    expect(await run()).toEqual([200, { engineer: expectedAnswer.designer }]);

    expect((await request(app, 'DELETE', `/v1/design-api/${api_id}`, undefined, mine)).status).toBe(200);
    expect(await run('/v1')).toEqual([200, expectedAnswer]);
    expect(await run()).toEqual([200, { engineer: expectedAnswer.designer }]);
    const kept = await versionsOf(api_id);
    expect(kept.map(({ api_stub, version }) => `${api_stub}/${version}`)).toEqual([
      `${stub}-renamed/1`,
      `${stub}/2`,
      `${stub}/1`,
    ]);
    expect(kept.at(-1)).toMatchObject({ content_hash: first.content_hash, design: { ...whoDesigned, api_stub: stub } });
  });

  it("continues a stub's versions from a new draft of the same account only", async () => {
    const { api_id } = await design();
    await publish(app, api_id, mine);
    await request(app, 'DELETE', `/v1/design-api/${api_id}`, undefined, mine);
    const again = await design();
    expect(await publish(app, again.api_id, mine)).toMatchObject({ version: 2 });
  });

  it('keeps versions across a restart of the server', async () => {
    const dataDir = `${folder}/restart`;
    const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    const start = () => startApp(config, createLog(config.logLevel));
    const first = await start();
    const headers = { 'x-api-key': first.developmentKey!.plaintext, 'content-type': 'application/json' };
    const post = (url: string, path: string, body: unknown) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const made = (await (await post(first.url, '/v1/design-api', { ...whoDesigned, examples: [] })).json()) as {
      api_id: string;
    };
    await post(first.url, `/v1/design-api/${made.api_id}/publish`, {});
    await first.close(0);
    const second = await start();
    const response = await post(second.url, '/v1/published-service/who-designed/v1', inputs);
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([200, ['designer', 'year']]);
    await second.close(0);
  });

  it('neither runs nor shows a version whose content is not what was published', async () => {
    const { api_id } = await design();
    await publish(app, api_id, mine);
    const { designs } = store;
    const forge = (version: Version) => ({
      ...version,
      content: version.content.replace('Who designed the', 'Who robbed the'),
    });
    const faults: unknown[] = [];
    const forged = createDesigns(
      {
        ...designs,
        version: async (...which) => {
          const version = await designs.version(...which);
          return version && forge(version);
        },
        versionsOf: async (...asked) => {
          const { items, ...more } = await designs.versionsOf(...asked);
          return { items: items.map(forge), ...more };
        },
      },
      (error) => faults.push(String(error)),
    );
    const named = { api_stub: stub, version: 1 };
    await expect(forged.buildRun('any', named, inputs, ['body'])).rejects.toThrow('not what was published');
    await expect(forged.published(stub, 1)).rejects.toThrow('not what was published');
    const { account_id } = await accountOf(mine);
    expect((await forged.versionsOf(account_id, api_id, { cursor: undefined, limit: 100 })).items).toEqual([]);
    expect(faults).toEqual([expect.stringContaining(`${stub}/v1 is not what was published`)]);
  });
});

async function accountOf(headers: Record<string, string>): Promise<{ account_id: string }> {
  const keys = await app.accounts.listKeys();
  const id = headers['x-api-key']!.slice(3, 11);
  return keys.find((key) => key.id === id)!;
}

function completed(result: unknown) {
  const timings = { total_ms: 1, stages: {} };
  const rest = { sources: [], citations: [], usage: noUsage, timings };
  return { type: 'search.completed', status: 'answered', result, ...rest } as const as never;
}
