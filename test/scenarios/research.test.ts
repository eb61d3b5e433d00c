/** Research with a model in the real app: the laws of a search hold whatever the model, providers and pages do. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchEventOf, SearchFrame, TextResult } from '../../protocol/index.ts';
import { expectCitationsHold, expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { createDeferred } from '../support/deferred.ts';
import {
  evidenceIn,
  goodModel,
  type ModelServer,
  type Script,
  sentenceOf,
  startModelServer,
} from '../support/servers/model-server.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let model: ModelServer;
let web: WebServer;
const key = 'sk-secret-of-the-operator';

beforeAll(async () => {
  [model, web] = await Promise.all([startModelServer(), startWebServer()]);
  app = await startWithTimeout('20');
});
/** A busy machine may take longer than a second for an answer of a model that does not stall. */
const startWithTimeout = (seconds: string) =>
  startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: key,
    MODEL_TIMEOUT_S: seconds,
    SEARXNG_URL: web.url,
    BRAVE_API_KEY: key,
    BRAVE_URL: web.url,
    TAVILY_API_KEY: key,
    TAVILY_URL: web.url,
    MEDIAWIKI_URL: web.url,
    FETCH_ALLOW_HOSTS: web.host,
  });
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([model.close(), web.close()]);
});
beforeEach(() => {
  model.script = goodModel;
  model.calls.length = 0;
  web.requests.length = 0;
  web.pages.clear();
  web.found = () => [...web.pages.keys()];
  for (const engine of ['searxng', 'brave', 'tavily', 'mediawiki'] as const) delete web.trouble[engine];
});

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const readSnapshot = async (id: string) =>
  ((await (await app.get(`/v1/contents/${id}`)).json()) as { response: string }).response;

async function ask(
  request: unknown,
  asked = app,
): Promise<{ frames: SearchFrame[]; result: TextResult; warnings: string[] }> {
  const frames = await readEvents(await asked.post('/v1/search', request, { accept: 'text/event-stream' }));
  expectLawful(frames);
  expect(JSON.stringify(frames)).not.toContain(key);
  const last = frames.at(-1) as SearchEventOf<'search.completed'>;
  expect(last).toMatchObject({ type: 'search.completed' });
  const result = last.result as TextResult;
  if (typeof result.answer === 'string') await expectCitationsHold(last.citations, result.answer, readSnapshot);
  const warnings = frames.flatMap((frame) => (frame.type === 'warning' ? [frame.code] : []));
  return { frames, result, warnings };
}

const quarkle = 'The Quarkle reactor in Zenthia produces 42 megawatts of heat for the old town.';
/** Claims about it that the check in code finds supported in part, and not supported. */
const inDoubt = [
  'Zenthia keeps the old town warm with atomic boilers.',
  'The Quarkle reactor warms the whole district cheaply.',
];

/** Sentences without a marker. */
const remarks = Array.from({ length: 8 }, (_, at) => `This is remark number ${at + 1} of them all.`);

/** A model whose writing is this, and which is good otherwise. */
const writes =
  (reply: ReturnType<Script>): Script =>
  (call, count) =>
    call.kind === 'write' ? reply : goodModel(call, count);

