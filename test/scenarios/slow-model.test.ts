/** A model that is slow, hangs or is crowded takes its share of a search's time, never the search. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchEventOf, SearchFrame, TextResult } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { keyOf } from '../support/requests.ts';
import { goodModel, type ModelServer, type Script, startModelServer } from '../support/servers/model-server.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let model: ModelServer;
let web: WebServer;
beforeAll(async () => {
  [model, web] = await Promise.all([startModelServer(), startWebServer()]);
  app = await startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    SEARXNG_URL: web.url,
    FETCH_ALLOW_HOSTS: web.host,
  });
  web.pages.set('/quarkle', {
    body: article(
      'Quarkle',
      'The Quarkle reactor in Zenthia was opened by Edda Marling in 1974, after a long dispute.',
    ),
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([model.close(), web.close()]);
});
beforeEach(() => {
  model.script = goodModel;
  model.calls.length = 0;
});

const question = { prompt: 'Who opened the Quarkle reactor in Zenthia?' };

async function ask(
  request: unknown,
  headers: Record<string, string> = {},
): Promise<{ result: TextResult; warnings: { code: string; message: string }[] }> {
  const frames: SearchFrame[] = await readEvents(
    await app.post('/v1/search', request, { accept: 'text/event-stream', ...headers }),
  );
  expectLawful(frames);
  const last = frames.at(-1) as SearchEventOf<'search.completed'>;
  expect(last.type).toBe('search.completed');
  return {
    result: last.result as TextResult,
    warnings: frames.flatMap((frame) => (frame.type === 'warning' ? [frame] : [])),
  };
}

const hangs: Script = () => new Promise(() => {});

describe('a slow model', () => {
  it('answers from what the web has, with a warning, when the model hangs before its first byte', async () => {
    model.script = hangs;
    const { result, warnings } = await ask({ ...question, max: { seconds: 24 } });
    expect(result.answer).toContain('Edda Marling');
    expect(result.citations[0]).toMatchObject({ url: `${web.url}/quarkle` });
    expect(warnings.map(({ code }) => code)).toContain('model_failed');
    expect(warnings[0]!.message).toContain('it did not answer in time.');
    await expect.poll(model.open).toBe(0);
  });

  it('lets the model write from what the question itself found when only its plan hangs', async () => {
    model.script = (call, count) => (call.kind === 'plan' ? hangs(call, count) : goodModel(call, count));
    const { result, warnings } = await ask({ ...question, max: { seconds: 12 } });
    expect(result.status).toBe('answered');
    expect(result.usage.models).toEqual(['scripted', 'extractive']);
    expect(model.calls.some(({ kind }) => kind === 'write')).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(['model_failed']);
  });

  it('lets the model write although both its plan and its judgement took too long', async () => {
    model.script = (call, count) => (call.kind === 'write' ? goodModel(call, count) : hangs(call, count));
    const { result, warnings } = await ask({ ...question, max: { seconds: 12 } });
    expect(result.status).toBe('answered');
    expect(model.calls.map(({ kind }) => kind)).toEqual(['plan', 'reflect', 'write']);
    expect(warnings.map(({ code }) => code)).toEqual(['model_failed', 'model_failed']);
    expect(warnings[1]!.message).toContain('used again only to write the answer.');
  });

  it('searches for the question while the model plans, and only once', async () => {
    let askedAtPlan = 0;
    model.script = async (call, count) => {
      if (call.kind === 'plan') {
        await expect.poll(() => web.asked('/search').length).toBeGreaterThan(0);
        askedAtPlan = web.asked('/search').length;
      }
      return goodModel(call, count);
    };
    web.requests.length = 0;
    const { result } = await ask(question);
    expect(askedAtPlan).toBe(1);
    expect(web.asked('/search').length).toBe(1);
    expect(result.usage.searches).toBe(1);
  });

  it('blames the model, not the search, when its answer comes at a crawl', async () => {
    const crawl =
      'STATUS: answered\n\nThe Quarkle reactor in Zenthia was opened, as far as anybody can tell, by somebody.';
    model.script = (call, count) => (call.kind === 'write' ? { text: crawl, ms: 1000 } : goodModel(call, count));
    const { result, warnings } = await ask({ ...question, max: { seconds: 8 } });
    expect(result.status).toBe('partial');
    expect(result.answer).toContain('Edda Marling');
    expect(warnings.map(({ code }) => code)).toEqual(['model_failed']);
    expect(warnings[0]!.message).toContain('too slow');
  });

  it('answers 32 searches at the same time from an endpoint that serves two', async () => {
    const lanes = [Promise.resolve(), Promise.resolve()];
    model.script = async (call, count) => {
      const lane = count % 2;
      lanes[lane] = lanes[lane]!.then(() => new Promise((resolve) => setTimeout(resolve, 150)));
      await lanes[lane];
      return goodModel(call, count);
    };
    const keys = await Promise.all(['a', 'b', 'c', 'd'].map((name) => keyOf(app, 'pro', name)));
    const results = await Promise.all(
      Array.from({ length: 32 }, (_, at) => ask({ ...question, max: { seconds: 25 } }, keys[at % 4])),
    );
    expect(results.filter(({ result }) => !result.answer.includes('Edda Marling'))).toEqual([]);
  });
});

describe('usage.model_calls', () => {
  it('counts the calls that the endpoint received, and none of the extractive model', async () => {
    expect((await ask(question)).result.usage.model_calls).toBe(model.calls.length);
    model.calls.length = 0;
    model.script = () => ({ status: 401 });
    const { result } = await ask(question);
    expect(result.usage.model_calls).toBe(model.calls.length);
    expect(result.usage.model_calls).toBe(1);
  });
});
