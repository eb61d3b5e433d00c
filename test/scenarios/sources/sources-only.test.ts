/** Searches that want sources: they end once these are ranked, and no answer is written that nobody would see. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TextResult } from '../../../protocol/index.ts';
import type { ModelServer } from '../../support/servers/model-server.ts';
import { type ResearchApp, startResearchApp } from '../../support/servers/research-app.ts';
import { article } from '../../support/servers/web-server.ts';
import type { TestApp } from '../../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
let research: ResearchApp;
let app: TestApp;
let model: ModelServer;

beforeAll(async () => {
  const pages = {
    '/heron': article('Heron Point', 'The Heron Point Lighthouse was designed by the engineer Ingrid Solvay in 1886.'),
    '/almanac': article('Coast almanac', 'The Heron Point Lighthouse was first lit in March 1887 by its keeper.'),
  };
  research = await startResearchApp({ pages });
  ({ app, model } = research);
});
afterAll(() => research[Symbol.asyncDispose]());
beforeEach(() => {
  model.calls.length = 0;
});

const search = async (request: object) => (await (await app.post('/v1/search', request)).json()) as TextResult;
const written = () => model.calls.filter(({ kind }) => kind === 'write' || kind === 'judge').length;

it('returns the sources that the answer would have had, with their excerpts, and no answer', async () => {
  const whole = await search({ prompt });
  expect(written()).toBeGreaterThan(0);
  model.calls.length = 0;
  const { sources, ...rest } = await search({ prompt, answer: false });
  expect(written()).toBe(0);
  expect(rest).toMatchObject({ status: 'answered', answer: '', citations: [] });
  expect(rest).not.toHaveProperty('message');
  expect(sources).toEqual(whole.sources);
  expect(sources.some(({ excerpt }) => excerpt?.text.includes('Ingrid Solvay'))).toBe(true);
});

it('says so where there are no sources', async () => {
  const request = { prompt: 'zxqvwy bnmkjh', answer: false, source_whitelist: ['nowhere.example'] };
  expect(await search(request)).toMatchObject({
    status: 'not_found',
    answer: '',
    sources: [],
    message: expect.any(String),
  });
});

it('searches for what would be small talk', async () => {
  expect((await search({ prompt: 'hello' })).usage.searches).toBe(0);
  expect((await search({ prompt: 'hello', answer: false })).usage.searches).toBeGreaterThan(0);
});

it('is refused together with a template', async () => {
  const response = await app.post('/v1/search', { prompt, answer: false, output_format: { name: 'string' } });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ detail: [{ loc: ['body', 'answer'], type: 'mutually_exclusive' }] });
});

const rpc = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: prompt } },
};

it.each<[string, string, object | undefined, number]>([
  ["Tavily's search", '/tavily/search', { query: prompt }, 0],
  ["Tavily's search with an answer", '/tavily/search', { query: prompt, include_answer: 'basic' }, 1],
  ['the external search of Open WebUI', '/open-webui/search', { query: prompt, count: 3 }, 0],
  ["SearXNG's search", `/searxng/search?q=${encodeURIComponent(prompt)}`, undefined, 0],
  ['the tool search of MCP', '/mcp', rpc, 0],
])('writes an answer only where one is asked for: %s', async (_, path, body, answers) => {
  const headers = {
    authorization: `Bearer ${app.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Ingrid Solvay');
  expect(model.calls.filter(({ kind }) => kind === 'write').length).toBe(answers);
});