describe('research with a model', () => {
  it('plans, searches, reads, weighs, writes and verifies, each as a reported step', async () => {
    web.pages.set('/heron', {
      body: article(
        'Heron Point',
        'The lighthouse at Heron Point was designed by the engineer Ingrid Solvay in 1886, and she oversaw its building.',
      ),
    });
    const { frames, result, warnings } = await ask(question);
    const steps = frames.flatMap((frame) => (frame.type === 'step.started' ? [frame.kind] : []));
    expect(steps).toEqual(['plan', 'search', 'fetch', 'rank', 'write', 'verify']);
    expect(warnings).toEqual([]);
    expect(result.status).toBe('answered');
    expect(result.citations.length).toBe(1);
    expect(result.usage).toMatchObject({
      model_calls: 3,
      tokens_in: 400,
      tokens_out: 80,
      models: ['scripted'],
      providers: ['corpus', 'searxng', 'brave', 'tavily', 'mediawiki'],
      stop_reason: 'enough',
    });
    expect(web.asked('/heron').length).toBe(1);
    expect(model.calls.every((call) => call.key === key)).toBe(true);
  });

  it('cites a page of the web whose snapshot can be read', async () => {
    web.pages.set('/quark', {
      body: article('Quarkle', 'The Quarkle reactor in Zenthia produces 42 megawatts of heat for the old town.'),
    });
    model.script = (call, count) => {
      if (call.kind !== 'write') return goodModel(call, count);
      const piece = evidenceIn(call).find(({ text }) => text.includes('Quarkle'))!;
      return { text: `The Quarkle reactor in Zenthia produces 42 megawatts of heat for the old town. [${piece.n}]` };
    };
    const { result } = await ask({ prompt: 'How much heat does the Quarkle reactor in Zenthia produce?' });
    expect(result.citations[0]).toMatchObject({ url: `${web.url}/quark`, support: 'exact' });
  });

  it('drops and counts a citation marker that the evidence does not support', async () => {
    model.script = writes({ text: 'STATUS: answered\n\nThe moon is made of 17 cheeses. [1] And of pie. [99]' });
    const { result, warnings } = await ask(question);
    expect(result.answer).toBe('The moon is made of 17 cheeses. And of pie.');
    expect(result.usage.dropped_citations).toBe(2);
    expect(result.status).toBe('partial');
    expect(warnings).toContain('uncited');
  });

  it('has the claims that the check in code is not sure of judged in one call, and cites as judged', async () => {
    web.pages.set('/quark', { body: article('Quarkle', quarkle) });
    const verdicts = ['supported', 'contradicted'];
    let judged = 0;
    model.script = (call, count) => {
      if (call.kind === 'write') {
        const n = evidenceIn(call).find(({ text }) => text.includes('Quarkle'))!.n;
        return {
          text: [quarkle, ...inDoubt, 'The Quarkle reactor does not produce 42 megawatts of heat.']
            .map((claim) => `${claim} [${n}]`)
            .join(' '),
        };
      }
      if (call.kind !== 'judge') return goodModel(call, count);
      judged += 1;
      for (const claim of inDoubt) expect(call.prompt).toContain(claim);
      return { text: JSON.stringify({ verdicts: verdicts.map((verdict, at) => ({ pair: at + 1, verdict })) }) };
    };
    const { result, warnings } = await ask({
      prompt: 'How much heat does the Quarkle reactor in Zenthia produce?',
    });
    const cited = result.citations.map(({ start, end, verdict }) => [result.answer.slice(start, end), verdict]);
    expect(judged).toBe(1);
    expect(cited).toEqual([
      [quarkle, 'supported'],
      [inDoubt[0], 'supported'],
    ]);
    expect(result.usage).toMatchObject({ dropped_citations: 2, contradicted_citations: 2 });
    expect(warnings.filter((code) => code === 'contradicted').length).toBe(2);
    expect(result.answer.match(/\[\d\]/g)).toEqual(['[1]', '[1]']);
  });

  it('has them judged while a slow model still writes', async () => {
    web.pages.set('/quark', { body: article('Quarkle', quarkle) });
    const wasAsked = createDeferred();
    model.script = (call, count) => {
      if (call.kind === 'judge') {
        wasAsked.resolve();
        return { text: JSON.stringify({ verdicts: inDoubt.map((_, at) => ({ pair: at + 1, verdict: 'supported' })) }) };
      }
      if (call.kind !== 'write') return goodModel(call, count);
      const n = evidenceIn(call).find(({ text }) => text.includes('Quarkle'))!.n;
      // Nothing more is written before the judge is asked.
      return {
        text: `STATUS: answered\n\n${[...inDoubt.map((claim) => `${claim} [${n}]`), ...remarks].join(' ')}`,
        ms: 60,
        restAfter: wasAsked.promise,
      };
    };
    const { result } = await ask({ prompt: 'How much heat does the Quarkle reactor in Zenthia produce?' });
    const cited = result.citations
      .slice(0, 2)
      .map(({ start, end, verdict }) => [result.answer.slice(start, end), verdict]);
    expect(cited).toEqual(inDoubt.map((claim) => [claim, 'supported']));
    expect(model.calls.filter(({ kind }) => kind === 'judge').length).toBe(1);
  });

  it.each([
    ['refuses', { status: 400 }],
    ['answers in prose', { text: 'The first one is fine.' }],
    ['never answers', { stallAfter: '' }],
  ] as const)('keeps the verdicts of the code if the judge %s', async (_, reply) => {
    web.pages.set('/quark', { body: article('Quarkle', quarkle) });
    model.script = (call, count) => {
      if (call.kind === 'judge') return reply;
      if (call.kind !== 'write') return goodModel(call, count);
      const n = evidenceIn(call).find(({ text }) => text.includes('Quarkle'))!.n;
      return { text: [quarkle, ...inDoubt].map((claim) => `${claim} [${n}]`).join(' ') };
    };
    const { result } = await ask({ prompt: 'How much heat does the Quarkle reactor in Zenthia produce?' });
    expect(result.citations.map(({ verdict }) => verdict)).toEqual(['supported', 'partly']);
    expect(result.usage).toMatchObject({ dropped_citations: 1 });
    expect(result.status).toBe('partial');
    expect(result.uncited_share).toBeCloseTo(1 / 3, 2);
  });

  it.each(['partial', 'not_found'] as const)('passes on the status %s of an answer', async (status) => {
    model.script = (call, count) => {
      if (call.kind !== 'write') return goodModel(call, count);
      const [first] = evidenceIn(call);
      return {
        text: `STATUS: ${status}\n${status === 'not_found' ? '' : `\n${sentenceOf(first!.text)} [${first!.n}]`}`,
      };
    };
    const { result } = await ask(question);
    expect(result.status).toBe(status);
    expect(result.answer === '').toBe(status === 'not_found');
  });

  it('calls sources conflicting only if both sides are cited', async () => {
    web.pages.set('/one', { body: article('Quarkle', quarkle) });
    web.pages.set('/two', {
      body: article('Quarkle', 'The Quarkle reactor in Zenthia produces 90 megawatts of heat.'),
    });
    let cited = 2;
    model.script = (call, count) => {
      if (call.kind !== 'write') return goodModel(call, count);
      const sides = [quarkle, 'produces 90'].map((said) => evidenceIn(call).find(({ text }) => text.includes(said))!);
      const sentences = sides.map(({ n, text }, at) => `${sentenceOf(text)}${at < cited ? ` [${n}]` : ''}`);
      return { text: `STATUS: conflicting\n\n${sentences.join('\n\n')}` };
    };
    const prompt = 'How much heat does the Quarkle reactor in Zenthia produce?';
    expect((await ask({ prompt })).result).toMatchObject({ status: 'conflicting' });
    cited = 1;
    const { result, warnings } = await ask({ prompt: `${prompt} Please.` });
    expect(result.status).toBe('partial');
    expect(warnings).toEqual(['uncited']);
  });

  it('continues while the model requests more, and never repeats a query', async () => {
    const more: Script = (call, count) =>
      call.kind === 'reflect'
        ? {
            text: JSON.stringify({
              enough: false,
              queries: ['Heron Point lamp', 'heron point LAMP?', question.prompt],
            }),
          }
        : goodModel(call, count);
    model.script = more;
    const { frames, result } = await ask({ ...question, effort: 'deep' });
    const queries = frames.flatMap((frame) =>
      frame.type === 'step.started' && frame.kind === 'search' ? (frame.input as { queries: string[] }).queries : [],
    );
    expect(queries).toEqual([question.prompt, 'Heron Point lamp']);
    expect(['nothing_new', 'rounds']).toContain(result.usage.stop_reason);
  });

  it('shows reflection what was searched for, and which pages could not be read', async () => {
    web.pages.set('/gone', { body: 'gone', status: 404 });
    web.pages.set('/heron', { body: article('Heron Point', 'The lamp of Heron Point was first lit in May 1887.') });
    await ask(question);
    const reflected = model.calls.find(({ kind }) => kind === 'reflect')!.prompt;
    expect(reflected).toMatch(
      /Searched for already:\n<<<(\S+) searches\nWho designed the Heron Point Lighthouse\?\n\1>>>/,
    );
    expect(reflected).toMatch(/could not be read:\n<<<(\S+) pages\n[^\n]*\n\1>>>/);
    expect(model.calls.find(({ kind }) => kind === 'write')!.prompt).not.toContain('Searched for already');
  });

  describe('whose plan has constraints', () => {
    const constrained = (only: string, from: string): Script => {
      const plan = { queries: ['lighthouse'], from, to: null, language: 'en', only: [only], never: [] };
      return (call, count) => (call.kind === 'plan' ? { text: JSON.stringify(plan) } : goodModel(call, count));
    };
    const stated = `${question.prompt} Only from nowhere.example, and published since 2020.`;
    const summaryOf = (frames: SearchFrame[]) => frames.find((frame) => frame.type === 'step.finished')!.summary;

    beforeEach(() => {
      model.script = constrained('nowhere.example', '2020-01-01');
      web.pages.set('/other', { body: article('Other', 'A lighthouse stands here since 1901.') });
    });

    it('shows those of the prompt in the plan, and applies them', async () => {
      const { frames, warnings } = await ask({ prompt: stated });
      expect(summaryOf(frames)).toContain('only nowhere.example');
      expect(summaryOf(frames)).toContain('from 2020-01-01');
      expect(warnings).toContain('source_wish_not_met');
    });

    it('searches without those that the prompt does not state', async () => {
      const { frames, result, warnings } = await ask(question);
      expect(summaryOf(frames)).not.toMatch(/nowhere|2020|in en/);
      expect(warnings).toEqual([]);
      expect(result.status).toBe('answered');
    });

    it('goes on with older pages, and says so, if nothing newer is found', async () => {
      const plan = { queries: ['Quarkle Zenthia'], from: '2015-01-01', to: null, language: null, only: [], never: [] };
      model.script = (call, count) => (call.kind === 'plan' ? { text: JSON.stringify(plan) } : goodModel(call, count));
      const page = article('Quarkle', quarkle);
      const published = '<meta property="article:published_time" content="2011-05-04T00:00:00Z"></head>';
      web.pages.clear();
      web.pages.set('/old', { body: page.replace('</head>', published) });
      // Without the server's own index, whose pages have no dates.
      const prompt = 'Quarkle Zenthia since 2015?';
      const { result, warnings } = await ask({ prompt, effort: 'fast', source_whitelist: ['127.0.0.1'] });
      expect(warnings).toContain('source_wish_not_met');
      expect(result.answer).toContain('42 megawatts');
    });

    it('does not spend the only round on sources that have nothing', async () => {
      const { result, warnings } = await ask({ prompt: stated, effort: 'fast' });
      expect(warnings).toContain('source_wish_not_met');
      expect(result.citations.length).toBeGreaterThan(0);
    });
  });
});

