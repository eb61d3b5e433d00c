/** Parallel's own client over both servers, and what it reads of searches that run, end, fail or do not exist. */
import Parallel, { APIError } from 'parallel-web';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ParallelError,
  ParallelExtractResponse,
  ParallelSearchResponse,
  ParallelTaskResult,
  ParallelTaskRun,
  type SearchList,
} from '../../../protocol/index.ts';
import { createDeferred } from '../../support/deferred.ts';
import { goodModel, type ModelServer, startModelServer } from '../../support/servers/model-server.ts';
import { type QuayApp, startQuayApp } from '../../support/servers/quay-app.ts';
import type { WebServer } from '../../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const question = 'Who designed the Heron Point Lighthouse?';
const clientOf = ({ url, key }: Pick<TestApp, 'url' | 'key'>) =>
  new Parallel({ apiKey: key, baseURL: `${url}/parallel`, maxRetries: 0 });
const failureOf = async (call: PromiseLike<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as APIError,
  );

let quay: QuayApp;
let app: TestApp;
let web: WebServer;
let client: Parallel;
beforeAll(async () => {
  quay = await startQuayApp();
  ({ app, web } = quay);
  client = clientOf(app);
});
afterAll(() => quay[Symbol.asyncDispose]());

const send = (path: string, body?: object) =>
  fetch(`${app.url}/parallel/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': app.key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
/** Exactly what is documented. */
const json = async <Body>(
  schema: { strict(): { parse(body: unknown): Body } },
  response: Promise<Response>,
  status = 200,
) => {
  const answer = await response;
  expect(answer.status).toBe(status);
  return schema.strict().parse(await answer.json());
};

describe("a task run of Parallel's client", () => {
  it('has a text whose markers are in the list of its sources, with the quotes as its basis', async () => {
    const metadata = { ticket: 7, urgent: true };
    const run = await client.taskRun.create({ input: question, processor: 'base', metadata });
    expect(run).toMatchObject({ processor: 'base', metadata, interaction_id: run.run_id });
    const { run: ended, output } = await client.taskRun.result(run.run_id);
    expect(ended).toMatchObject({ run_id: run.run_id, status: 'completed', is_active: false, metadata });
    expect(output.content).toMatch(/Ingrid Solvay[\s\S]*\[1\]\n\n\*\*Sources\*\*\n\n- \[1\] Heron Point Lighthouse/);
    expect(output).toMatchObject({ type: 'text', basis: [{ field: 'output', confidence: 'high' }] });
    const [page] = output.basis[0]!.citations!;
    expect(page!.title).toBe('Heron Point Lighthouse');
    expect(page!.excerpts!.join('\n')).toContain('Ingrid Solvay');
  });

  it('is about its input, with its task in words', async () => {
    const task_spec = { output_schema: 'Who designed it?' };
    const { run_id } = await client.taskRun.create({ input: 'Heron Point Lighthouse', processor: 'core', task_spec });
    const { output } = await client.taskRun.result(run_id);
    expect(output.content).toContain('Ingrid Solvay');
  });

  it('has the form of its schema, and the basis of each field', async () => {
    const properties = { designer: { type: 'string', description: 'Who designed it' }, colour: { type: 'string' } };
    const task_spec = {
      output_schema: { type: 'json', json_schema: { type: 'object', properties } },
    } as const;
    const input = { lighthouse_name: 'Heron Point Lighthouse' };
    const { run_id } = await client.taskRun.create({ input, processor: 'core', task_spec });
    const { output } = await client.taskRun.result(run_id);
    expect(output).toMatchObject({ type: 'json', content: { designer: 'Ingrid Solvay', colour: null } });
    expect(output.basis).toEqual([
      {
        field: 'designer',
        reasoning: expect.any(String),
        confidence: 'high',
        citations: [
          {
            url: expect.stringContaining('heron-lighthouse'),
            title: 'Heron Point Lighthouse',
            excerpts: ['Ingrid Solvay'],
          },
        ],
      },
      { field: 'colour', reasoning: expect.any(String), confidence: null, citations: [] },
    ]);
  });

  it('follows up on another one', async () => {
    const first = await client.taskRun.create({ input: question, processor: 'base' });
    await client.taskRun.result(first.run_id);
    const previous_interaction_id = first.interaction_id;
    const input = 'And how high is its tower?';
    const second = await client.taskRun.create({ input, processor: 'base', previous_interaction_id });
    const { output } = await client.taskRun.result(second.run_id);
    expect(output.content).toContain('46 metres');
  });

  it('is narrowed by domains and dates', async () => {
    const source_policy = { include_domains: ['example.org'] };
    const { run_id } = await client.taskRun.create({ input: question, processor: 'base', source_policy });
    const { output } = await client.taskRun.result(run_id);
    expect(output.basis).toEqual([
      { field: 'output', reasoning: 'No page that was read says it.', confidence: null, citations: [] },
    ]);
  });

  it('cites no page that is excluded beside those that are included', async () => {
    const basisWith = async (source_policy: Parallel.SourcePolicy) => {
      const { run_id } = await client.taskRun.create({ input: question, processor: 'base', source_policy });
      const { output } = await client.taskRun.result(run_id);
      return output.basis.flatMap(({ citations }) => (citations ?? []).map(({ url }) => url));
    };
    const { url } = (await client.search({ search_queries: [question] })).results[0]!;
    expect(await basisWith({ include_domains: [url] })).toContain(url);
    expect(await basisWith({ include_domains: [url], exclude_domains: [url] })).toEqual([]);
  });

  it('shows its progress, and its output at last, as often as it is read', async () => {
    const { run_id } = await client.taskRun.create({ input: question, processor: 'base' });
    for (let reading = 0; reading < 2; reading += 1) {
      const events = [];
      for await (const event of await client.taskRun.events(run_id)) events.push(event);
      expect(events[0]).toMatchObject({ type: 'task_run.state', run: { run_id, status: 'running' }, output: null });
      expect(events.map(({ type }) => type)).toContain('task_run.progress_msg.search');
      const meters = events.flatMap((event) =>
        event.type === 'task_run.progress_stats' ? [event.progress_meter] : [],
      );
      expect(meters).toEqual([...meters].sort((a, b) => a - b));
      expect(meters.at(-1)).toBe(100);
      expect(events.at(-1)).toMatchObject({
        type: 'task_run.state',
        run: { status: 'completed' },
        output: { type: 'text', content: expect.stringContaining('Ingrid Solvay') },
      });
    }
  });

  it.each<[string, object, string]>([
    ['an empty input', { input: ' ' }, 'body.input'],
    ['a webhook', { input: question, webhook: { url: 'https://example.org' } }, 'POST /v1/webhooks'],
    ['the tools of another server', { input: question, mcp_servers: [{ name: 'a' }] }, 'body.mcp_servers'],
    ['long metadata', { input: question, metadata: { a: 'b'.repeat(513) } }, 'body.metadata.a'],
    [
      'many metadata',
      { input: question, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, at])) },
      'body.metadata: expected at most 16 pairs',
    ],
    ['an input that is too long', { input: { text: ['a'.repeat(30_000), 'b'.repeat(30_000)] } }, 'body.input'],
    ['a long key of metadata', { input: question, metadata: { ['a'.repeat(17)]: 1 } }, 'at most 16 characters'],
    [
      'a schema that no template can express',
      { input: question, task_spec: { output_schema: { json_schema: { type: 'array' } } } },
      'body.task_spec.output_schema.json_schema',
    ],
    ['an unknown run before it', { input: question, previous_interaction_id: 'trun_none' }, 'previous_interaction_id'],
  ])('is refused with %s', async (_, body, why) => {
    const response = await send('/tasks/runs', body);
    expect([404, 422]).toContain(response.status);
    const { error } = ParallelError.strict().parse(await response.json());
    expect(error.message).toContain(why);
  });

  it('does not exist for another account, or under the id of something else', async () => {
    const { run_id } = await client.taskRun.create({ input: question, processor: 'base' });
    const { id: account_id } = await app.accounts.createAccount({ name: 'other', plan: 'starter' });
    const other = await app.accounts.createKey({ name: 'other', account: account_id });
    const stranger = clientOf({ url: app.url, key: other.plaintext });
    const calls: (() => PromiseLike<unknown>)[] = [
      () => stranger.taskRun.retrieve(run_id),
      () => stranger.taskRun.result(run_id),
      () => stranger.taskRun.events(run_id),
      () => client.taskRun.retrieve(run_id.replace('trun_', 'resp_')),
      () => client.taskRun.result('trun_none'),
    ];
    for (const call of calls) {
      const failure = await failureOf(call());
      expect(failure?.status).toBe(404);
      expect(failure?.message).toMatch(/There is no (?:task run|path)|has no result/);
    }
  });
});

describe('a task run that has not ended', () => {
  let model: ModelServer;
  let slow: TestApp;
  let release = createDeferred();
  beforeAll(async () => {
    model = await startModelServer();
    slow = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url });
  });
  afterAll(async () => {
    await slow[Symbol.asyncDispose]();
    await model.close();
  });
  beforeEach(() => {
    release = createDeferred();
    model.script = async (call, count) => {
      if (call.kind === 'write') await release.promise;
      return goodModel(call, count);
    };
  });
  afterEach(() => release.resolve());

  it('is running, and is waited for no longer than the call says', async () => {
    const held = clientOf(slow);
    const { run_id } = await held.taskRun.create({ input: question, processor: 'core' });
    expect(await held.taskRun.retrieve(run_id)).toMatchObject({ status: 'running', is_active: true });
    const failure = await failureOf(held.taskRun.result(run_id, { timeout: 0 }));
    expect(failure).toMatchObject({ status: 408, message: expect.stringContaining('has not ended yet') });
    const waiting = held.taskRun.result(run_id);
    release.resolve();
    expect((await waiting).run.status).toBe('completed');
  });

  it('has no result once it is cancelled', async () => {
    const held = clientOf(slow);
    const { run_id } = await held.taskRun.create({ input: question, processor: 'core' });
    const headers = { 'x-api-key': slow.key };
    await fetch(`${slow.url}/v1/search/${run_id.replace('trun_', '')}`, { method: 'DELETE', headers });
    const failure = await failureOf(held.taskRun.result(run_id));
    expect(failure).toMatchObject({ status: 404, message: expect.stringContaining('it was cancelled') });
    expect(await held.taskRun.retrieve(run_id)).toMatchObject({ status: 'cancelled', is_active: false });
  });
});

describe("Parallel's client", () => {
  it('gets results in order, with what their pages say', async () => {
    const { results, session_id } = await client.search({
      objective: question,
      search_queries: ['lighthouse designer'],
    });
    expect(results[0]).toMatchObject({ title: 'Heron Point Lighthouse', publish_date: null });
    expect(results[0]!.excerpts.join('\n')).toContain('Ingrid Solvay');
    const again = await client.search({ search_queries: [question], session_id, mode: 'fast', max_chars_total: 20 });
    expect(again.session_id).toBe(session_id);
    expect(again.results.flatMap(({ excerpts }) => excerpts)).toEqual([results[0]!.excerpts[0]!.slice(0, 20)]);
  });

  it('narrows its search', async () => {
    const narrowed = (source_policy: Parallel.SourcePolicy, max_results = 10) =>
      client.search({ search_queries: [question], advanced_settings: { source_policy, max_results } });
    expect((await narrowed({ include_domains: ['example.org'] })).results).toEqual([]);
    expect((await narrowed({}, 1)).results).toHaveLength(1);
    const { results } = await narrowed({ after_date: '2026-01-01' });
    expect(results.every(({ publish_date }) => publish_date == null || publish_date >= '2026')).toBe(true);
  });

  it('gets what pages say about its question, and why one could not be read', async () => {
    const urls = [`${web.url}/quay`, `${web.url}/none`, 'http://127.0.0.1:1/'];
    const { results, errors } = await client.extract({ urls, objective: 'How much does the crane lift?' });
    expect(results).toMatchObject([{ url: urls[0], title: 'Heron Quay', full_content: null }]);
    expect(results[0]!.excerpts.join('\n')).toContain('forty tonnes');
    expect(errors).toEqual([
      { url: urls[1], error_type: 'http_status', http_status_code: 404, content: expect.stringContaining('404') },
      { url: urls[2], error_type: 'blocked_address', http_status_code: null, content: expect.any(String) },
    ]);
  });

  it('gets the texts of pages, as long as it asks for', async () => {
    const urls = [`${web.url}/quay`];
    const plain = await client.extract({ urls, max_chars_total: 10 });
    expect(plain.results[0]).toMatchObject({ excerpts: ['Heron Quay'], full_content: null });
    const settings = { full_content: { max_chars_per_result: 11 }, excerpt_settings: { max_chars_per_result: 6 } };
    const cut = await client.extract({ urls, advanced_settings: settings });
    expect(cut.results[0]).toMatchObject({ excerpts: ['Heron '], full_content: 'Heron Quay ' });
  });

  it('throws what is wrong with its key or its request', async () => {
    const stranger = clientOf({ url: app.url, key: 'cw_none' });
    const failure = await failureOf(stranger.search({ search_queries: [question] }));
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ status: 401, message: expect.stringContaining('Expected a valid API key') });
    expect(await failureOf(client.search({ search_queries: [] }))).toMatchObject({ status: 422 });
    expect(await failureOf(client.taskGroup.create({}))).toMatchObject({
      status: 404,
      error: { type: 'error', error: { message: expect.stringContaining('/parallel/v1/tasks/groups') } },
    });
  });
});

describe('calls of Parallel', () => {
  it('answer in the documented form, and are listed with their door', async () => {
    const { run_id } = await json(ParallelTaskRun, send('/tasks/runs', { input: question }), 202);
    await json(ParallelTaskResult, send(`/tasks/runs/${run_id}/result?timeout=60`));
    expect(await json(ParallelTaskRun, send(`/tasks/runs/${run_id}`))).toMatchObject({ processor: 'core' });
    await json(ParallelSearchResponse, send('/search', { objective: question }));
    await json(ParallelExtractResponse, send('/extract', { urls: [`${web.url}/quay`] }));
    const refused = await send(`/tasks/runs/${run_id}/result?timeout=soon`);
    expect(refused.status).toBe(422);
    const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
    expect(items[0]).toMatchObject({ door: 'parallel' });
  });
});
