/** What a question that the sources do not answer gets: no answer, the quotes that come nearest, and what may help. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextResult } from '../../protocol/index.ts';
import { citedBy } from '../../src/runs/cited-pages.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const unanswered = 'How much did the granite blocks of the lighthouse cost per tonne in Norwegian money?';
const notCovered = 'Not answered by these sources. You could try: adding a source that covers it.';
let alone: TestApp;
let withModel: TestApp;
let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
  model.script = (call, count) => (call.kind === 'write' ? { text: 'STATUS: not_found' } : goodModel(call, count));
  alone = await startTestApp({ MEDIAWIKI_URL: 'off' });
  const settings = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', MEDIAWIKI_URL: 'off' };
  withModel = await startTestApp(settings);
});
afterAll(async () => {
  await Promise.all([alone[Symbol.asyncDispose](), withModel[Symbol.asyncDispose]()]);
  await model.close();
});

async function ask(app: TestApp, request: object): Promise<TextResult> {
  const response = await app.post('/v1/search', request);
  expect(response.status).toBe(200);
  return (await response.json()) as TextResult;
}

async function expectQuotesHold(app: TestApp, { nearest = [], sources }: TextResult): Promise<void> {
  for (const { source_id, n, url, title, quote, source_start, source_end, snapshot } of nearest) {
    const { response } = (await (await app.get(`/v1/contents/${snapshot}`)).json()) as { response: string };
    expect(response.slice(source_start, source_end)).toBe(quote);
    expect(response.slice(0, source_start)).toMatch(/(?:^|\n|[.!?]\s|[*|-]\s|^\| )$/);
    expect(sources).toContainEqual(expect.objectContaining({ id: source_id, n, url, title, snapshot }));
  }
  expect(new Set(nearest.map(({ snapshot }) => snapshot)).size).toBe(nearest.length);
}

describe('a question that the sources do not answer', () => {
  it('gets quotes of up to three pages at their places, and the advice to add a source, if none covers it', async () => {
    const result = await ask(alone, { prompt: unanswered });
    expect(result).toMatchObject({ status: 'not_found', answer: '', citations: [] });
    expect(result.nearest!.length).toBeGreaterThan(0);
    expect(result.nearest!.length).toBeLessThanOrEqual(3);
    expect(result.nearest![0]!.quote).toMatch(/granite|blocks/);
    await expectQuotesHold(alone, result);
    expect(result.message).toBe(notCovered);
  });

  it('gets them from the extractive model when a language model finds no answer', async () => {
    const result = await ask(withModel, { prompt: unanswered });
    expect(result).toMatchObject({ status: 'not_found', answer: '', message: notCovered });
    expect(result.nearest!.length).toBeGreaterThan(0);
    await expectQuotesHold(withModel, result);
  });

  it('says when nothing comes near, and that other sources may help if the request allows few', async () => {
    const prompt = 'Quixotic zymurgy?';
    const { nearest, message } = await ask(alone, { prompt });
    expect(nearest).toBeUndefined();
    expect(message).toMatch(/^Nothing in these sources/);
    const limited = await ask(alone, { prompt, source_whitelist: ['example.org'] });
    expect(limited.message).toMatch(/Other sources may\.$/);
  });

  it('gets neither a message nor quotes with an answer or a template', async () => {
    const { status, nearest, message } = await ask(alone, { prompt: 'Who designed the Heron Point Lighthouse?' });
    expect({ status, nearest, message }).toEqual({ status: 'answered' });
    const filled = await ask(alone, { prompt: unanswered, output_format: { price: 'number' } });
    expect(filled).toEqual({ price: null });
  });

  it('is not searched for if it is only a greeting, with either model', async () => {
    for (const app of [alone, withModel]) {
      const result = await ask(app, { prompt: 'Hello!' });
      expect(result).toMatchObject({
        status: 'not_found',
        answer: '',
        sources: [],
        message: expect.stringMatching(/^Hello\. Ask/),
      });
      expect(result.usage).toMatchObject({ searches: 0, pages: 0, model_calls: 0, providers: [], models: [] });
    }
    const named = await ask(alone, { prompt: 'Hi, who designed the Heron Point Lighthouse?' });
    expect(named.status).toBe('answered');
  });

  it('keeps the quotes in the record of the search, and their pages as those of citations', async () => {
    const { search_id, nearest } = await ask(alone, { prompt: unanswered });
    const record = (await (await alone.get(`/v1/search/${search_id}`)).json()) as Pick<TextResult, 'status'> & {
      result: TextResult;
    };
    expect(record.result.nearest).toEqual(nearest);
    const { status, result } = record;
    const { sources, citations, usage, timings } = result;
    const terminal = { type: 'search.completed', status, result, sources, citations, usage, timings } as const;
    expect(citedBy(terminal)).toEqual(expect.arrayContaining(nearest?.map(({ snapshot }) => snapshot) ?? []));
  });
});