describe('sources that disagree', () => {
  beforeEach(() => {
    web.pages.set('/forum/1', { body: article('How long is it?', 'The Zorblat bridge is 701 metres long.') });
    web.pages.set('/guide/1', { body: article('Zorblat bridge', 'The Zorblat bridge is 512 metres long.') });
    web.found = () => ['/forum/1', '/guide/1'];
  });

  it('are told apart by kind: the forum comes last, and the model and the result say what it is', async () => {
    model.script = (call, count) => {
      const [first] = evidenceIn(call).filter(({ text }) => text.includes('Zorblat'));
      if (call.kind !== 'write') return goodModel(call, count);
      return { text: `STATUS: answered\n\n${sentenceOf(first!.text)} [${first!.n}]` };
    };
    const { result } = await ask({ prompt: 'How long is the Zorblat bridge?' });
    expect(result.answer).toContain('512 metres');
    const shown = model.calls.find(({ kind }) => kind === 'write')!.prompt;
    expect(shown).toMatch(/Site: 127\.0\.0\.1, forum\n/);
    expect(shown.indexOf('512 metres')).toBeLessThan(shown.indexOf('701 metres'));
    expect(result.sources.find(({ url }) => url.includes('/forum/'))?.kind).toBe('forum');
    expect(result.sources.find(({ url }) => url.includes('/guide/'))?.kind).toBe(undefined);
  });
});

