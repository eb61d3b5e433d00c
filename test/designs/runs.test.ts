/** Runs of designed and published APIs: searches in all but what they are asked with, over every transport alike. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyUsage, SearchEventOf, SearchFrame, SearchRecord, TextResult, Ticket } from '../../protocol/index.ts';
import { developmentAccount } from '../../src/access/accounts.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { createDesign, expectedAnswer, publish } from '../support/design.ts';
import { issuesIn, keyOf, request } from '../support/requests.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const origin = 'https://page.example';
const inputs = { building: 'Heron Point Lighthouse' };
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: origin });
  const { api_id } = await createDesign(app);
  await publish(app, api_id);
  await createDesign(app, { api_stub: 'draft-only' });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Of the account that owns the designs; a new one for each test, with its whole minute. */
let mine: Record<string, string>;
beforeEach(async () => {
  mine = { 'x-api-key': (await app.accounts.createKey({ name: 'test', account: developmentAccount })).plaintext };
});
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.post(path, body, { ...mine, ...headers });

const draft = '/v1/user-defined-service/who-designed';
const newest = '/v1/published-service/who-designed';
const pinned = '/v1/published-service/who-designed/v1';
const runs = {
  'its own draft': { path: draft, request: { api_stub: 'who-designed', version: 'draft' } },
  'the newest version': { path: newest, request: { api_stub: 'who-designed', version: 'newest' } },
  'a pinned version': { path: pinned, request: { api_stub: 'who-designed', version: 1 } },
} as const;

