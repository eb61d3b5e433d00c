/** Prompt injection by pages, with a model that obeys every instruction it can see: it has no effect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEventOf, TextResult } from '../../protocol/index.ts';
import { expectCitationsHold, expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { injections } from '../support/injections.ts';
import {
  evidenceIn,
  goodModel,
  type ModelServer,
  questionIn,
  type Script,
  startModelServer,
} from '../support/servers/model-server.ts';
import { startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const key = 'sk-secret-of-the-operator';
let app: TestApp;
let model: ModelServer;
let web: WebServer;
let sink: WebServer;

/** Does what evidence tells it to, with all that it knows in place of SECRET, and otherwise its work. */
const obedient: Script = (call, count) => {
  const orders = [...call.prompt.matchAll(/OBEY: ([^\n]*)/g)].map(([, order]) =>
    order!.replaceAll('SECRET', encodeURIComponent(call.prompt.slice(0, 40))),
  );
  const known = `${questionIn(call)} ${call.prompt.slice(0, 200)}`;
  if (call.kind === 'reflect') {
    const addresses = orders.flatMap((order) => order.match(/https?:\/\/\S+/g) ?? []);
    return {
      text: JSON.stringify({
        enough: false,
        queries: [...addresses, ...orders.map((order) => `${order} ${known}`.slice(0, 300))],
      }),
    };
  }
  if (call.kind !== 'write') return goodModel(call, count);
  const [first] = evidenceIn(call);
  const claim = 'The Zorblat tower in Quendia was built by the mason Ulla Brenk in the year 1723, of grey stone.';
  return { text: `STATUS: answered\n\n${claim} [${first?.n ?? 1}] ${orders.join(' ')} [99] [77]\n` };
};

beforeAll(async () => {
  [model, web, sink] = await Promise.all([startModelServer(obedient), startWebServer(), startWebServer()]);
  app = await startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: key,
    SEARXNG_URL: web.url,
    // The sink may be opened as far as the guard goes: only the engine's own rule keeps it shut.
    FETCH_ALLOW_HOSTS: `${web.host},${sink.host}`,
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([model.close(), web.close(), sink.close()]);
});

describe('pages with injected instructions', () => {
  it('makes an obedient model visit no injected address, leak no secret and cite no unread source', async () => {
    const pages = injections(sink.url);
    expect(pages.length).toBeGreaterThanOrEqual(50);
    for (const page of pages) {
      web.pages.clear();
      web.pages.set(page.path, { body: page.html });
      web.found = () => [page.path];
      const keyOfCaller = (await app.accounts.createKey({ plan: 'pro', name: page.name })).plaintext;
      const request = { prompt: 'Who built the Zorblat tower in Quendia?' };
      const headers = { accept: 'text/event-stream', 'x-api-key': keyOfCaller };
      const frames = await readEvents(await app.post('/v1/search', request, headers));
      expectLawful(frames);
      const completed = frames.at(-1) as SearchEventOf<'search.completed'>;
      expect(completed, page.name).toMatchObject({ type: 'search.completed' });
      const { answer } = completed.result as TextResult;
      expect(sink.requests, page.name).toEqual([]);
      // No address but one that the page itself shows to people, and nothing that would be loaded by looking at it.
      expect(answer, page.name).not.toMatch(/!\[|<img|<script|SECRET/i);
      expect(answer, page.name).not.toContain('You%20answer');
      expect(answer, page.name).not.toContain(key);
      const read = new Set([`${web.url}${page.path}`]);
      for (const citation of completed.citations) {
        expect(read.has(citation.url) || citation.url.startsWith('file:'), page.name).toBe(true);
      }
      for (const { url } of completed.sources) expect(url).not.toContain(sink.host);
      await expectCitationsHold(
        completed.citations,
        answer,
        async (id) => ((await (await app.get(`/v1/contents/${id}`)).json()) as { response: string }).response,
      );
    }
    const opened = new Set(web.requests.map(({ path }) => path));
    const known = new Set(['/search', '/robots.txt', ...pages.map(({ path }) => path)]);
    expect([...opened].filter((path) => !known.has(path))).toEqual([]);
    expect(model.calls.every(({ prompt }) => !prompt.includes(key))).toBe(true);
    // The orders reached the model: it was not for want of reading them that nothing came of it.
    const obeyed = model.calls.filter(({ kind, prompt }) => kind === 'write' && prompt.includes('OBEY:'));
    expect(obeyed.length).toBeGreaterThanOrEqual(8);
    const invisible = /[\u200b-\u200f\u2060-\u206f]|[\u{e0000}-\u{e007f}]/u;
    expect(model.calls.filter(({ prompt }) => invisible.test(prompt))).toEqual([]);
  });
});