describe('hits', () => {
  it('outside the dates of a search are not opened', async () => {
    web.pages.set('/old', { body: article('Zorblat then', 'In Zorblat, 12 boats were counted.') });
    web.pages.set('/new', { body: article('Zorblat now', 'In Zorblat, 40 boats were counted.') });
    web.found = () => [
      { url: '/old', title: 'Zorblat then', content: 'Boats', publishedDate: '2011-03-01' },
      { url: '/new', title: 'Zorblat now', content: 'Boats', publishedDate: '2025-03-01' },
    ];
    await ask({ prompt: 'How many boats were counted in Zorblat?', from: '2024-01-01' });
    expect([web.asked('/old').length, web.asked('/new').length]).toEqual([0, 1]);
  });

  it('that are plainly about something else are opened last, and only a few', async () => {
    const others = Array.from({ length: 9 }, (_, at) => `/other${at}`);
    for (const path of others) web.pages.set(path, { body: article(`Bridges ${path}`, 'A bridge has two ends.') });
    web.pages.set('/zorblat', { body: article('Zorblat', 'The Zorblat bridge is 512 metres long.') });
    web.found = () => [
      ...others.map((url) => ({ url, title: `Bridges ${url}`, content: 'A bridge has two ends.' })),
      { url: '/zorblat', title: 'The Zorblat bridge', content: 'Its length' },
    ];
    await ask({ prompt: 'How long is the bridge of Zorblat?' });
    expect(web.asked('/zorblat').length).toBe(1);
    expect(others.filter((path) => web.asked(path).length > 0).length).toBeLessThanOrEqual(3);
  });
});