describe.each(Object.entries(runs))('a run of %s', (which, { path, request: named }) => {
  const isDraft = which === 'its own draft';

  it('answers a run in exactly the shape of the design', async () => {
    const response = await post(path, inputs);
    expect([response.status, await response.json()]).toEqual([200, expectedAnswer]);
    const record = await app.get(`/v1/search/${response.headers.get('x-search-id')}`);
    const { prompt, evidence, citations } = (await record.json()) as SearchRecord;
    expect(prompt).toBe('Who designed the Heron Point Lighthouse, and in which year was it first lit?');
    expect(evidence?.map((leaf) => leaf.path)).toEqual(['/designer', '/year']);
    expect(citations!.length).toBeGreaterThan(0);
  });

  it.each<[string, () => Promise<SearchFrame[]>]>([
    ['SSE', async () => readEvents(await post(path, inputs, { accept: 'text/event-stream' }))],
    [
      'WebSocket',
      async () => {
        const client = await connect(app.url, mine);
        const frames = await client.search(await client.start({ ...named, inputs }));
        client.close();
        return frames;
      },
    ],
  ])('follows every rule of a search over %s and names the API', async (_, ask) => {
    const frames = await ask();
    expectLawful(frames);
    const { api } = frames[0] as SearchEventOf<'search.accepted'>;
    expect(api).toEqual(isDraft ? { api_stub: 'who-designed' } : { api_stub: 'who-designed', version: 1 });
    expect(frames.at(-1)).toMatchObject({ type: 'search.completed', result: expectedAnswer });
  });

  it('requires a key to run an API', async () => {
    expect((await post(path, inputs, { 'x-api-key': 'cw_none' })).status).toBe(401);
  });

  it('charges one request per run, also when it is refused, and refuses when none is left', async () => {
    const headers = await keyOf(app, 'starter');
    if (isDraft) await createDesign(app, {}, headers);
    for (let i = 0; i < 9; i++) expect((await post(path, { building: 5 }, headers)).status).toBe(422);
    const last = await post(path, inputs, headers);
    expect([last.status, last.headers.get('ratelimit')]).toEqual([200, expect.stringContaining('r=0')]);
    const over = await post(path, inputs, headers);
    expect([over.status, Number(over.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const { days } = (await (await app.get('/v1/usage', headers)).json()) as KeyUsage;
    expect(days.at(-1)).toMatchObject({ calls: 10, refused: 1, searches: 1 });
  });

  it('returns the same run for an idempotency key free of charge, but not for other inputs', async () => {
    const headers = { ...(await keyOf(app)), 'idempotency-key': `key-of-${which.replaceAll(' ', '-')}` };
    if (isDraft) await createDesign(app, {}, headers);
    const first = await post(path, inputs, headers);
    const again = await post(path, inputs, headers);
    expect(again.headers.get('x-search-id')).toBe(first.headers.get('x-search-id'));
    expect(await again.json()).toEqual(await first.json());
    expect((await post(path, { building: 'Kettle' }, headers)).status).toBe(422);
    expect(await (await app.get('/v1/usage', headers)).json()).toMatchObject({ used: 1 });
  });

  it.each<[string, unknown, string, string]>([
    ['one is missing', {}, 'body.building', 'missing'],
    ['one is of another type', { building: 7 }, 'body.building', 'string_type'],
    ['one is empty', { building: '' }, 'body.building', 'string_too_short'],
    ['one is too long', { building: 'x'.repeat(101) }, 'body.building', 'string_too_long'],
    ['one is unknown', { ...inputs, town: 'x' }, 'body.town', 'extra_forbidden'],
    ['one is called __proto__', JSON.parse('{"building": "x", "__proto__": 1}'), 'body.__proto__', 'extra_forbidden'],
    ['there is a list', [], 'body', 'dict_type'],
    ['there is text', '"text"', 'body', 'dict_type'],
    ['there is half of them', '{"building": ', 'body', 'json_invalid'],
  ])('reports where the inputs of a run are wrong: %s', async (_, body, place, type) => {
    expect(await issuesIn(await post(path, body))).toEqual([[place, type]]);
    if (typeof body === 'string') return;
    const client = await connect(app.url, mine);
    client.send({ type: 'search.start', ref: 'r', request: { ...named, inputs: body } });
    const frame = (await client.next(({ ref }) => ref === 'r')) as unknown as {
      error: { issues: { loc: string[] }[] };
    };
    const loc = place.split('.').toSpliced(1, 0, 'inputs');
    expect(frame.error.issues[0]!.loc.join('.')).toBe(loc.join('.'));
    client.close();
  });

  it('accepts a run without a body only if no input is required', async () => {
    const response = await request(app, 'POST', path, undefined, mine);
    expect(await issuesIn(response)).toEqual([['body.building', 'missing']]);
    expect((await post(path, 'building=x', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('a run without inputs', () => {
  const plain = { api_stub: 'no-inputs', prompt: 'Who designed the Heron Point Lighthouse?', inputs: {}, examples: [] };

  it.each<[string, RequestInit]>([
    ['without a body', {}],
    ['with an empty one', { body: '', headers: { 'content-type': 'application/json' } }],
    ['with no inputs in it', { body: '{}', headers: { 'content-type': 'application/json' } }],
  ])('accepts a run without inputs %s', async (_, init) => {
    const key = await keyOf(app);
    await createDesign(app, { ...plain, output_format: undefined }, key);
    const headers = { ...key, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${app.url}/v1/user-defined-service/no-inputs`, { ...init, method: 'POST', headers });
    expect(response.status).toBe(200);
    const { status, answer, citations } = (await response.json()) as TextResult;
    expect([status, answer, citations.length > 0]).toEqual([
      'answered',
      expect.stringContaining('Ingrid Solvay'),
      true,
    ]);
  });

  it('uses the defaults of inputs that are not given', async () => {
    const key = await keyOf(app);
    const building = { type: 'string', default: 'Heron Point Lighthouse' };
    await createDesign(app, { inputs: { building } }, key);
    expect(await (await request(app, 'POST', draft, undefined, key)).json()).toEqual(expectedAnswer);
  });
});

describe('a path', () => {
  it.each([
    ['/v1/user-defined-service/no-such-api'],
    ['/v1/published-service/no-such-api'],
    ['/v1/published-service/no-such-api/v1'],
    ['/v1/published-service/draft-only'],
    ['/v1/published-service/draft-only/v1'],
    [`${newest}/v0`],
    [`${newest}/v-1`],
    [`${newest}/v2`],
    [`${newest}/v99999999999`],
    [`${newest}/v${'9'.repeat(400)}`],
  ])('answers 404 for a path to no API: %s', async (path) => {
    const response = await post(path, inputs);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: expect.any(String), error: { code: 'not_found' } });
  });

  it.each([
    ['/vx', 'path.version'],
    ['/v1.5', 'path.version'],
    ['/v', 'path.version'],
    ['/v1x', 'path.version'],
    ['/v%20', 'path.version'],
    ['/v+1', 'path.version'],
    ['/v1e3', 'path.version'],
  ])('answers 422 for a version that is not an integer: %s', async (end, place) => {
    expect(await issuesIn(await post(newest + end, inputs))).toEqual([[place, 'int_parsing']]);
  });

  it.each(['Who', 'a%20b', 'a--b', '-', '__proto__', 'a%2Fb', '%00', 'x'.repeat(65)])(
    'answers 422 for an invalid stub in the path: %s',
    async (stub) => {
      for (const path of [
        `/v1/user-defined-service/${stub}`,
        `/v1/published-service/${stub}`,
        `/v1/published-service/${stub}/v1`,
      ]) {
        expect((await issuesIn(await post(path, inputs)))[0]![0]).toBe('path.api_stub');
      }
    },
  );
});

describe('search.start', () => {
  const started = async (asked: object, headers: Record<string, string> = mine) => {
    const client = await connect(app.url, headers);
    client.send({ type: 'search.start', ref: 'r', request: asked });
    const first = await client.next(({ ref }) => ref === 'r');
    const frames = first.search_id === undefined ? [] : await client.search(first.search_id);
    client.close();
    return { first, api: (frames[0] as SearchEventOf<'search.accepted'> | undefined)?.api };
  };

  it("runs the account's draft over search.start if there is one, else the newest version", async () => {
    const named = { api_stub: 'who-designed', inputs };
    expect((await started(named)).api).toEqual({ api_stub: 'who-designed' });
    expect((await started(named, await keyOf(app))).api).toEqual({ api_stub: 'who-designed', version: 1 });
  });

  it.each([
    [{ api_stub: 'no-such-api' }, 'not_found'],
    [{ api_stub: 'who-designed', version: 0, inputs }, 'not_found'],
    [{ api_stub: 'who-designed', version: -1, inputs }, 'not_found'],
    [{ api_stub: 'who-designed', version: 2 ** 40, inputs }, 'not_found'],
    [{ api_stub: 'draft-only', version: 'newest', inputs }, 'not_found'],
    [{ api_stub: 'who-designed', version: 1.5, inputs }, 'validation_error'],
    [{ api_stub: 'who-designed', version: 'latest', inputs }, 'validation_error'],
    [{ api_stub: 'Who', inputs }, 'validation_error'],
    [{ api_stub: 'who-designed', prompt: 'mine', inputs }, 'validation_error'],
  ])('refuses search.start with %j by an error frame: %s', async (asked, code) => {
    expect((await started(asked)).first).toMatchObject({ type: 'error', error: { code } });
  });
});

describe('a ticket that is locked to an API', () => {
  it('runs only the API that a ticket is locked to', async () => {
    const bought = await post('/v1/ws/tickets', { locked: { api_stub: 'who-designed', version: 1 } });
    const { ticket } = (await bought.json()) as Ticket;
    const client = await connect(app.url, { origin }, ['citewire.v1', `ticket.${ticket}`]);
    const refused = [{ prompt: 'Anything?' }, { prompt: 'Anything?', inputs }, { inputs, source_whitelist: ['a.org'] }];
    for (const [at, asked] of refused.entries()) {
      client.send({ type: 'search.start', ref: `r${at}`, request: asked });
      expect(await client.next(({ ref }) => ref === `r${at}`)).toMatchObject({ error: { code: 'validation_error' } });
    }
    const frames = await client.search(await client.start({ api_stub: 'other', version: 'draft', inputs }));
    expect(frames[0]).toMatchObject({ api: { api_stub: 'who-designed', version: 1 } });
    client.close();
  });

  it('refuses to run an API with a ticket that locks fields of a search', async () => {
    const bought = await post('/v1/ws/tickets', { locked: { source_whitelist: ['example.org'] } });
    const { ticket } = (await bought.json()) as Ticket;
    const client = await connect(app.url, { origin }, ['citewire.v1', `ticket.${ticket}`]);
    client.send({ type: 'search.start', ref: 'r', request: { api_stub: 'who-designed', version: 1, inputs } });
    expect(await client.next(({ ref }) => ref === 'r')).toMatchObject({
      error: { code: 'validation_error', issues: [{ loc: ['body', 'source_whitelist'], type: 'extra_forbidden' }] },
    });
    client.close();
  });
});
