/** Perplexity's own client over a server: chat completions by the names of its models, also in the background, and its search. */
import { createPerplexity } from '@ai-sdk/perplexity';
import Perplexity, { APIError } from '@perplexity-ai/perplexity_ai';
import { generateText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PerplexityAsync,
  PerplexityError,
  PerplexitySearchResponse,
  type SearchList,
} from '../../../protocol/index.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const question = 'Who designed the Heron Point Lighthouse?';
const messages = [{ role: 'user' as const, content: question }];

let app: TestApp;
let client: Perplexity;
const clientOf = (apiKey: string) => new Perplexity({ apiKey, baseURL: `${app.url}/perplexity`, maxRetries: 0 });
beforeAll(async () => {
  app = await startTestApp();
  client = clientOf(app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

const failureOf = (call: PromiseLike<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const lastDoor = async () => ((await (await app.get('/v1/search')).json()) as SearchList).items[0]!.door;

describe("Perplexity's client", () => {
  it.each(['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research', 'citewire'])(
    'gets an answer whose markers number its citations, from %s',
    async (model) => {
      const { choices, citations, search_results } = await client.chat.completions.create({ model, messages });
      const content = choices[0]!.message.content as string;
      expect(content).toContain('Ingrid Solvay');
      const [, n] = /\[(\d+)\]/.exec(content)!;
      expect(citations![Number(n) - 1]).toContain('heron-lighthouse');
      expect(search_results![Number(n) - 1]).toMatchObject({ title: 'Heron Point Lighthouse' });
      expect(await lastDoor()).toBe('perplexity');
    },
  );

  it('gets the pieces of an answer', async () => {
    let text = '';
    for await (const { choices } of await client.chat.completions.create({ model: 'sonar', messages, stream: true }))
      text += choices[0]?.delta.content ?? '';
    const whole = await client.chat.completions.create({ model: 'sonar', messages });
    expect(text).toBe(whole.choices[0]!.message.content);
  });

  it('gets an answer that is written in the background', async () => {
    const request = { model: 'sonar-deep-research', messages };
    const begun = await client.async.chat.completions.create({ request });
    expect(begun).toMatchObject({ model: 'sonar-deep-research', completed_at: null, response: null });
    const read = async () => PerplexityAsync.strict().parse(await client.async.chat.completions.get(begun.id));
    await expect.poll(async () => (await read()).status).toBe('COMPLETED');
    const { response, completed_at, created_at, error_message } = await read();
    expect(completed_at).toBeGreaterThanOrEqual(created_at);
    expect(error_message).toBeNull();
    expect(response!.model).toBe('sonar-deep-research');
    expect(response!.choices[0]!.message.content).toContain('Ingrid Solvay');
    expect(await lastDoor()).toBe('perplexity');
  });

  it('gets the warnings of an answer that was written in the background', async () => {
    const image =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const content = [
      { type: 'text' as const, text: question },
      { type: 'image_url' as const, image_url: { url: image } },
    ];
    const request = { model: 'sonar', messages: [{ role: 'user' as const, content }] };
    const begun = await client.async.chat.completions.create({ request });
    const read = async () => PerplexityAsync.strict().parse(await client.async.chat.completions.get(begun.id));
    await expect.poll(async () => (await read()).status).toBe('COMPLETED');
    expect((await read()).response).toMatchObject({ warnings: [{ code: 'image_not_used' }] });
  });

  it('gets the call of a function that is written in the background', async () => {
    const parameters = { type: 'object', properties: { designer: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'reply', parameters } }];
    const body = { request: { model: 'sonar', messages, tools, tool_choice: 'required' } };
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const path = `${app.url}/perplexity/async/chat/completions`;
    const begun = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(begun.status).toBe(202);
    const { id } = PerplexityAsync.strict().parse(await begun.json());
    const read = async () => PerplexityAsync.parse(await (await fetch(`${path}/${id}`, { headers })).json());
    await expect.poll(async () => (await read()).status).toBe('COMPLETED');
    const [call] = (await read()).response!.choices[0]!.message.tool_calls!;
    expect(call!.function).toEqual({ name: 'reply', arguments: '{"designer":"Ingrid Solvay"}' });
  });

  it('is refused an asynchronous completion that does not exist, or that cannot begin', async () => {
    expect(await failureOf(client.async.chat.completions.get('s_none'))).toMatchObject({
      status: 404,
      message: expect.stringContaining('There is no asynchronous completion'),
    });
    const request = { model: 'sonar', messages: [] };
    expect(await failureOf(client.async.chat.completions.create({ request }))).toMatchObject({ status: 400 });
  });

  it('gets results in order, with what their pages say', async () => {
    const { results, id } = await client.search.create({ query: question });
    expect(id).toEqual(expect.any(String));
    expect(results[0]).toMatchObject({ title: 'Heron Point Lighthouse', last_updated: null });
    expect(results[0]!.snippet).toContain('Ingrid Solvay');
    const cut = await client.search.create({ query: [question], max_results: 1, max_tokens_per_page: 5 });
    expect(cut.results.map(({ snippet }) => snippet)).toEqual([results[0]!.snippet.slice(0, 20)]);
  });

  it('narrows its search by domains and dates', async () => {
    expect((await client.search.create({ query: question, search_domain_filter: ['example.org'] })).results).toEqual(
      [],
    );
    const dated = await client.search.create({ query: question, search_after_date_filter: '1/1/2026' });
    expect(dated.results.every(({ date }) => date == null || date >= '2026')).toBe(true);
  });

  it('throws what is wrong with its key or its request', async () => {
    const refused = await failureOf(clientOf('cw_none').search.create({ query: question }));
    expect(refused).toBeInstanceOf(APIError);
    expect(refused).toMatchObject({ status: 401 });
    const wrong: [() => PromiseLike<unknown>, number, string][] = [
      [() => client.search.create({ query: question, max_results: 21 }), 400, 'max_results'],
      [() => client.search.create({ query: question, search_before_date_filter: 'soon' }), 400, 'search_before_date'],
      [
        () =>
          client.search.create({
            query: question,
            search_after_date_filter: '2/2/2026',
            search_before_date_filter: '1/1/2026',
          }),
        400,
        '"param":"search_after_date_filter"',
      ],
      [() => client.search.create({ query: question, collections: ['none'] } as never), 400, '"param":"collections.0"'],
      [() => client.chat.completions.create({ model: 'gpt-5', messages }), 404, 'gpt-5'],
      [() => client.chat.completions.create({ model: 'citewire/nope', messages }), 404, 'citewire/extractive or api/'],
      [() => client.async.chat.completions.list(), 405, '/perplexity/async/chat/completions'],
      [() => client.embeddings.create({ model: 'pplx', input: ['a'] } as never), 404, '/embeddings'],
    ];
    for (const [call, status, text] of wrong) {
      const failure = (await failureOf(call())) as APIError;
      expect([failure.status, JSON.stringify(failure.error)]).toEqual([status, expect.stringContaining(text)]);
    }
  });
});

describe('the AI SDK', () => {
  it('gets an answer, and says what is wrong with a request', async () => {
    const ask = (prompt: string, apiKey = app.key, model = 'sonar') =>
      generateText({
        model: createPerplexity({ baseURL: `${app.url}/perplexity`, apiKey })(model),
        prompt,
        maxRetries: 0,
      });
    const { text, sources } = await ask(question);
    expect(text).toContain('Ingrid Solvay');
    expect(sources).not.toEqual([]);
    await expect(ask('x'.repeat(50_000))).rejects.toThrow(/messages: expected at most/);
    await expect(ask(question, 'cw_none')).rejects.toThrow(/^Expected a valid API key/);
    await expect(ask(question, app.key, 'nope')).rejects.toThrow(/nope/);
  });
});

describe("Perplexity's search", () => {
  it('answers in the documented form, and its errors have the status as their code', async () => {
    const send = (body: object) =>
      fetch(`${app.url}/perplexity/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    PerplexitySearchResponse.strict().parse(await (await send({ query: question })).json());
    expect(await lastDoor()).toBe('perplexity');
    const refused = await send({ query: [] });
    expect(refused.status).toBe(400);
    const { error } = PerplexityError.strict().parse(await refused.json());
    expect(error).toMatchObject({ code: 400, type: 'validation_error', param: 'query' });
  });
});
