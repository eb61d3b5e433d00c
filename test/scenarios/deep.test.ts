/** A deep search in the real app: its parts are researched side by side, under one budget and in one log. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchEventOf, SearchFrame, TextResult } from '../../protocol/index.ts';
import { notedBefore } from '../../src/model/language/prompts.ts';
import { expectCitationsHold, expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import {
  evidenceIn,
  type ModelServer,
  questionIn,
  type Script,
  sentenceOf,
  startModelServer,
} from '../support/servers/model-server.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Compare the Quarkle reactor, the Vimble tower, the Drostel canal and the Hapfen mill.';
const facts: Readonly<Record<string, string>> = {
  Quarkle: 'The Quarkle reactor in Zenthia produces 42 megawatts of heat for the old town.',
  Vimble: 'The Vimble tower was built by Odo Brandt in the summer of 1911 from red brick.',
  Drostel: 'The Drostel canal is 57 kilometres long and was dug by hand in nine years.',
  Hapfen: 'The Hapfen mill grinds 300 sacks of barley in a week when the wind is strong.',
};
const names = Object.keys(facts);
const partOf = (name: string) => `What is known about ${name}?`;

let app: TestApp;
let model: ModelServer;
let web: WebServer;
beforeAll(async () => {
  [model, web] = await Promise.all([startModelServer(), startWebServer()]);
  app = await startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    SEARXNG_URL: web.url,
    MEDIAWIKI_URL: 'off',
    FETCH_ALLOW_HOSTS: web.host,
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([model.close(), web.close()]);
});
beforeEach(() => {
  model.calls.length = 0;
  model.script = thorough;
  for (const name of names) web.pages.set(`/${name}`, { body: article(name, facts[name]!) });
  web.found = (_engine, query) => names.filter((name) => query.includes(name)).map((name) => `/${name}`);
});

/** Divides the question, and writes a section about each thing of which it has evidence. */
const thorough: Script = (call) => {
  const none = { from: null, to: null, language: null, only: [], never: [] };
  if (call.kind === 'plan')
    return { text: JSON.stringify({ queries: ['comparison'], questions: names.map(partOf), ...none }) };
  if (call.kind === 'reflect') return { text: '{"enough":true,"queries":[]}' };
  const said = evidenceIn(call).filter(({ text }) => names.some((name) => text.includes(facts[name]!)));
  const sections = said.map(({ n, text }) => `## Part ${n}\n\n${sentenceOf(text)} [${n}]`);
  return { text: `STATUS: answered\n\n${sections.join('\n\n')}` };
};

async function ask(request: object): Promise<{ frames: SearchFrame[]; result: TextResult }> {
  const frames = await readEvents(
    await app.post('/v1/search', { prompt, effort: 'deep', ...request }, { accept: 'text/event-stream' }),
  );
  expectLawful(frames);
  const last = frames.at(-1) as SearchEventOf<'search.completed'>;
  expect(last.type).toBe('search.completed');
  const result = last.result as TextResult;
  const read = async (id: string) =>
    ((await (await app.get(`/v1/contents/${id}`)).json()) as { response: string }).response;
  await expectCitationsHold(last.citations, result.answer, read);
  return { frames, result };
}
const stepsOf = (frames: readonly SearchFrame[]) => frames.filter((frame) => frame.type === 'step.started');