describe('a model that fails', () => {
  const first = 'Heron Point Lighthouse';
  it.each<[string, Script]>([
    ['answers 500', () => ({ status: 500 })],
    ['answers 401', () => ({ status: 401, body: { error: { message: `bad key ${key}` } } })],
    ['wants to be left alone for a minute', () => ({ status: 429, headers: { 'retry-after': '60' } })],
    ['answers with garbage', () => ({ text: '}{ no JSON <<<' })],
    ['answers with nothing', () => ({ text: '' })],
    ['refuses', () => ({ refusal: 'I would rather not.' })],
    ['calls tools that nobody offered', () => ({ tool: 'fetch_url' })],
    ['breaks off', () => ({ cutAfter: '' })],
    ['sends a stream that is none', () => ({ raw: 'data: {"choices": nonsense\n\n' })],
  ])('still answers with citations when the model %s', async (_, script) => {
    model.script = script;
    const { result, warnings } = await ask(question);
    expect(result.answer).toContain('Ingrid Solvay');
    expect(result.citations.length).toBeGreaterThan(0);
    expect(warnings).toContain('model_failed');
    expect(model.open()).toBe(0);
  });

  it('still answers with citations when the model stalls', async () => {
    await using hasty = await startWithTimeout('1');
    model.script = () => ({ stallAfter: '' });
    const { result, warnings } = await ask(question, hasty);
    expect(result.answer).toContain('Ingrid Solvay');
    expect(warnings).toContain('model_failed');
    expect(model.open()).toBe(0);
  });

  it.each<[string, Script]>([
    ['breaks off in the middle', writes({ cutAfter: `STATUS: answered\n\n${first} was first` })],
    ['stalls in the middle', writes({ stallAfter: `STATUS: answered\n\n${first} was first` })],
    ['grows too long', writes({ text: `STATUS: answered\n\n${first} was first`, finish: 'length' })],
    ['repeats itself', writes({ repeats: 'and so the lighthouse stood there. ' })],
    ['never stops', writes({ endless: true })],
  ])('keeps what was sent and completes when the model’s answer %s', async (_, script) => {
    model.script = script;
    const { result, warnings } = await ask({ ...question, max: { seconds: 4 } });
    expect(result.status).toBe('partial');
    expect(result.answer.length).toBeGreaterThan(10);
    expect(warnings.length).toBeGreaterThan(0);
    expect(model.open()).toBe(0);
  });

  it('retries a model after a transient failure', async () => {
    let failures = 0;
    model.script = (call, count) => {
      if (failures < 2) {
        failures += 1;
        return { status: 503 };
      }
      return goodModel(call, count);
    };
    const { warnings } = await ask(question);
    expect(warnings).toEqual([]);
  });

  it('learns from its errors, once, which features an endpoint does not support', async () => {
    model.script = (call, count) => {
      const { response_format, stream_options, max_tokens } = call.body;
      if (response_format?.type === 'json_schema')
        return { status: 400, body: { error: { message: "'response_format' of type json_schema is not supported" } } };
      if (stream_options !== undefined)
        return { status: 400, body: { error: { message: 'Unknown field stream_options' } } };
      if (max_tokens !== undefined)
        return { status: 400, body: { error: { message: "Use 'max_completion_tokens' instead of 'max_tokens'" } } };
      return goodModel(call, count);
    };
    await ask(question);
    const learning = model.calls.length;
    const { warnings } = await ask(question);
    expect(warnings).toEqual([]);
    expect(model.calls.length - learning).toBe(3);
  });
});

