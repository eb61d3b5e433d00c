/** Exa's own client over both servers, and the answers of recorded searches as it reads them. */
import { Exa, ExaError } from 'exa-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ExaAnswerResponse,
  ExaContentsResponse,
  ExaError as ExaErrorBody,
  ExaSearchResponse,
  type SearchList,
} from '../../../protocol/index.ts';
import { goodModel } from '../../support/servers/model-server.ts';
import { type QuayApp, startQuayApp } from '../../support/servers/quay-app.ts';
import { startResearchApp } from '../../support/servers/research-app.ts';
import { article, type WebServer } from '../../support/servers/web-server.ts';
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
const client = (key = app.key) => new Exa(key, `${app.url}/exa`);
const send = (path: string, body: object, key = app.key) =>
  fetch(`${app.url}/exa${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
/** Exactly what is documented. */
const json = async <Body>(schema: { strict(): { parse(body: unknown): Body } }, response: Promise<Response>) => {
  const answer = await response;
  expect(answer.status).toBe(200);
  return schema.strict().parse(await answer.json());
};

describe("Exa's client", () => {
  it('gets results in order, with their texts', async () => {
    const { results, requestId } = await client().search(question);
    expect(requestId).toEqual(expect.any(String));
    expect(results[0]).toMatchObject({ title: 'Heron Point Lighthouse', score: 1, id: results[0]!.url });
    expect(results[0]!.text).toMatch(/^# Heron Point Lighthouse\n/);
    const scores = results.map(({ score }) => score!);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.at(-1)).toBeGreaterThan(0.5);
  });

  it('gets what each page says about the question, and the first characters of its text, where it asks for them', async () => {
    const contents = { text: { maxCharacters: 24 }, highlights: true, summary: true } as const;
    const { results } = await client().search(question, { numResults: 1, type: 'deep', contents });
    expect(results).toHaveLength(1);
    const [{ text, highlights, highlightScores, summary }] = results as [(typeof results)[0]];
    expect(text).toBe('# Heron Point Lighthouse');
    expect(highlights[0]).toContain('Ingrid Solvay');
    expect(highlightScores).toEqual([1]);
    expect(summary).toBe(highlights[0]);
  });

  it('gets no texts where it asks for none', async () => {
    const { results } = await client().search(question, { contents: false });
    expect(Object.keys(results[0]!)).not.toContain('text');
    expect(Object.keys(results[0]!)).not.toContain('highlights');
  });

  it('narrows its search by domains and dates', async () => {
    const elsewhere = { includeDomains: ['example.org'], excludeDomains: ['a.example.org'] };
    expect((await client().search(question, elsewhere)).results).toEqual([]);
    const later = await client().search(question, { startPublishedDate: '2026-01-01T00:00:00.000Z' });
    expect(later.results.every(({ publishedDate }) => publishedDate === undefined || publishedDate >= '2026')).toBe(
      true,
    );
    const never = { startPublishedDate: '2026-02-01', endPublishedDate: '2026-01-01' };
    await expect(client().search(question, never)).rejects.toThrow(/body\.startPublishedDate: expected the start/);
  });

  it('gets the text of pages, and why one could not be read', async () => {
    const { results, statuses } = await client().getContents([`${web.url}/quay`, `${web.url}/none`], { text: true });
    expect(results).toEqual([expect.objectContaining({ url: `${web.url}/quay`, title: 'Heron Quay' })]);
    expect(results[0]!.text).toContain('Its crane lifts forty tonnes');
    expect(statuses).toEqual([
      { id: `${web.url}/quay`, status: 'success' },
      {
        id: `${web.url}/none`,
        status: 'error',
        error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404, message: expect.stringContaining('404') },
      },
    ]);
  });

  it('gets the passages of a page that answer its query, with the text only where it asks for it', async () => {
    const query = 'How much does the crane lift?';
    const { results } = await client().getContents(`${web.url}/quay`, { highlights: { query } });
    expect(results[0]!.highlights.join('\n')).toContain('forty tonnes');
    expect(Object.keys(results[0]!)).not.toContain('text');
    const both = await client().getContents(`${web.url}/quay`, { text: true, summary: { query } });
    expect([both.results[0]!.text, both.results[0]!.summary]).toEqual([
      expect.stringContaining('1871'),
      expect.stringContaining('forty tonnes'),
    ]);
  });

  it('gets an answer whose markers number its citations', async () => {
    const { answer, citations } = await client().answer(question, { text: true });
    expect(answer).toContain('Ingrid Solvay');
    const [, n] = /\[(\d+)\]/.exec(answer as string)!;
    expect(citations[Number(n) - 1]).toMatchObject({
      title: 'Heron Point Lighthouse',
      text: expect.stringContaining('Ingrid Solvay'),
    });
    expect((await client().answer(question)).citations[0]).not.toHaveProperty('text');
  });

  it('gets an answer in the form of its schema', async () => {
    const outputSchema = { type: 'object', properties: { designer: { type: 'string' }, colour: { type: 'string' } } };
    const { answer } = await client().answer(question, { outputSchema });
    expect(answer).toEqual({ designer: expect.stringContaining('Ingrid Solvay'), colour: null });
    const booleans = { type: 'object', properties: { all: { type: 'array', items: { type: 'boolean' } } } };
    await expect(client().answer(question, { outputSchema: booleans })).rejects.toThrow(/^body\.outputSchema/);
  });

  it('gets the pieces of an answer, after its citations', async () => {
    let text = '';
    const counts: number[] = [];
    for await (const { content, citations } of client().streamAnswer(question)) {
      text += content ?? '';
      if (citations !== undefined) counts.push(citations.length);
    }
    const whole = await client().answer(question);
    expect([text, counts]).toEqual([whole.answer, [whole.citations.length]]);
  });

  it('gets what each page says with the last piece of an answer', async () => {
    const read: (string | undefined)[][] = [];
    for await (const { citations } of client().streamAnswer(question, { text: true }))
      if (citations !== undefined) read.push(citations.map((each) => (each as { text?: string }).text));
    const { citations } = await client().answer(question, { text: true });
    expect(read).toEqual([citations.map(() => undefined), citations.map((each) => (each as { text?: string }).text)]);
  });

  it('throws where the server shuts down before the end of an answer', async () => {
    await using own = await startResearchApp({
      pages: { '/heron': article('Heron Point', 'The Heron Point Lighthouse was designed by Ingrid Solvay.') },
      script: (call, count) => (call.kind === 'write' ? { endless: true, ms: 20 } : goodModel(call, count)),
    });
    const pieces: string[] = [];
    let closed: Promise<unknown> | undefined;
    const read = async () => {
      const answer = new Exa(own.app.key, `${own.app.url}/exa`).streamAnswer(question);
      for await (const { content } of answer) {
        pieces.push(content ?? '');
        closed ??= own.app.close(0);
      }
    };
    await expect(read()).rejects.toThrow();
    expect(pieces.length).toBeGreaterThan(0);
    await closed;
  });

  it('reads why there is no answer', async () => {
    const { answer } = await client().answer('How many moons does Kepler-90 have?');
    expect(answer).toMatch(/^(?:Nothing in|Not answered by) these sources/);
  });

  it('throws what is wrong with its key or its request', async () => {
    const failure = await client('cw_none')
      .search(question)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ExaError);
    expect(failure).toMatchObject({ statusCode: 401, message: expect.stringMatching(/^Expected a valid API key/) });
    await expect(client().search(question, { numResults: 0 })).rejects.toThrow(/^body\.numResults: /);
    await expect(client().findSimilar('https://example.org')).rejects.toThrow('/exa/findSimilar');
    await expect(async () => {
      for await (const chunk of client().streamSearch(question)) expect(chunk).toBeUndefined();
    }).rejects.toThrow('POST /exa/answer');
  });
});

describe('calls of Exa', () => {
  it('answer in the documented form', async () => {
    const texts = { text: true, highlights: true, summary: true };
    const found = await json(ExaSearchResponse, send('/search', { query: question, contents: texts }));
    const ids = [found.results[0]!.id];
    expect((await json(ExaContentsResponse, send('/contents', { ids }))).results[0]!.text).toContain('Ingrid Solvay');
    await json(ExaAnswerResponse, send('/answer', { query: question, text: true }));
    for (const [path, body, tag] of [
      ['/search', {}, 'INVALID_REQUEST_BODY'],
      ['/contents', { text: true }, 'INVALID_REQUEST_BODY'],
      ['/findSimilar', { url: web.url }, 'NOT_FOUND'],
    ] as const) {
      expect(ExaErrorBody.strict().parse(await (await send(path, body)).json())).toMatchObject({ tag });
    }
  });

  it('cost a unit a search or answer, and one for each page', async () => {
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'counted' });
    const left = async (path: string, body: object) => {
      const response = await send(path, body, plaintext);
      await response.text();
      return [response.status, Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])];
    };
    expect(await left('/search', { query: question })).toEqual([200, 9]);
    expect((await left('/contents', { urls: [`${web.url}/quay`, `${web.url}/quay`] }))[0]).toBe(200);
    expect(await left('/answer', { query: question })).toEqual([200, 6]);
  });

  it('are listed with their door', async () => {
    await send('/search', { query: question });
    const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
    expect(items[0]).toMatchObject({ door: 'exa' });
  });
});