describe('a deep search without a model', () => {
  it('has a heading and a cited sentence for each part of the question', async () => {
    await using own = await startTestApp({
      SEARXNG_URL: web.url,
      MEDIAWIKI_URL: 'off',
      FETCH_ALLOW_HOSTS: web.host,
    });
    const answers = await own.post('/v1/search', { prompt, effort: 'deep' });
    const { answer, status, citations } = (await answers.json()) as TextResult;
    expect(status).toBe('answered');
    const headings = ['Quarkle reactor', 'Vimble tower', 'Drostel canal', 'Hapfen mill'];
    expect([...answer.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(headings);
    for (const name of names) expect(citations.map(({ quote }) => quote)).toContain(facts[name]);
  });
});

describe('a deep search', () => {
  it('researches each part by itself, as steps under that part, and answers all of them', async () => {
    const { frames, result } = await ask({});
    const steps = stepsOf(frames);
    const parts = steps.filter(({ kind }) => kind === 'read');
    expect(parts.map(({ input }) => (input as { question: string }).question)).toEqual(names.map(partOf));
    for (const { step_id } of parts) {
      const own = steps.filter(({ parent_id }) => parent_id === step_id).map(({ kind }) => kind);
      expect(own).toEqual(['search', 'fetch', 'rank']);
    }
    for (const name of names) expect(result.citations.map(({ quote }) => quote)).toContain(facts[name]);
    expect(result.status).toBe('answered');
  });

  it('judges each part by its own evidence, and the whole question by all of it', async () => {
    await ask({});
    const judged = model.calls.filter(({ kind }) => kind === 'reflect');
    expect(
      judged
        .map(questionIn)
        .filter((question) => question !== prompt)
        .sort(),
    ).toEqual(names.map(partOf).sort());
    const whole = judged.at(-1)!;
    expect(questionIn(whole)).toBe(prompt);
    for (const name of names) expect(whole.prompt).toContain(facts[name]);
  });

  it('searches for what is missing once all parts are together', async () => {
    web.pages.set('/Lomber', { body: article('Lomber', 'The Lomber dyke keeps the sea out since 1604.') });
    web.found = (_engine, query) =>
      [...names, 'Lomber'].filter((name) => query.includes(name)).map((name) => `/${name}`);
    model.script = (call, count) =>
      call.kind === 'reflect' && questionIn(call) === prompt && !call.prompt.includes('Lomber')
        ? { text: '{"enough":false,"queries":["Lomber dyke"]}' }
        : thorough(call, count);
    const { result } = await ask({});
    expect(result.sources.map(({ title }) => title)).toContain('Lomber');
  });

  it('opens a page once, however many parts find it', async () => {
    web.found = () => names.map((name) => `/${name}`);
    web.requests.length = 0;
    const { result } = await ask({});
    const opened = web.requests.map(({ path }) => path).filter((path) => names.some((name) => path === `/${name}`));
    expect(opened.length).toBe(new Set(opened).size);
    expect(result.usage.pages).toBeLessThanOrEqual(names.length + 2);
  });

  it.each([{ searches: 3 }, { tokens: 4_000 }, { pages: 2 }])('never spends more than %j', async (max) => {
    const { result } = await ask({ max });
    const { searches, pages, tokens_in, tokens_out } = result.usage;
    if (max.searches !== undefined) expect(searches).toBeLessThanOrEqual(max.searches);
    if (max.pages !== undefined) expect(pages).toBeLessThanOrEqual(max.pages);
    if (max.tokens !== undefined) expect(tokens_in + tokens_out).toBeLessThanOrEqual(max.tokens);
  });

  it('shows a part the whole question, as data', async () => {
    await ask({});
    const part = model.calls.find((call) => call.kind === 'reflect' && questionIn(call) === partOf('Vimble'))!;
    expect(part.prompt).toMatch(new RegExp(`<<<(\\S+) question\n${prompt.replace(/[.?]/g, '\\$&')}\n\\1>>>`));
  });

  describe('with more evidence than a prompt has room for', () => {
    const stations = Array.from({ length: 36 }, (_, at) => `Quennel${at}`);
    const isOpen = (name: string) => `The station of ${name} was opened in ${1840 + Number(name.slice(7))}.`;
    const isLong = (name: string) => `The platform of ${name} is ${100 + Number(name.slice(7))} metres long.`;
    const filler = (name: string) =>
      Array.from({ length: 14 }, (_, at) => `Of ${name} the guide has story ${at} about a lamp, a clock and rain.`);
    const asked = 'When was each station of the Quennel line opened, and how long is each platform?';

    beforeEach(() => {
      for (const name of stations)
        web.pages.set(`/${name}`, {
          body: article(name, [isOpen(name), ...filler(name)].join(' '), [...filler(name), isLong(name)].join(' ')),
        });
      web.found = (_engine, query) => {
        const from = Number(/line (\d)/.exec(query)?.[1] ?? 0) * 9;
        return stations.slice(from, from + 9).map((name) => `/${name}`);
      };
      model.script = (call) => {
        const none = { from: null, to: null, language: null, only: [], never: [] };
        if (call.kind === 'plan')
          return { text: JSON.stringify({ queries: ['line 0', 'line 1'], questions: [], ...none }) };
        const facts = [...stations.map(isOpen), ...stations.map(isLong)];
        const held = evidenceIn(call).flatMap(({ n, text }) =>
          facts.filter((fact) => text.includes(fact)).map((fact) => ({ n, fact })),
        );
        const notes = held.map(({ n, fact }) => ({ evidence: n, fact: '', quote: fact }));
        const next = ['line 2', 'line 3'].filter((query) => !call.prompt.includes(query));
        if (call.kind === 'reflect')
          return { text: JSON.stringify({ notes, enough: next.length === 0, queries: next.slice(0, 1) }) };
        return { text: `STATUS: answered\n\n${held.map(({ n, fact }) => `${fact} [${n}]`).join(' ')}` };
      };
    });

    it('writes from notes, each cited at its place in its page', async () => {
      const { result } = await ask({ prompt: asked });
      const written = model.calls.find(({ kind }) => kind === 'write')!;
      expect(evidenceIn(written).filter(({ text }) => text.startsWith(notedBefore)).length).toBeGreaterThan(40);
      const quotes = new Set(result.citations.map(({ quote }) => quote));
      const all = [...stations.map(isOpen), ...stations.map(isLong)];
      expect(all.filter((fact) => quotes.has(fact)).length).toBeGreaterThan(50);
      expect(result.status).toBe('answered');
    });

    it('shows reflection what was noted, instead of the pages', async () => {
      await ask({ prompt: asked });
      const judged = model.calls.filter(({ kind }) => kind === 'reflect');
      const [first, last] = [judged[0]!, judged.at(-1)!];
      expect(evidenceIn(first).some(({ text }) => text.startsWith(notedBefore))).toBe(false);
      expect(evidenceIn(last).filter(({ text }) => text.startsWith(notedBefore)).length).toBeGreaterThan(20);
      expect(last.prompt.length).toBeLessThan(3 * first.prompt.length);
    });
  });

  it('is one line of research for a question of one part, and for any other effort', async () => {
    for (const effort of ['balanced', 'fast']) {
      const { frames } = await ask({ effort });
      expect(stepsOf(frames).filter(({ parent_id }) => parent_id !== undefined)).toEqual([]);
    }
  });
});