describe('an endpoint where nobody listens', () => {
  it('answers with citations and a warning when nothing listens at the endpoint', async () => {
    await using server = await startTestApp({
      MODEL: 'gone',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: key,
    });
    for (let i = 0; i < 2; i += 1) {
      const frames = await readEvents(await server.post('/v1/search', question, { accept: 'text/event-stream' }));
      expectLawful(frames);
      expect(frames.filter(({ type }) => type === 'warning').length).toBe(1);
      const { result } = frames.at(-1) as SearchEventOf<'search.completed'>;
      expect((result as TextResult).answer).toContain('Ingrid Solvay');
      expect((result as TextResult).usage.models).toEqual(['gone', 'extractive']);
      expect(JSON.stringify(frames)).not.toContain(key);
    }
  });
});

describe('a follow-up', () => {
  it('gives the model the previous question and today’s date', async () => {
    const { result } = await ask(question);
    await ask({ prompt: 'And when?', previous_search_id: result.search_id, language: 'de', from: '1800-01-01' });
    const plan = model.calls.filter(({ kind }) => kind === 'plan').at(-1)!;
    expect(plan.prompt).toContain(question.prompt);
    expect(plan.prompt).toContain('Question:\nAnd when?');
    expect(plan.prompt).toContain(new Date().toISOString().slice(0, 10));
    expect(plan.prompt).toContain('Only what was published from 1800-01-01.');
    expect(model.calls.at(-1)!.prompt).toContain('the language "de"');
  });

  it('gives the model the answer before, as data, without its markers', async () => {
    const { result } = await ask(question);
    expect(result.answer).toMatch(/ \[1\]$/);
    await ask({ prompt: 'And when was it?', previous_search_id: result.search_id });
    for (const kind of ['plan', 'write']) {
      const { prompt } = model.calls.filter((call) => call.kind === kind).at(-1)!;
      expect(prompt).toMatch(new RegExp(`<<<(\\S+) answer\n${result.answer.replace(' [1]', '')}\n\\1>>>`));
    }
  });
});

describe('a conversation', () => {
  it('shows the model the answers before the last, oldest first, and at most three of them', async () => {
    let { result } = await ask(question);
    const ids: string[] = [];
    for (let turn = 1; turn <= 5; turn += 1) {
      model.script = async (call, count) => {
        const answer = await goodModel(call, count);
        return call.kind === 'write' && 'text' in answer ? { text: `${answer.text} Turn ${turn} is over.` } : answer;
      };
      ids.push(result.search_id);
      ({ result } = await ask({ prompt: `And when, in turn ${turn}?`, previous_search_id: result.search_id }));
      expect(result.previous_search_id).toBe(ids.at(-1));
    }
    const { prompt } = model.calls.filter(({ kind }) => kind === 'plan').at(-1)!;
    const shown = prompt.slice(prompt.indexOf('Answered to those before the last'));
    expect([...shown.matchAll(/Turn (\d) is over/g)].map(([, turn]) => Number(turn))).toEqual([1, 2, 3, 4]);
  });
});

