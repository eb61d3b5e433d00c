/** The laws of a search, a row per adapter: what WebSocket, SSE and plain JSON bring is the same log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchFrame, StructuredResultWithEvidence, TextResult } from '../../protocol/index.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { expectCitationsHold, expectExcerptsHold, expectLawful, stateAfter } from './search-laws.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const unanswerable = { prompt: 'What does the zebra quorum of Xanthippe forbid?' };
const template = { designer: 'string', lamps: [{ year: 'number', source: 'string' }], automatic: 'boolean' };
const structured = { prompt: 'Facts about the Heron Point Lighthouse', output_format: template };

const readSnapshot = async (id: string) =>
  ((await (await app.get(`/v1/contents/${id}`)).json()) as { response: string }).response;

/** Each adapter asks and gives all the frames it was sent. */
const streams: Record<string, (request: unknown) => Promise<SearchFrame[]>> = {
  async WebSocket(request) {
    const client = await connect(app.url, { 'x-api-key': app.key });
    const frames = await client.search(await client.start(request));
    client.close();
    await client.closed;
    return frames;
  },
  async SSE(request) {
    return readEvents(await app.post('/v1/search', request, { accept: 'text/event-stream' }));
  },
};

describe.each(Object.keys(streams))('a search over %s', (adapter) => {
  const ask = streams[adapter]!;

  it('follows every rule when it answers in text', async () => {
    const frames = await ask(question);
    expectLawful(frames);
    const { result, citations, sources } = frames.at(-1) as Extract<SearchFrame, { type: 'search.completed' }>;
    const { answer, status } = result as TextResult;
    expect(sources.some(({ excerpt }) => excerpt?.text.includes('Ingrid Solvay'))).toBe(true);
    await expectExcerptsHold(sources, readSnapshot);
    expect(frames.filter((frame) => frame.type === 'source.added' && frame.source.excerpt !== undefined)).toEqual([]);
    expect(status).toBe('answered');
    expect(answer).toContain('Ingrid Solvay');
    expect(citations.length).toBeGreaterThan(0);
    await expectCitationsHold(citations, answer, readSnapshot);
  });

  it('follows every rule when it answers in the shape of a template', async () => {
    const frames = await ask(structured);
    expectLawful(frames);
    const { result, evidence, citations, sources } = frames.at(-1) as Extract<
      SearchFrame,
      { type: 'search.completed' }
    >;
    expect(sources.some(({ excerpt }) => excerpt !== undefined)).toBe(true);
    await expectExcerptsHold(sources, readSnapshot);
    expect(Object.keys(result)).toEqual(Object.keys(template));
    expect(evidence).toBeDefined();
    await expectCitationsHold(citations, undefined, readSnapshot);
  });

  it('follows every rule when nothing is found', async () => {
    const frames = await ask(unanswerable);
    expectLawful(frames);
    expect(frames.at(-1)).toMatchObject({ type: 'search.completed', status: 'not_found', citations: [] });
    expect(stateAfter(frames).blocks).toEqual({});
  });

  it('follows every rule when many searches run concurrently', async () => {
    const all = await Promise.all([question, structured, unanswerable, question].map(ask));
    for (const frames of all) expectLawful(frames);
    expect(new Set(all.map((frames) => frames[0]!.search_id)).size).toBe(all.length);
  });
});

describe('a search as plain JSON', () => {
  it('answers a plain request with the result of the terminal event', async () => {
    const [events, json] = await Promise.all([streams.SSE!(question), app.post('/v1/search', question)]);
    const { result } = events.at(-1) as Extract<SearchFrame, { type: 'search.completed' }>;
    const body = (await json.json()) as TextResult;
    expect(json.status).toBe(200);
    expect(json.headers.get('x-search-id')).toBe(body.search_id);
    const { search_id: _, timings: __, ...stable } = result as TextResult;
    expect(body).toMatchObject(stable);
    await expectCitationsHold(body.citations, body.answer, readSnapshot);
  });

  it('answers a plain request with exactly the template', async () => {
    const body = await (await app.post('/v1/search', structured)).json();
    expect(Object.keys(body as object)).toEqual(['designer', 'lamps', 'automatic']);
  });

  it('wraps the template when evidence is requested', async () => {
    const request = { ...structured, include: ['evidence'] };
    const body = (await (await app.post('/v1/search', request)).json()) as StructuredResultWithEvidence;
    expect(Object.keys(body.output)).toEqual(['designer', 'lamps', 'automatic']);
    expect(body.evidence.map(({ path }) => path)).toContain('/designer');
    await expectCitationsHold(body.citations, undefined, readSnapshot);
  });

  it('answers not_found with an empty answer when nothing is found', async () => {
    const body = (await (await app.post('/v1/search', unanswerable)).json()) as TextResult;
    expect(body).toMatchObject({ status: 'not_found', answer: '', citations: [] });
  });
});
