/** Versions that are retired: no longer offered, but not changed; and versions that become the draft again. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DesignRecord, DesignVersions, PublishedApi, PublishedList } from '../../protocol/index.ts';
import { createClient } from '../../src/client/client.ts';
import { createDesign, publish, whoDesigned } from '../support/design.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { issuesIn, keyOf, request } from '../support/requests.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let owner: Record<string, string>;
let other: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  owner = await keyOf(app, 'pro');
  other = await keyOf(app, 'pro');
});
afterAll(() => app[Symbol.asyncDispose]());

/** With a version for each of the shapes. */
async function publishShapes(api_stub: string, ...shapes: object[]): Promise<string> {
  const { api_id } = await createDesign(app, { api_stub, examples: [] }, owner);
  for (const output_format of shapes) {
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, { output_format }, owner);
    await publish(app, api_id, owner);
  }
  return api_id;
}

const retire = async (stub: string, version: number | string, body: unknown = { retired: true }, key = owner) => {
  const response = await request(app, 'PATCH', `/v1/published-service/${stub}/v${version}`, body, key);
  await expectDocumented('PATCH /v1/published-service/{api_stub}/v{version}', response.clone());
  return response;
};
const described = async (stub: string) => {
  const response = await app.get(`/v1/published-service/${stub}`, other);
  return (await expectDocumented('GET /v1/published-service/{api_stub}', response)) as PublishedApi;
};
const browsed = async (stub: string) => {
  const { items } = (await (await app.get(`/v1/published-service?q=${stub}`, other)).json()) as PublishedList;
  return items.map(({ version }) => version);
};
const answer = (path: string) =>
  app.post(`/v1/published-service/${path}`, { building: 'Heron Point Lighthouse' }, other);
const keysOf = async (path: string) => Object.keys((await (await answer(path)).json()) as object);

describe('a retired version', () => {
  it('runs by its number only, is browsed no more, and can be offered again', async () => {
    const api_id = await publishShapes('retired', { designer: 'string' }, { year: 'number' });
    const listing = (await (await retire('retired', 2)).json()) as { retired_at: string };
    expect(listing).toEqual({ api_stub: 'retired', version: 2, retired_at: expect.any(String) });
    expect(await (await retire('retired', 2)).json()).toEqual(listing);

    expect([await keysOf('retired/v2'), await keysOf('retired')]).toEqual([['year'], ['designer']]);
    expect(await browsed('retired')).toEqual([1]);
    const api = await described('retired');
    expect(api).toMatchObject({ version: 1, output_format: { designer: 'string' } });
    expect(api).not.toHaveProperty('retired_at');
    expect(api.samples.curl).toContain('/retired/v1');
    expect(api.versions.map(({ version, retired_at }) => [version, retired_at])).toEqual([
      [2, listing.retired_at],
      [1, undefined],
    ]);
    const own = await app.get(`/v1/design-api/${api_id}/versions`, owner);
    const { items } = (await expectDocumented('GET /v1/design-api/{api_id}/versions', own)) as DesignVersions;
    expect(items.map(({ retired_at }) => retired_at)).toEqual([listing.retired_at, undefined]);

    expect(await (await retire('retired', 2, { retired: false })).json()).toEqual({ api_stub: 'retired', version: 2 });
    expect([await browsed('retired'), await keysOf('retired')]).toEqual([[2], ['year']]);
  });

  it('is described, but does not run without its number, where every version is retired', async () => {
    const api_id = await publishShapes('all-retired', { designer: 'string' });
    await request(app, 'DELETE', `/v1/design-api/${api_id}`, undefined, owner);
    expect((await retire('all-retired', 1)).status).toBe(200);
    expect(await browsed('all-retired')).toEqual([]);
    expect(await described('all-retired')).toMatchObject({ version: 1, retired_at: expect.any(String) });
    const { openapi } = await described('all-retired');
    expect([openapi, (await app.get(openapi)).status]).toEqual([
      '/v1/published-service/all-retired/openapi.json?version=1',
      200,
    ]);
    const refused = await answer('all-retired');
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { detail: expect.stringContaining('is retired') },
    ]);
    expect(await keysOf('all-retired/v1')).toEqual(['designer']);
  });

  it('is refused for what the account has not published, and for another body', async () => {
    await publishShapes('not-yours', { designer: 'string' });
    expect((await retire('not-yours', 1, { retired: true }, other)).status).toBe(404);
    for (const version of [0, 2, 2 ** 31]) expect((await retire('not-yours', version)).status).toBe(404);
    expect((await retire('not-yours', 'x')).status).toBe(422);
    expect(await issuesIn(await retire('not-yours', 1, { retired: 'yes' }))).toEqual([['body.retired', 'bool_type']]);
    expect(await browsed('not-yours')).toEqual([1]);
  });

  it('is retired and offered by the client', async () => {
    await publishShapes('by-client', { designer: 'string' }, { year: 'number' });
    const client = createClient({ baseUrl: app.url, apiKey: owner['x-api-key']! });
    onTestFinished(() => client.close());
    expect(await client.published.retire('by-client', 2)).toHaveProperty('retired_at');
    expect((await client.published.get('by-client')).version).toBe(1);
    expect(await client.published.retire('by-client', 2, { retired: false })).not.toHaveProperty('retired_at');
    await expect(client.published.retire('by-client', 3)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('restoring a version', () => {
  const restore = async (api_id: string, body: unknown, key = owner) => {
    const response = await request(app, 'POST', `/v1/design-api/${api_id}/restore`, body, key);
    await expectDocumented('POST /v1/design-api/{api_id}/restore', response.clone());
    return response;
  };

  it('replaces all of the draft but its stub, also with a version of an earlier stub', async () => {
    const before = { ...whoDesigned, api_stub: 'restored', description: 'The first.', effort: 'deep' };
    const { api_id } = await createDesign(app, { ...before, examples: [] }, owner);
    await publish(app, api_id, owner);
    const change = { api_stub: 'renamed', description: null, source_whitelist: ['example.com'], effort: 'fast' };
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, change, owner);
    expect((await restore(api_id, { version: 1 })).status).toBe(404);
    const response = await restore(api_id, { version: 1, api_stub: 'restored' });
    const draft = (await response.json()) as DesignRecord;
    expect(draft).toMatchObject({ ...before, examples: [], api_stub: 'renamed' });
    expect(draft).not.toHaveProperty('source_whitelist');
    expect(await (await app.get(`/v1/design-api/${api_id}`, owner)).json()).toEqual(draft);
  });

  it('is refused for versions and drafts of other accounts, and for another body', async () => {
    const api_id = await publishShapes('mine-alone', { designer: 'string' });
    const theirs = await createDesign(app, { api_stub: 'theirs', examples: [] }, other);
    expect((await restore(theirs.api_id, { version: 1, api_stub: 'mine-alone' }, other)).status).toBe(404);
    expect((await restore(api_id, { version: 1 }, other)).status).toBe(404);
    expect((await restore(api_id, { version: 2 })).status).toBe(404);
    expect((await restore(api_id, { version: 0 })).status).toBe(422);
    const client = createClient({ baseUrl: app.url, apiKey: owner['x-api-key']! });
    onTestFinished(() => client.close());
    expect(await client.designs.restore(api_id, { version: 1 })).toMatchObject({ api_stub: 'mine-alone' });
  });
});