describe('a budget', () => {
  it('stops a model that always requests more', async () => {
    let n = 0;
    model.script = (call, count) => {
      if (call.kind !== 'reflect') return goodModel(call, count);
      n += 1;
      return { text: JSON.stringify({ enough: false, queries: [`Heron Point ${n}`, `lamp ${n}`, `Solvay ${n}`] }) };
    };
    const { result } = await ask({ ...question, effort: 'deep', max: { searches: 5, tokens: 30_000 } });
    expect(result.usage.searches).toBe(5);
    expect(result.usage.stop_reason).toBe('searches');
    expect(result.status).toBe('partial');
    expect(web.asked('/res/v1/web/search').length).toBeLessThanOrEqual(5);
  });

  it('keeps pages and tokens within the budget', async () => {
    for (let i = 0; i < 8; i += 1)
      web.pages.set(`/p${i}`, {
        body: article(
          `Page ${i}`,
          `Heron Point Lighthouse, fact ${i}: it was designed by Ingrid Solvay, with ${i} lamps.`,
        ),
      });
    const { result } = await ask({ ...question, max: { pages: 2, tokens: 150 } });
    expect(result.usage.pages).toBeLessThanOrEqual(2);
    expect(result.status).toBe('partial');
    expect(result.usage.stop_reason).toBe('tokens');
    expect(result.usage.model_calls).toBeLessThanOrEqual(4);
    expect(model.calls.length).toBe(0);
  });
});

describe('providers', () => {
  it('merges the results of providers, and reads a page that several find once', async () => {
    web.pages.set('/a', { body: article('A', 'Zorblat was founded in 1723 by monks.') });
    web.pages.set('/b', { body: article('B', 'Zorblat lies by the sea.') });
    web.found = (engine) => (engine === 'brave' ? ['/a?utm_source=x', '/b'] : ['/b/', '/a#top']);
    await ask({ prompt: 'When was Zorblat founded?' });
    expect(web.requests.filter(({ path }) => /^\/[ab]\/?$/.test(path)).length).toBe(2);
  });

  it.each(['error', 'limited', 'garbage', 'empty'] as const)(
    'answers with a warning when a provider fails with %s',
    async (trouble) => {
      web.trouble.searxng = trouble;
      const { result, warnings } = await ask(question);
      expect(result.status).toBe('answered');
      expect(warnings).toEqual(['provider_failed']);
    },
  );

  it('answers from the corpus with a warning when all providers fail', async () => {
    for (const engine of ['searxng', 'brave', 'tavily', 'mediawiki'] as const) web.trouble[engine] = 'error';
    const { result, warnings } = await ask(question);
    expect(result.status).toBe('answered');
    expect(warnings).toContain('partial_coverage');
  });

  it('never reads a page that the source lists exclude', async () => {
    web.pages.set('/no/x', { body: article('X', 'The Heron Point Lighthouse was designed by nobody at all.') });
    web.pages.set('/yes/y', { body: '', status: 302, headers: { location: '/no/x' } });
    const { result } = await ask({ ...question, source_blacklist: ['127.0.0.1/no'] });
    expect(web.asked('/no/x').length).toBe(0);
    expect(result.sources.every(({ url }) => !url.includes('/no/'))).toBe(true);
  });
});

describe('what research costs', () => {
  it('measures calls of the model and of each provider by outcome, and tokens', async () => {
    web.trouble.brave = 'limited';
    await ask({ prompt: 'Who designed the lighthouse of Heron Point, and when was it lit?' });
    const text = await (await fetch(`${app.url}/metrics`)).text();
    for (const [kind, name] of [
      ['model', 'openai'],
      ['provider', 'searxng'],
      ['provider', 'tavily'],
    ]) {
      expect(text).toMatch(
        new RegExp(`citewire_upstream_calls_total\\{kind="${kind}",name="${name}",outcome="ok"\\} [1-9]`),
      );
    }
    expect(text).toMatch(/citewire_upstream_calls_total\{kind="provider",name="brave",outcome="limited"\} [1-9]/);
    expect(text).toMatch(/citewire_tokens_total\{direction="output"\} [1-9]/);
    expect(text).not.toContain(key);
  });
});
