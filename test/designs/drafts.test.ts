/** Drafts of designed APIs, as their authors meet them: made, read, listed, changed and deleted, each by their account alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesignList, type DesignRecord, designLimits, requestLimits } from '../../protocol/index.ts';
import { createDesign, whoDesigned } from '../support/design.ts';
import { issuesIn, keyOf, request } from '../support/requests.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const unknown = 'api_AAAAAAAAAAAAAAAAAAAAAA';
const listed = async (headers: Record<string, string>, query = '') =>
  (await (await app.get(`/v1/design-api${query}`, headers)).json()) as DesignList;

describe('a design', () => {
  it('stores a design as it was sent, with every default filled in', async () => {
    const headers = await keyOf(app);
    const made = await createDesign(app, {}, headers);
    const { api_id, created_at, updated_at, ...design } = made;
    expect(design).toEqual({ ...whoDesigned, effort: 'balanced' });
    expect(api_id).toMatch(/^api_[\w-]{22}$/);
    expect(updated_at).toBe(created_at);
    expect(await (await app.get(`/v1/design-api/${api_id}`, headers)).json()).toEqual(made);
  });

  it('requires a name, a stub and a prompt, and nothing else', async () => {
    const headers = await keyOf(app);
    const response = await app.post('/v1/design-api', { name: 'a', api_stub: 'a', prompt: 'What is there?' }, headers);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ inputs: {}, examples: [], effort: 'balanced' });
    expect(await issuesIn(await app.post('/v1/design-api', {}, headers))).toEqual([
      ['body.name', 'missing'],
      ['body.api_stub', 'missing'],
      ['body.prompt', 'missing'],
    ]);
  });

  it.each<[string, object, string, string]>([
    [
      'a name with a dash',
      { 'a-b': { type: 'string' } },
      'a-b',
      'expected a letter followed by letters, digits or "_", at most 64 characters in total; got "a-b"',
    ],
    ['a bound that is too high', { a: { type: 'string', max: 40_001 } }, 'a.max', 'expected at most 20000; got 40001'],
    ['a bound below zero', { a: { type: 'string', min: -3 } }, 'a.min', 'expected at least 0; got -3'],
    ['a bound that is not whole', { a: { type: 'string', min: 1.5 } }, 'a.min', 'expected a whole number; got 1.5'],
  ])('is refused with what is wrong with an input: %s', async (_, inputs, place, msg) => {
    const response = await app.post('/v1/design-api', { ...whoDesigned, inputs }, await keyOf(app));
    const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string }[] };
    expect(detail.find(({ loc }) => loc.join('.') === `body.inputs.${place}`)?.msg).toBe(msg);
  });

  const input = (fields: object) => ({ inputs: { building: fields } });
  it.each<[string, object, [string, string][]]>([
    ['an unknown field', { colour: 'red' }, [['body.colour', 'extra_forbidden']]],
    ['an empty name', { name: ' ' }, [['body.name', 'string_too_short']]],
    ['a long name', { name: 'x'.repeat(101) }, [['body.name', 'string_too_long']]],
    ['an empty description', { description: '' }, [['body.description', 'string_too_short']]],
    ['a stub in capitals', { api_stub: 'Who' }, [['body.api_stub', 'string_pattern_mismatch']]],
    ['a stub with a slash', { api_stub: 'a/b' }, [['body.api_stub', 'string_pattern_mismatch']]],
    ['a stub that ends in a dash', { api_stub: 'a-' }, [['body.api_stub', 'string_pattern_mismatch']]],
    ['an empty stub', { api_stub: '' }, [['body.api_stub', 'string_pattern_mismatch']]],
    ['a stub that is too long', { api_stub: 'a'.repeat(65) }, [['body.api_stub', 'string_too_long']]],
    ['an empty prompt', { prompt: ' ', inputs: {} }, [['body.prompt', 'string_too_short']]],
    [
      'a prompt that is too long',
      { prompt: `{{building}}${'x'.repeat(40_000)}` },
      [['body.prompt', 'string_too_long']],
    ],
    ['a name without an input', { prompt: '{{building}} {{town}}' }, [['body.prompt', 'value_error']]],
    ['an input that is never used', { prompt: 'Who?' }, [['body.inputs.building', 'value_error']]],
    ['braces that name nothing', { prompt: '{{building}} {{ }}' }, [['body.prompt', 'value_error']]],
    ['an input without a type', input({}), [['body.inputs.building.type', 'missing']]],
    ['an input of no type', input({ type: 'date' }), [['body.inputs.building.type', 'value_error']]],
    [
      'an input with an unknown field',
      input({ type: 'string', maxLength: 3 }),
      [['body.inputs.building.maxLength', 'extra_forbidden']],
    ],
    ['a bound of a boolean', input({ type: 'boolean', max: 3 }), [['body.inputs.building.max', 'extra_forbidden']]],
    [
      'a default of another type',
      input({ type: 'number', default: '3' }),
      [['body.inputs.building.default', 'float_type']],
    ],
    [
      'a default beside required',
      input({ type: 'number', default: 3, required: true }),
      [['body.inputs.building.default', 'value_error']],
    ],
    [
      'a default out of bounds',
      input({ type: 'string', default: 'abc', max: 2 }),
      [['body.inputs.building.default', 'value_error']],
    ],
    [
      'a default that is no choice',
      input({ type: 'string', default: 'c', enum: ['a', 'b'] }),
      [['body.inputs.building.default', 'value_error']],
    ],
    [
      'a choice out of bounds',
      input({ type: 'number', enum: [1, 9], max: 5 }),
      [['body.inputs.building.enum.1', 'value_error']],
    ],
    [
      'a blank choice',
      input({ type: 'string', enum: ['a', ' '] }),
      [['body.inputs.building.enum.1', 'string_too_short']],
    ],
    [
      'a blank default',
      input({ type: 'string', default: ' \n' }),
      [['body.inputs.building.default', 'string_too_short']],
    ],
    ['no choices', input({ type: 'number', enum: [] }), [['body.inputs.building.enum', 'too_short']]],
    ['min above max', input({ type: 'number', min: 2, max: 1 }), [['body.inputs.building.min', 'value_error']]],
    ['half a character', input({ type: 'string', max: 2.5 }), [['body.inputs.building.max', 'int_type']]],
    ['inputs as a list', { inputs: [] }, [['body.inputs', 'dict_type']]],
    ['a template that is none', { output_format: { a: 'text' } }, [['body.output_format.a', 'literal_error']]],
    ['both lists', { source_whitelist: ['a.org'], source_blacklist: ['b.org'] }, [['body', 'mutually_exclusive']]],
    ['an effort there is not', { effort: 'huge' }, [['body.effort', 'enum']]],
    ['too many examples', { examples: Array(6).fill({ inputs: {} }) }, [['body.examples', 'too_long']]],
    ['an example that is none', { examples: ['x'] }, [['body.examples.0', 'dict_type']]],
  ])('refuses an invalid design with the exact place: %s', async (_, change, places) => {
    expect(
      await issuesIn(await app.post('/v1/design-api', { ...whoDesigned, api_stub: 'refused', ...change })),
    ).toEqual(places);
  });

  it.each(['__proto__', '1st', 'a b', 'a-b', '', 'x'.repeat(65)])('refuses an input called %j', async (name) => {
    const body = `{"name": "a", "api_stub": "refused", "prompt": "What?", "inputs": {${JSON.stringify(name)}: {"type": "string"}}}`;
    const [first] = await issuesIn(await app.post('/v1/design-api', body));
    expect(first![0]).toBe(`body.inputs.${name}`);
  });

  it('allows inputs named like properties of every object', async () => {
    const headers = await keyOf(app);
    const inputs = { constructor: { type: 'string' }, toString: { type: 'number', default: 3 } };
    const made = await createDesign(app, { prompt: '{{constructor}} {{toString}}', inputs, examples: [] }, headers);
    expect(Object.keys(made.inputs)).toEqual(['constructor', 'toString']);
  });

  it('requires a stub that is unique within the account, not across accounts', async () => {
    const [one, two] = [await keyOf(app), await keyOf(app)];
    await createDesign(app, {}, one);
    expect(await issuesIn(await app.post('/v1/design-api', whoDesigned, one))).toEqual([
      ['body.api_stub', 'value_error'],
    ]);
    await createDesign(app, {}, two);
  });

  it('requires a JSON body', async () => {
    expect((await app.post('/v1/design-api', 'a=b', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await request(app, 'POST', '/v1/design-api')).status).toBe(415);
    expect((await app.post('/v1/design-api', '{"name": ')).status).toBe(422);
    expect((await app.post('/v1/design-api', 'x'.repeat(requestLimits.body_bytes + 1))).status).toBe(413);
  });

  it('charges nothing to create, change, read or delete a design', async () => {
    const headers = await keyOf(app, 'starter');
    for (let i = 0; i < 4; i++) {
      const { api_id } = await createDesign(app, { api_stub: `cheap-${i}` }, headers);
      await request(app, 'PATCH', `/v1/design-api/${api_id}`, { name: 'b' }, headers);
      await app.get(`/v1/design-api/${api_id}`, headers);
      expect((await request(app, 'DELETE', `/v1/design-api/${api_id}`, undefined, headers)).status).toBe(200);
    }
    expect(await (await app.get('/v1/usage', headers)).json()).toMatchObject({ used: 0 });
  });
});

describe('another account', () => {
  it('finds no design of another account, in any call', async () => {
    const { api_id } = await createDesign(app, {}, await keyOf(app));
    const stranger = await keyOf(app);
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', ''],
      ['POST', '/publish'],
      ['GET', '/versions'],
    ];
    for (const [method, path, body] of calls) {
      const theirs = await request(app, method, `/v1/design-api/${api_id}${path}`, body, stranger);
      const nobodys = await request(app, method, `/v1/design-api/${unknown}${path}`, body, stranger);
      expect([theirs.status, nobodys.status], `${method} ${path}`).toEqual([404, 404]);
      const said = ((await theirs.json()) as { detail: string }).detail;
      expect(((await nobodys.json()) as { detail: string }).detail).toBe(said.replace(api_id, unknown));
    }
    expect(await listed(stranger)).toEqual({ items: [] });
    const run = await request(app, 'POST', '/v1/user-defined-service/who-designed', { building: 'x' }, stranger);
    expect(run.status).toBe(404);
  });
});

describe('an api_id', () => {
  it.each([
    'x',
    'api_',
    'api_short',
    `${unknown}A`,
    '__proto__',
    's_AAAAAAAAAAAAAAAAAAAAAA',
    '%00',
    '%20',
    '%F0%9F%90%99',
  ])('answers 422 for an invalid api_id: %s', async (id) => {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/publish'],
      ['GET', '/versions'],
    ] as const) {
      const response = await request(app, method, `/v1/design-api/${id}${path}`, method === 'PATCH' ? {} : undefined);
      expect(await issuesIn(response), method).toEqual([['path.api_id', 'string_pattern_mismatch']]);
    }
  });
});

describe('the list', () => {
  it("lists the caller's own designs, newest first, in pages that neither repeat nor skip any", async () => {
    const headers = await keyOf(app);
    const names = Array.from({ length: 11 }, (_, i) => `n${i}`);
    for (const name of names) await createDesign(app, { name, api_stub: name }, headers);
    const seen: string[] = [];
    let query = '?limit=4';
    for (;;) {
      const { items, cursor } = await listed(headers, query);
      expect(items.length).toBeLessThanOrEqual(4);
      seen.push(...items.map(({ name }) => name));
      if (cursor === undefined) break;
      query = `?limit=4&cursor=${cursor}`;
    }
    expect(seen).toEqual(names.toReversed());
  });

  it.each([
    ['limit=0', 'query.limit', 'greater_than_equal'],
    ['limit=101', 'query.limit', 'less_than_equal'],
    ['cursor=', 'query.cursor', 'string_too_short'],
    ['page=2', 'query.page', 'extra_forbidden'],
  ])('refuses to list with ?%s', async (query, place, type) => {
    expect(await issuesIn(await app.get(`/v1/design-api?${query}`))).toEqual([[place, type]]);
  });

  it.each(['nonsense', 'WyJhIl0', '%00', 'W251bGwsbnVsbF0'])(
    'refuses a cursor that it did not give: %s',
    async (cursor) => {
      expect(await issuesIn(await app.get(`/v1/design-api?cursor=${cursor}`))).toEqual([
        ['query.cursor', 'value_error'],
      ]);
    },
  );
});

describe('a change', () => {
  it('replaces the fields of a change, and removes one with null', async () => {
    const headers = await keyOf(app);
    const made = await createDesign(app, {}, headers);
    const change = { name: 'New', description: null, output_format: { engineer: 'string' }, effort: 'fast' };
    const response = await request(app, 'PATCH', `/v1/design-api/${made.api_id}`, change, headers);
    const changed = (await response.json()) as DesignRecord;
    const { description: _, ...rest } = made;
    expect(changed).toEqual({
      ...rest,
      name: 'New',
      output_format: { engineer: 'string' },
      effort: 'fast',
      updated_at: changed.updated_at,
    });
    expect(changed.updated_at > made.updated_at).toBe(true);
    expect(await (await app.get(`/v1/design-api/${made.api_id}`, headers)).json()).toEqual(changed);
  });

  it('returns to the default of a field with null', async () => {
    const headers = await keyOf(app);
    const made = await createDesign(app, { effort: 'deep', examples: [{ inputs: { building: 'a' } }] }, headers);
    const path = `/v1/design-api/${made.api_id}`;
    const change = { prompt: 'Who designed it?', inputs: null, effort: null, examples: null };
    const response = await request(app, 'PATCH', path, change, headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ inputs: {}, effort: 'balanced', examples: [] });
    const stored = { ...change, inputs: {}, effort: 'balanced', examples: [] };
    expect(await (await app.get(path, headers)).json()).toMatchObject(stored);
  });

  it('keeps a changed design valid, or changes nothing', async () => {
    const headers = await keyOf(app);
    const made = await createDesign(app, {}, headers);
    const path = `/v1/design-api/${made.api_id}`;
    for (const [change, place] of [
      [{ prompt: 'Who designed {{tower}}?' }, 'body.prompt'],
      [{ inputs: {} }, 'body.prompt'],
      [{ inputs: null }, 'body.prompt'],
      [{ name: null }, 'body.name'],
      [{ prompt: null }, 'body.prompt'],
      [{ api_stub: null }, 'body.api_stub'],
      [{ api_id: unknown }, 'body.api_id'],
      [{ source_whitelist: ['a.org'], source_blacklist: ['b.org'] }, 'body'],
    ] as const) {
      expect((await issuesIn(await request(app, 'PATCH', path, change, headers)))[0]![0]).toBe(place);
    }
    expect(await (await app.get(path, headers)).json()).toEqual(made);
  });

  it('loses no change to a concurrent one', async () => {
    const headers = await keyOf(app);
    const { api_id } = await createDesign(app, {}, headers);
    const changes = [
      { name: 'a' },
      { effort: 'deep' },
      { description: 'b' },
      { max: { pages: 3 } },
      { source_whitelist: ['a.org'] },
    ];
    const responses = await Promise.all(
      changes.map((change) => request(app, 'PATCH', `/v1/design-api/${api_id}`, change, headers)),
    );
    expect(responses.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await (await app.get(`/v1/design-api/${api_id}`, headers)).json()).toMatchObject(
      Object.assign({}, ...changes),
    );
  });

  it('refuses a change to the stub of another design of the account', async () => {
    const headers = await keyOf(app);
    await createDesign(app, { api_stub: 'one' }, headers);
    const { api_id } = await createDesign(app, { api_stub: 'two' }, headers);
    const change = (api_stub: string) => request(app, 'PATCH', `/v1/design-api/${api_id}`, { api_stub }, headers);
    expect(await issuesIn(await change('one'))).toEqual([['body.api_stub', 'value_error']]);
    expect((await change('two')).status).toBe(200);
    expect((await change('three')).status).toBe(200);
  });
});

describe('a deleted design', () => {
  it('removes a deleted design from the list, from reads and from runs, and frees its stub', async () => {
    const headers = await keyOf(app);
    const { api_id } = await createDesign(app, {}, headers);
    const remove = () => request(app, 'DELETE', `/v1/design-api/${api_id}`, undefined, headers);
    const response = await remove();
    expect([response.status, await response.json()]).toEqual([200, { api_id, deleted: true }]);
    expect((await remove()).status).toBe(404);
    expect((await app.get(`/v1/design-api/${api_id}`, headers)).status).toBe(404);
    expect(await listed(headers)).toEqual({ items: [] });
    const run = await request(app, 'POST', '/v1/user-defined-service/who-designed', { building: 'x' }, headers);
    expect(run.status).toBe(404);
    await createDesign(app, {}, headers);
  });
});

describe('an account', () => {
  it(`limits an account to ${designLimits.per_account} designs`, async () => {
    const { account } = await app.accounts.createKey({ plan: 'pro', name: 'author' });
    // Each may make fewer in a minute.
    const keys = await Promise.all([1, 2].map((n) => app.accounts.createKey({ name: `${n}`, account: account.id })));
    const [headers, others] = keys.map(({ plaintext }) => ({ 'x-api-key': plaintext }));
    const made = Array.from({ length: designLimits.per_account }, (_, i) =>
      createDesign(app, { api_stub: `d${i}` }, i % 2 === 0 ? headers : others),
    );
    await Promise.all(made);
    expect(await issuesIn(await app.post('/v1/design-api', { ...whoDesigned, api_stub: 'more' }, headers))).toEqual([
      ['body', 'too_long'],
    ]);
  });
});
