/** Tavily's own client over both servers, and the requests that others send. */
import { tavily } from '@tavily/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SearchList,
  TavilyExtractResponse,
  TavilyResearch,
  TavilyResearchTask,
  TavilySearchResponse,
} from '../../../protocol/index.ts';
import { type QuayApp, startQuayApp } from '../../support/servers/quay-app.ts';
import type { WebServer } from '../../support/servers/web-server.ts';
import type { TestApp } from '../../support/start-app.ts';

let quay: QuayApp;
let app: TestApp;
let web: WebServer;
beforeAll(async () => {
  quay = await startQuayApp();
  ({ app, web } = quay);
});
afterAll(() => quay[Symbol.asyncDispose]());

const question = 'Who designed the Heron Point Lighthouse?';
const client = (apiKey = app.key) => tavily({ apiKey, apiBaseURL: `${app.url}/tavily` });
const send = (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${app.url}/tavily${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
};

describe('research', () => {
  const ended = async (requestId: string) => {
    await expect.poll(async () => (await client().getResearch(requestId)).status).not.toMatch(/pending|in_progress/);
    return TavilyResearch.strict().parse(await client().getResearch(requestId));
  };

  it('is a task, whose report has the answer with its citations', async () => {
    const task = await client().research(question, { model: 'mini' });
    expect(task).toMatchObject({ status: 'pending', input: question, model: 'mini', createdAt: expect.any(String) });
    const { requestId } = task as { readonly requestId: string };
    const { content, sources, status, request_id } = await ended(requestId);
    expect([status, request_id]).toEqual(['completed', requestId]);
    expect(content).toContain('Ingrid Solvay');
    expect(content).toMatch(/\[1\][\s\S]*\*\*Sources\*\*/);
    expect(sources![0]).toMatchObject({ title: 'Heron Point Lighthouse' });
    const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
    expect(items[0]).toMatchObject({ search_id: request_id, door: 'tavily' });
  });

  it('fills a schema', async () => {
    const outputSchema = { properties: { designer: { type: 'string', description: 'Of the tower.' } }, required: [] };
    const response = await send('/research', { api_key: app.key, input: question, output_schema: outputSchema });
    expect(response.status).toBe(202);
    const task = TavilyResearchTask.strict().parse(await response.json());
    expect((await ended(task.request_id)).content).toEqual({ designer: 'Ingrid Solvay' });
  });

  it('is streamed: its stages as calls of tools, its text, its sources', async () => {
    const stream = (await client().research(question, { stream: true })) as AsyncGenerator<Buffer>;
    let text = '';
    for await (const part of stream) text += part.toString('utf8');
    expect(text).toMatch(/"name":"Planning"[\s\S]*"name":"WebSearch"[\s\S]*"name":"Generating"/);
    expect(text).toContain('Ingrid Solvay');
    expect(text).toMatch(/"sources":\[\{"title":"Heron Point Lighthouse"[^\n]*\n\nevent: done\n\n$/);
  });

  it.each<[string, object, number, string]>([
    ['an empty input', { input: '' }, 400, 'body.input'],
    ['another model', { input: question, model: 'max' }, 400, 'body.model'],
    ['a schema without fields', { input: question, output_schema: { type: 'object' } }, 400, 'body.output_schema'],
  ])('is refused with %s', async (_, body, status, why) => {
    const response = await send('/research', { api_key: app.key, ...body });
    expect(response.status).toBe(status);
    expect(JSON.stringify(await response.json())).toContain(why);
  });

  it('that does not exist is a 404', async () => {
    await expect(client().getResearch('s_none')).rejects.toThrow(/There is no research "s_none"/);
  });
});

describe("Tavily's client", () => {
  it('gets results in order, with what each page says about the question', async () => {
    const { results, answer, query, responseTime, requestId, images } = await client().search(question);
    expect({ query, answer, images }).toEqual({ query: question, answer: null, images: [] });
    expect([responseTime, requestId]).toEqual([expect.any(Number), expect.any(String)]);
    expect(results[0]).toMatchObject({ title: 'Heron Point Lighthouse', score: 1 });
    expect(results[0]!.content).toContain('Ingrid Solvay');
    expect(results.map(({ score }) => score)).toEqual([...results.map(({ score }) => score)].sort((a, b) => b - a));
    expect(results.at(-1)!.score).toBeGreaterThan(0.5);
    expect(results[0]!.rawContent).toBeNull();
  });

  it('gets the answer without markers, and the whole texts, where it asks for them', async () => {
    const { results, answer } = await client().search(question, {
      includeAnswer: true,
      includeRawContent: 'markdown',
      maxResults: 1,
      searchDepth: 'advanced',
      topic: 'general',
      country: 'norway',
    });
    expect(answer).toContain('Ingrid Solvay');
    expect(answer).not.toMatch(/\[\d+\]/);
    expect(results).toHaveLength(1);
    expect(results[0]!.rawContent).toMatch(/^# Heron Point Lighthouse\n/);
    expect(results[0]!.rawContent).toContain(results[0]!.content);
  });

  it('gets no results from domains that it excludes, also beside those it includes', async () => {
    const includeDomains = ['example.org', '*.example.com'];
    expect((await client().search(question, { includeDomains })).results).toEqual([]);
    const both = await client().search(question, { includeDomains, excludeDomains: ['a.example.org'] });
    expect(both.results).toEqual([]);
  });

  it('gets no answer from a page that it excludes beside those it includes', async () => {
    const { url } = (await client().search(question)).results[0]!;
    const only = await client().search(question, { includeAnswer: true, includeDomains: [url] });
    expect(only.answer).toContain('Ingrid Solvay');
    const lists = { includeDomains: [url], excludeDomains: [url] };
    const { results, answer } = await client().search(question, { includeAnswer: true, ...lists });
    expect(results).toEqual([]);
    expect(answer).not.toContain('Ingrid Solvay');
    const sources = { include_domains: [url], exclude_domains: [url] };
    const asked = { api_key: app.key, input: question, model: 'mini', stream: true, ...sources };
    const text = await (await send('/research', asked)).text();
    expect(text).toContain('event: done');
    expect(text).not.toContain(url);
  });

  it('gets an error for an invalid excluded domain, with and without included ones', async () => {
    const lists = { includeDomains: ['a.example'], excludeDomains: ['not a domain'] };
    await expect(client().search(question, lists)).rejects.toThrow(/^body\.exclude_domains\.0: expected a URL, a host/);
  });

  it('gets the text of pages, and why one could not be read', async () => {
    const { results, failedResults } = await client().extract([`${web.url}/quay`, `${web.url}/none`]);
    expect(results).toEqual([expect.objectContaining({ url: `${web.url}/quay`, title: 'Heron Quay' })]);
    expect(results[0]!.rawContent).toContain('Its crane lifts forty tonnes');
    expect(failedResults).toEqual([{ url: `${web.url}/none`, error: expect.stringContaining('404') }]);
  });

  it('gets the passages of a page that answer its query', async () => {
    const { results } = await client().extract([`${web.url}/quay`], { query: 'How much does the crane lift?' });
    expect(results[0]!.rawContent).toContain('forty tonnes');
  });

  it('is told that its key is not valid, and what is wrong with a request', async () => {
    await expect(client('cw_none').search(question)).rejects.toThrow(/^Expected a valid API key/);
    await expect(client('cw_none').extract([web.url])).rejects.toThrow(/^Expected a valid API key/);
    await expect(client().search(question, { maxResults: 21 })).rejects.toThrow(/^body\.max_results: /);
    await expect(client().search(question, { startDate: '2026-02-01', endDate: '2026-01-01' })).rejects.toThrow(
      /^body\.start_date: expected the start to be no later than the end/,
    );
  });
});

describe('a call as older clients make it', () => {
  it.each([
    ['/search', { query: question }, TavilySearchResponse],
    ['/extract', { urls: 'PAGE' }, TavilyExtractResponse],
  ])('takes the key from the body of %s', async (path, body, schema) => {
    const urls = 'urls' in body ? { urls: `${web.url}/quay` } : {};
    const response = await send(path, { ...body, ...urls, api_key: app.key });
    expect(response.status).toBe(200);
    expect(schema.safeParse(await response.json()).success).toBe(true);
    expect((await send(path, { ...body, ...urls, api_key: 'cw_none' })).status).toBe(401);
    expect((await send(path, { ...body, ...urls })).status).toBe(401);
  });

  it.each([['null'], ['[]'], ['"x"'], ['{"api_key": {}}']])('refuses a body without a key: %s', async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/tavily/search`, { method: 'POST', headers, body });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ detail: { error: expect.any(String) } });
  });

  it('says in its own form that a call is not here', async () => {
    for (const path of ['/usage', '/research/tasks/all']) {
      const response = await send(path, { api_key: app.key });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ detail: { error: expect.stringContaining(path) } });
    }
  });

  it('reads no large body of someone it does not know', async () => {
    const response = await send('/search', { query: 'x', api_key: 'y'.repeat(70_000) });
    expect(response.status).toBe(413);
  });
});

describe('calls of Tavily', () => {
  it('cost a unit a search, and one for each page', async () => {
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'counted' });
    const left = async (path: string, body: object) => {
      const response = await send(path, { ...body, api_key: plaintext });
      return [response.status, Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])];
    };
    expect(await left('/search', { query: question })).toEqual([200, 9]);
    expect((await left('/extract', { urls: [`${web.url}/quay`, `${web.url}/quay`, `${web.url}/quay`] }))[0]).toBe(200);
    expect(await left('/search', { query: question })).toEqual([200, 5]);
  });

  it('are listed with their door', async () => {
    const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
    expect(items[0]).toMatchObject({ door: 'tavily' });
  });

  it('are refused as a whole once the minute of the key is used up', async () => {
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'busy' });
    const urls = Array.from({ length: 12 }, () => `${web.url}/quay`);
    const first = TavilyExtractResponse.parse(await (await send('/extract', { urls, api_key: plaintext })).json());
    expect([first.results.length, first.failed_results.length]).toEqual([10, 2]);
    const second = await send('/extract', { urls, api_key: plaintext });
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
