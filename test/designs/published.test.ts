/** Published APIs as those find them who look for one: browsed, described, and called as the description says. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DesignVersions, PublishedApi, PublishedList } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { createDesign, expectedAnswer, publish, whoDesigned } from '../support/design.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { hasCommand } from '../support/processes/has-command.ts';
import { issuesIn, keyOf, request } from '../support/requests.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const Database = loadSqlite();

const run = promisify(execFile);
const hasPython = await hasCommand('python3');
const root = fileURLToPath(new URL('../../', import.meta.url));
let app: TestApp;
let owner: Record<string, string>;
let caller: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  owner = await keyOf(app, 'pro', 'Varnholm Archive');
  caller = await keyOf(app);
});
afterAll(() => app[Symbol.asyncDispose]());

async function publishAs(api_stub: string, change: Record<string, unknown> = {}): Promise<string> {
  const { api_id } = await createDesign(app, { api_stub, ...change }, owner);
  await publish(app, api_id, owner);
  return api_id;
}

const described = async (stub: string, query = '') => {
  const response = await app.get(`/v1/published-service/${stub}${query}`, caller);
  expect(response.status).toBe(200);
  return (await expectDocumented('GET /v1/published-service/{api_stub}', response)) as PublishedApi;
};

describe('reading published APIs', () => {
  it('answers 429 once the reads of a minute are used up, and charges no calls for them', async () => {
    await publishAs('read-often', { examples: [] });
    const headers = await keyOf(app, 'starter');
    const { limit } = plans.starter.reads;
    const read = () => app.get('/v1/published-service/read-often', headers);
    for (let n = 0; n < limit; n += 1) expect((await read()).status).toBe(200);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectDocumented('GET /v1/published-service/{api_stub}', refused);
    expect((await app.get('/v1/published-service', headers)).status).toBe(429);
    expect(await (await app.get('/v1/usage', headers)).json()).toMatchObject({ used: 0 });
  });
});

describe('browsing', () => {
  const found = async (query: string) => {
    const response = await app.get(`/v1/published-service?${query}`, caller);
    const { items, cursor } = (await expectDocumented('GET /v1/published-service', response)) as PublishedList;
    return { stubs: items.map(({ api_stub }) => api_stub), items, cursor };
  };

  it('browses the newest versions of all accounts, most recently published first, in pages', async () => {
    for (const stub of ['browse-a', 'browse-b', 'browse-c']) await publishAs(stub, { examples: [] });
    const first = await found('q=browse&limit=2');
    expect(first.stubs).toEqual(['browse-c', 'browse-b']);
    expect(first.items[0]).toMatchObject({ version: 1, owner: 'Varnholm Archive', name: whoDesigned.name });
    const second = await found(`q=browse&limit=2&cursor=${first.cursor}`);
    expect([second.stubs, second.cursor]).toEqual([['browse-a'], undefined]);
  });

  it('finds APIs by all words, in stub, name and description, in any case', async () => {
    await publishAs('leuchttuerme', {
      name: 'Leuchttürme',
      description: 'Wer hat 100% davon entworfen?',
      examples: [],
    });
    for (const q of ['LEUCHTTÜRME', 'entworfen leucht', '100%', 'leuchttuerme']) {
      expect((await found(`q=${encodeURIComponent(q)}`)).stubs, q).toEqual(['leuchttuerme']);
    }
    for (const q of ['leuchttürme walfang', '%', 'a_b', '\u0000', '"; drop table api_versions; --']) {
      expect((await found(`q=${encodeURIComponent(`leucht ${q}`)}`)).stubs.length, q).toBe(
        q === '%' || q === '\u0000' ? 1 : 0,
      );
    }
  });

  it('refuses an invalid page to browse', async () => {
    expect(await issuesIn(await app.get('/v1/published-service?limit=0', caller))).toEqual([
      ['query.limit', 'greater_than_equal'],
    ]);
    expect(await issuesIn(await app.get(`/v1/published-service?q=${'x'.repeat(201)}`, caller))).toEqual([
      ['query.q', 'string_too_long'],
    ]);
  });
});

describe('the description of an API', () => {
  it('describes an API with its inputs, output, owner and the changes of each version', async () => {
    const api_id = await publishAs('described');
    const change = {
      description: null,
      prompt: 'Who designed the {{building}} in {{town}}?',
      inputs: { building: { type: 'string' }, town: { type: 'string', default: 'Varnholm' } },
      output_format: { designer: 'string', built: { year: 'number' } },
    };
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, change, owner);
    await publish(app, api_id, owner);
    await publish(app, api_id, owner);
    const api = await described('described');
    expect(api).toMatchObject({ api_stub: 'described', version: 3, name: whoDesigned.name, owner: 'Varnholm Archive' });
    expect(api.inputs).toEqual(change.inputs);
    expect(api.versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    const [third, second, first] = api.versions;
    expect([third!.changes, first!.changes]).toEqual([[], []]);
    expect(second!.changes).toEqual(
      [
        { path: '/description', change: 'removed' },
        { path: '/prompt', change: 'changed' },
        { path: '/inputs/building', change: 'changed' },
        { path: '/output_format/designer', change: 'unchanged' },
        { path: '/output_format/year', change: 'removed' },
        { path: '/inputs/town', change: 'added' },
        { path: '/output_format/built/year', change: 'added' },
      ].filter((each) => each.change !== 'unchanged'),
    );
    expect(first!.output_format).toEqual(whoDesigned.output_format);
    // The prompt is its author's own.
    expect(JSON.stringify(api)).not.toContain('Who designed the {{building}}');
  });

  it('lists the versions of an API in pages, each with its changes', async () => {
    const api_id = await publishAs('paged', { examples: [] });
    for (let i = 2; i <= 5; i++) {
      await request(app, 'PATCH', `/v1/design-api/${api_id}`, { name: `name ${i}` }, owner);
      await publish(app, api_id, owner);
    }
    const first = await described('paged', '?limit=3');
    const second = await described('paged', `?limit=3&cursor=${first.cursor}`);
    const all = [...first.versions, ...second.versions];
    expect(all.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    const named = [{ path: '/name', change: 'changed' }];
    expect(all.map(({ changes }) => changes)).toEqual([named, named, named, named, []]);
  });

  it('describes each version as it was published, even if its document was changed in the file', async () => {
    await using own = await startTestApp();
    const mine = await keyOf(own);
    const { api_id } = await createDesign(own, { api_stub: 'forged', examples: [] }, mine);
    await publish(own, api_id, mine);
    for (const name of ['second', 'third']) {
      await request(own, 'PATCH', `/v1/design-api/${api_id}`, { name }, mine);
      await publish(own, api_id, mine);
    }
    const shown = async () => (await own.get('/v1/published-service/forged', mine)).json();
    const before = (await shown()) as PublishedApi;
    forge(own, 2);
    expect(await shown()).toEqual(before);
    expect(before.versions.map(({ version, changes }) => [version, changes.length])).toEqual([
      [3, 1],
      [2, 1],
      [1, 0],
    ]);
    const document = (version: number) => own.get(`/v1/published-service/forged/openapi.json?version=${version}`, mine);
    expect([(await document(1)).status, (await document(2)).status]).toEqual([200, 500]);
    const ownVersions = await (await own.get(`/v1/design-api/${api_id}/versions`, mine)).json();
    expect((ownVersions as DesignVersions).items.map(({ version }) => version)).toEqual([3, 1]);
  });

  it.each(['no-such-api', 'only-a-draft'])('answers 404 where nothing was published: %s', async (stub) => {
    await app.post('/v1/design-api', { ...whoDesigned, api_stub: 'only-a-draft' }, owner);
    for (const path of [`/v1/published-service/${stub}`, `/v1/published-service/${stub}/openapi.json`]) {
      expect((await app.get(path, caller)).status).toBe(404);
    }
  });
});

describe('its OpenAPI document', () => {
  const documentOf = async (stub: string, query = '') =>
    (await (await app.get(`/v1/published-service/${stub}/openapi.json${query}`, caller)).json()) as never;

  it("returns a valid OpenAPI document that matches the API's inputs and answers", async () => {
    const inputs = {
      building: { type: 'string', min: 2, max: 100 },
      floors: { type: 'number', min: 1, max: 9, default: 3 },
      tone: { type: 'string', enum: ['dry', 'warm'], required: false },
      deep: { type: 'boolean', default: false },
    };
    const prompt = 'Who designed the {{building}}? {{floors}} {{tone}} {{deep}}';
    const api_id = await publishAs('with-document', { inputs, prompt });
    const document = await documentOf('with-document');
    const { valid, errors } = await new Validator().validate(document);
    expect([valid, errors]).toEqual([true, undefined]);
    const { paths, components } = document as { paths: object; components: { schemas: Record<string, object> } };
    expect(Object.keys(paths)).toEqual([
      '/v1/published-service/with-document',
      '/v1/published-service/with-document/v1',
    ]);
    const body = z.fromJSONSchema(components.schemas.Inputs as never);
    for (const [given, fits] of [
      [{ building: 'Heron Point Lighthouse' }, true],
      [{ building: 'x' }, false],
      [{ building: 'ab', floors: 10 }, false],
      [{ building: 'ab', tone: 'cold' }, false],
      [{ building: 'ab', town: 'x' }, false],
      [{}, false],
    ] as const) {
      expect(body.safeParse(given).success, JSON.stringify(given)).toBe(fits);
      const response = await app.post('/v1/published-service/with-document/v1', given, caller);
      expect(response.status).toBe(fits ? 200 : 422);
      if (fits)
        expect(z.fromJSONSchema(components.schemas.Answer as never).safeParse(await response.json()).success).toBe(
          true,
        );
    }
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, { output_format: null, examples: [] }, owner);
    await publish(app, api_id, owner);
    const later: { components: { schemas: Record<string, never> } } = await documentOf('with-document');
    expect((await new Validator().validate(later as never)).errors).toBeUndefined();
    const plain = await app.post('/v1/published-service/with-document', { building: 'Heron Point Lighthouse' }, caller);
    expect(z.fromJSONSchema(later.components.schemas.Answer!).safeParse(await plain.json()).error).toBeUndefined();
    expect(await documentOf('with-document', '?version=1')).toEqual(document);
    expect((await app.get('/v1/published-service/with-document/openapi.json?version=3', caller)).status).toBe(404);
  });
});

describe('its sample calls', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for a shell and a compiler it would be one.
  const hostile = 'Heron Point Lighthouse\'; echo $(id) `id` "$KEY" \\ ${x} */ </script>\u2028';

  it('returns sample calls that run in a shell and in TypeScript, whatever the author wrote', async () => {
    const api_id = await publishAs('sampled');
    const plain = await described('sampled');
    const withKey = (sample: string) => sample.replace('<API_KEY>', caller['x-api-key']!);
    const { stdout } = await run('sh', ['-c', withKey(plain.samples.curl)]);
    expect(JSON.parse(stdout)).toEqual(expectedAnswer);

    await request(app, 'PATCH', `/v1/design-api/${api_id}`, { examples: [{ inputs: { building: hostile } }] }, owner);
    await publish(app, api_id, owner);
    const { samples } = await described('sampled');
    const curled = await run('sh', ['-c', withKey(samples.curl).replace('curl -s', 'curl -s -i')]);
    const search_id = /x-search-id: (\S+)/i.exec(curled.stdout)![1];
    const { prompt } = (await (await app.get(`/v1/search/${search_id}`, caller)).json()) as { prompt: string };
    expect(prompt).toContain(hostile.replace('\u2028', ' '));

    const folder = await mkdtemp(join(tmpdir(), 'citewire-sample-'));
    const program = withKey(samples.typescript).replace(
      "'citewire/client'",
      JSON.stringify(join(root, 'src/client/client.ts')),
    );
    await writeFile(join(folder, 'sample.mts'), program);
    const printed = await run(process.execPath, ['--import', 'tsx', join(folder, 'sample.mts')], { cwd: root });
    expect(printed.stdout).toMatch(/^\{ designer: .*, year: .* \}\n$/);
    await rm(folder, { recursive: true });
  });

  it.skipIf(!hasPython)('returns a sample call that runs in Python, whatever the author wrote', async () => {
    await publishAs('sampled-python', { examples: [{ inputs: { building: hostile } }] });
    const { samples, versions } = await described('sampled-python');
    expect(versions[0]!.example).toEqual({ building: hostile });
    const { stdout } = await run('python3', ['-c', samples.python.replace('<API_KEY>', caller['x-api-key']!)]);
    expect(stdout).toMatch(/^\{'designer': .*, 'year': .*\}\n$/);
  });

  it('fills each required input of a sample call when there is no example', async () => {
    const inputs = {
      a: { type: 'string', min: 9 },
      b: { type: 'number', min: 5 },
      c: { type: 'number', max: -5 },
      d: { type: 'boolean' },
      e: { type: 'string', enum: ['dry', 'warm'] },
      f: { type: 'string', max: 2, required: false },
    };
    await publishAs('no-example', { inputs, prompt: '{{a}} {{b}} {{c}} {{d}} {{e}} {{f}}', examples: [] });
    const { samples } = await described('no-example');
    const body = /-d '(.*)'$/.exec(samples.curl)![1]!;
    expect((await app.post('/v1/published-service/no-example', body, caller)).status).toBe(200);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

/** As somebody with the file in their hands would: the database itself refuses. */
function forge({ dataDir }: TestApp, version: number): void {
  const db = new Database(join(dataDir, 'citewire.db'));
  for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as Named[]) {
    db.exec(`DROP TRIGGER ${name}`);
  }
  db.prepare("UPDATE api_versions SET content = replace(content, 'designed', 'robbed') WHERE version = ?").run(version);
  db.close();
}

interface Named {
  readonly name: string;
}
