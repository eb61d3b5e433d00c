/** Perplexity's own client over a server: chat completions by the names of its models, and its search. */
import Perplexity, { APIError } from '@perplexity-ai/perplexity_ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAIError, PerplexitySearchResponse, type SearchList } from '../../../protocol/index.ts';
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
      [() => client.chat.completions.create({ model: 'gpt-5', messages }), 404, 'gpt-5'],
      [() => client.async.chat.completions.list(), 404, '/perplexity/async/chat/completions'],
    ];
    for (const [call, status, text] of wrong) {
      const failure = (await failureOf(call())) as APIError;
      expect([failure.status, JSON.stringify(failure.error)]).toEqual([status, expect.stringContaining(text)]);
    }
  });
});

describe("Perplexity's search", () => {
  it('answers in the documented form, and its errors are those of OpenAI', async () => {
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
    OpenAIError.strict().parse(await refused.json());
  });
});
