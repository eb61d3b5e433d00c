/** Plans and reflections in the shapes that models give them, over real sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Brief, StageContext } from '../../../src/engine/ports/model.ts';
import { openModel } from '../../../src/model/open-model.ts';
import { createTrustedFetch, type TrustedFetch } from '../../../src/web/fetch/trusted-fetch.ts';
import { type ModelServer, startModelServer } from '../../support/servers/model-server.ts';

const brief: Brief = { prompt: 'Who?', question: 'Who built it?', previous: [], today: '2026-11-22' };
const context: StageContext = {
  signal: new AbortController().signal,
  meter: { admit: () => {}, left: () => 100_000, record: () => {} },
};

let server: ModelServer;
let trusted: TrustedFetch;
beforeAll(async () => {
  server = await startModelServer();
  trusted = createTrustedFetch();
});
afterAll(async () => {
  await trusted.close();
  await server.close();
});

function modelThatSays(answer: unknown) {
  server.script = () => ({ text: JSON.stringify(answer) });
  const fetchFor = () => trusted.fetch;
  return openModel({ models: { writer: 'm' }, provider: 'openai', baseUrl: server.url, fetchFor, retryMs: 1 }).writer;
}

describe('a plan', () => {
  it.each([
    [{ queries: ['Ingrid Solvay'] }],
    [{ queries: 'Ingrid Solvay' }],
    [{ queries: [{ query: 'Ingrid Solvay' }] }],
    [{ queries: { query: 'Ingrid Solvay' } }],
    [{ query: 'Ingrid Solvay' }],
    [['Ingrid Solvay']],
    [[{ queries: ['Ingrid Solvay'] }]],
  ])('may be %j', async (answer) => {
    expect((await modelThatSays(answer).plan(brief, context)).queries).toEqual(['Ingrid Solvay', brief.question]);
  });

  it.each([[{ queries: 'none' }], [{ queries: [] }], [{ queries: [{}, 5, null] }], [{}]])(
    'fails without queries: %j',
    async (answer) => {
      await expect(modelThatSays(answer).plan(brief, context)).rejects.toThrow('its plan had no queries.');
    },
  );

  it('has the parts of a deep search in the same shapes', async () => {
    const model = modelThatSays({ queries: 'Solvay', questions: [{ question: 'Who built it?' }, 'When?'] });
    expect((await model.plan({ ...brief, effort: 'deep' }, context)).parts).toEqual(['Who built it?', 'When?']);
  });
});

describe('a reflection', () => {
  it.each([
    [{ enough: false, queries: 'none' }, []],
    [{ enough: false }, []],
    [{ queries: ['Solvay'], notes: [] }, ['Solvay']],
    [{ enough: false, queries: [{ query: 'Solvay' }] }, ['Solvay']],
  ])('may be %j', async (answer, queries) => {
    expect(await modelThatSays(answer).reflect(brief, [], context)).toMatchObject({ enough: false, queries });
  });

  it.each(['true', 'Yes', true])('may say that there is enough by %j', async (enough) => {
    expect(await modelThatSays({ enough }).reflect(brief, [], context)).toMatchObject({ enough: true, queries: [] });
  });

  it.each([2, '2', '[2]', [2], 'evidence [2]'])('may name the evidence of a note by %j', async (evidence) => {
    const notes = [{ evidence, fact: '', quote: 'It is old.' }, { fact: 'Of nothing.' }];
    const reflected = await modelThatSays({ enough: false, notes }).reflect(brief, [], context);
    expect(reflected.notes).toEqual([{ evidence: 2, fact: '', quote: 'It is old.' }]);
  });
});

describe('the verdicts on claims', () => {
  const claims = ['It is old.', 'It is high.'].map((claim) => ({ claim, title: 'Tower', passage: 'It is old.' }));
  const [first, second] = [
    { pair: 1, verdict: 'supported' },
    { pair: 2, verdict: 'unclear' },
  ];

  it.each([
    [{ verdicts: [first, second] }],
    [{ verdicts: [second, null, 'none', { pair: 7, verdict: 'partly' }, first] }],
    [[first, second]],
    [[{ verdicts: [first, second] }]],
    [{ verdicts: ['supported', 'unclear'] }],
    [['Supported.', 'Not supported']],
    [{ verdicts: [{ verdict: 'fully supported' }, { verdict: 'UNSUPPORTED' }] }],
    [{ 1: 'supported', 2: 'unclear' }],
    [{ verdicts: { 'pair 1': 'supported', 'pair 2': 'unclear' } }],
    [
      {
        verdicts: [
          { pair: '1', verdict: 'supported' },
          { pair: 'pair [2]', verdict: ' unclear ' },
        ],
      },
    ],
  ])('may be %j', async (answer) => {
    server.calls.length = 0;
    expect(await modelThatSays(answer).judgeClaims!(brief, claims, context)).toEqual(['supported', 'unclear']);
    expect(server.calls.length).toBe(1);
  });

  it.each([
    [{ verdicts: [second] }, [undefined, 'unclear']],
    [{ verdicts: ['supported'] }, [undefined, undefined]],
    [{ pair: 1, verdict: 'Partially supported' }, ['partly', undefined]],
    [
      {
        verdicts: [
          { pair: 1, verdict: 'contradicts' },
          { pair: 2, verdict: 'maybe' },
        ],
      },
      ['contradicted', undefined],
    ],
  ])('are missing where an answer has none that is known: %j', async (answer, verdicts) => {
    expect(await modelThatSays(answer).judgeClaims!(brief, claims, context)).toEqual(verdicts);
  });

  it.each([[{}], [{ supported: true }], ['supported'], [[]], [[2]], [{ verdicts: 'all supported' }]])(
    'fail if there are none: %j',
    async (answer) => {
      await expect(modelThatSays(answer).judgeClaims!(brief, claims, context)).rejects.toThrow('the requested shape');
    },
  );
});
