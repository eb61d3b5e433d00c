/** Whatever a model returns for a template, the answer has the template's shape, and the patches yield the answer. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyPatch,
  type OutputFormat,
  type SearchEvent,
  SearchRequest,
  type StructuredObject,
  type TemplateNode,
} from '../../../protocol/index.ts';
import type { AllowedByPath } from '../../../src/base/values/allowed-values.ts';
import type { Corpus } from '../../../src/engine/ports/corpus.ts';
import type { LeafValue, Model } from '../../../src/engine/ports/model.ts';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createSearchContext } from '../../../src/engine/search-context.ts';
import { type Filled, fillTemplate } from '../../../src/engine/writing/fill-template.ts';
import { expectShape, fieldNames, templates } from '../../support/templates.ts';

const text = 'Kettle waits 300 seconds. It retries 2 times. It was made on 14 May 1931.';
const evidence: Evidence[] = [
  {
    n: 1,
    snapshot: 's1',
    url: 'https://a.example/',
    title: '',
    headings: '',
    text,
    start: 10,
    end: 10 + text.length,
    score: 1,
  },
];

async function fill(template: OutputFormat, values: readonly LeafValue[], allowed?: AllowedByPath) {
  const model = {
    name: 'scripted',
    async *fill() {
      yield* values;
    },
  } as unknown as Model;
  const events: SearchEvent[] = [];
  const job = {
    search_id: 's',
    request: SearchRequest.parse({ prompt: 'x', output_format: template }),
    previous: [],
    allowed,
  };
  const context = createSearchContext({ model, corpus: {} as Corpus }, job, new AbortController().signal);
  const { state } = context;
  const generator = fillTemplate(context, evidence, template);
  for (;;) {
    const next = await generator.next();
    if (next.done) return { ...(next.value as Filled), events, citations: state.citations };
    events.push(next.value);
  }
}

const quoted = (path: string, value: LeafValue['value']): LeafValue => ({
  path,
  value,
  quote: { evidence: 1, text },
  confidence: 1,
});

const wild: fc.Arbitrary<LeafValue> = fc.record({
  path: fc.oneof(
    fc.string(),
    fc.array(fieldNames).map((keys) => keys.map((key) => `/${key}`).join('')),
    fc.constantFrom('/__proto__/x', '/a/-', '/a/99999'),
  ),
  value: fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(NaN, Infinity),
  ) as fc.Arbitrary<LeafValue['value']>,
  confidence: fc.constant(0.5),
});

/** Values for real leaves, rows in and out of order, of right and wrong types. */
function valuesFor(format: OutputFormat): fc.Arbitrary<LeafValue[]> {
  const paths: string[] = [];
  const walk = (node: TemplateNode, path: string): void => {
    if (typeof node === 'string') paths.push(path);
    else if (Array.isArray(node)) for (const row of [0, 1, 2, 7]) walk(node[0], `${path}/${row}`);
    else
      for (const [key, child] of Object.entries(node))
        walk(child, `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`);
  };
  walk(format, '');
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)) as fc.Arbitrary<
    LeafValue['value']
  >;
  const support = fc.record({
    evidence: fc.integer({ min: -1, max: 3 }),
    start: fc.integer({ min: -3, max: 60 }),
    end: fc.integer({ min: -3, max: 60 }),
  });
  const real = fc.record({ path: fc.constantFrom(...paths), value, support, confidence: fc.constant(1) });
  return fc.array(fc.oneof(real, wild), { maxLength: 30 });
}

describe('a structured answer', () => {
  it('returns exactly the shape of the template, whatever the model returns', async () => {
    const cases = templates.chain((format) => fc.tuple(fc.constant(format), valuesFor(format)));
    await fc.assert(
      fc.asyncProperty(cases, async ([format, values]) => {
        const { output, evidence: leaves, events, citations } = await fill(format, values);
        expectShape(format, output);
        const rebuilt: StructuredObject = {};
        for (const event of events)
          if (event.type === 'result.patch') for (const op of event.ops) applyPatch(rebuilt, op);
        expect(rebuilt).toEqual(output);
        for (const { quote, source_start, source_end } of citations) {
          expect(text.slice(source_start - 10, source_end - 10)).toBe(quote);
        }
        expect(new Set(leaves.map(({ path }) => path)).size).toBe(leaves.length);
        expect(({} as { x?: unknown }).x).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('reports which leaves were found, with their quotes, and which were not', async () => {
    const {
      output,
      evidence: leaves,
      status,
      citations,
    } = await fill({ seconds: 'number', name: 'string' }, [
      { path: '/seconds', value: 300, support: { evidence: 1, start: 13, end: 24 }, confidence: 0.9 },
    ]);
    expect(output).toEqual({ seconds: 300, name: null });
    expect(status).toBe('partial');
    expect(leaves).toEqual([
      { path: '/seconds', status: 'found', citations: ['cit_1'], confidence: 0.9 },
      { path: '/name', status: 'not_found', citations: [], confidence: 0 },
    ]);
    expect(citations[0]).toMatchObject({ path: '/seconds', quote: '300 seconds', source_start: 23, source_end: 34 });
  });

  it('gives a value as the application allows it, and null for another one', async () => {
    const template: OutputFormat = {
      action: 'string',
      thing: 'string',
      retries: 'number',
      rows: [{ seconds: 'number' }],
    };
    const allowed = {
      '/action': { values: ['waits', 'runs'] },
      '/thing': { values: ['lamp'] },
      '/retries': { isWhole: true },
      '/rows/-/seconds': { max: 200 },
    };
    const values = [
      quoted('/action', 'Waits'),
      quoted('/thing', 'Kettle'),
      quoted('/retries', 2),
      quoted('/rows/0/seconds', 300),
    ];
    const { output, evidence: leaves } = await fill(template, values, allowed);
    expect(output).toEqual({ action: 'waits', thing: null, retries: 2, rows: [{ seconds: null }] });
    expect(leaves.flatMap(({ path, reason }) => (reason === undefined ? [] : [[path, reason]]))).toEqual([
      ['/thing', 'The value is not one of "lamp".'],
      ['/rows/0/seconds', 'The value is not at most 200.'],
    ]);
  });

  it('has the value of a field that may be nothing else, without evidence unless a source says it', async () => {
    const only = (value: string | number) => ({ values: [value], isFixed: true });
    const template: OutputFormat = {
      kind: 'string',
      thing: 'string',
      version: 'number',
      wrong: 'number',
      retries: 'number',
      rows: [{ kind: 'string', n: 'number' }],
    };
    const allowed = {
      '/kind': only('kettle'),
      '/thing': only('Kettle'),
      '/version': only(3),
      '/wrong': only('text'),
      '/rows/-/kind': only('row'),
    };
    const values = [
      quoted('/kind', 'lamp'),
      quoted('/thing', 'Kettle'),
      quoted('/retries', 2),
      quoted('/rows/0/n', 300),
    ];
    const { output, evidence: leaves, status } = await fill(template, values, allowed);
    const rows = [{ kind: 'row', n: 300 }];
    expect(output).toEqual({ kind: 'kettle', thing: 'Kettle', version: 3, wrong: null, retries: 2, rows });
    const without = leaves.filter(({ citations }) => citations.length === 0);
    expect(without).toEqual(
      expect.arrayContaining(
        ['/kind', '/version', '/rows/0/kind'].map((path) => ({
          path,
          status: 'inferred',
          citations: [],
          confidence: 1,
        })),
      ),
    );
    expect(leaves.find(({ path }) => path === '/thing')).toMatchObject({ status: 'found' });
    expect(status).toBe('partial');
    const none = await fill({ kind: 'string', retries: 'number' }, [], allowed);
    expect([none.output, none.status]).toEqual([{ kind: 'kettle', retries: null }, 'not_found']);
    const all = await fill({ kind: 'string', retries: 'number' }, [quoted('/retries', 2)], allowed);
    expect(all.status).toBe('answered');
  });

  it('has no more elements than a list may have', async () => {
    const retries = { evidence: 1, text: 'It retries 2 times' };
    const leaf = (path: string, value: LeafValue['value']) => ({ path, value, quote: retries, confidence: 1 });
    const values = [
      leaf('/facts/0', 'retries'),
      leaf('/facts/1', '2 times'),
      leaf('/rows/0/n', 2),
      leaf('/rows/1/n', 2),
    ];
    const allowed = { '/facts': { maxItems: 1 }, '/rows': { maxItems: 1 } };
    const { output } = await fill({ facts: ['string'], rows: [{ n: 'number' }] }, values, allowed);
    expect(output).toEqual({ facts: ['retries'], rows: [{ n: 2 }] });
  });

  it('has no element twice where a list may have it only once', async () => {
    const leaf = (path: string, value: LeafValue['value']) => ({
      path,
      value,
      quote: { evidence: 1, text: 'It retries 2 times' },
      confidence: 1,
    });
    const values = ['facts', 'words', 'rows/0/facts', 'rows/1/facts'].flatMap((list) => [
      leaf(`/${list}/0`, 'retries'),
      leaf(`/${list}/1`, 'retries'),
      leaf(`/${list}/2`, '2 times'),
    ]);
    const allowed = { '/facts': { isUnique: true, maxItems: 2 }, '/rows/-/facts': { isUnique: true } };
    const template: OutputFormat = { facts: ['string'], words: ['string'], rows: [{ facts: ['string'] }] };
    const { output, evidence: leaves } = await fill(template, values, allowed);
    const once = ['retries', '2 times'];
    expect(output).toEqual({
      facts: once,
      words: ['retries', 'retries', '2 times'],
      rows: [{ facts: once }, { facts: once }],
    });
    expect(new Set(leaves.map(({ path }) => path)).size).toBe(leaves.length);
  });

  it('writes a date in figures where they are asked for', async () => {
    const leaf = {
      path: '/made',
      value: '14 May 1931',
      quote: { evidence: 1, text: 'It was made on 14 May 1931' },
      confidence: 1,
    };
    const { output, evidence } = await fill({ made: 'string' }, [leaf], { '/made': { format: 'date' } });
    expect(output).toEqual({ made: '1931-05-14' });
    expect(evidence).toMatchObject([{ path: '/made', status: 'found' }]);
  });

  it('keeps rows in order, whatever comes first, and those that a model has nothing for', async () => {
    const n = (row: number, value: number | null) => ({ path: `/rows/${row}/n`, value, confidence: 1 });
    const rowsOf = async (values: readonly LeafValue[]) => (await fill({ rows: [{ n: 'number' }] }, values)).output;
    expect(await rowsOf([n(0, 1), n(2, 3), n(1, 2)])).toEqual({ rows: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    expect(await rowsOf([n(1, 2), n(2, 3)])).toEqual({ rows: [{ n: null }, { n: 2 }, { n: 3 }] });
    expect(await rowsOf([n(0, 1), n(100, 3)])).toEqual({ rows: [{ n: 1 }] });
  });

  it('says once that a list was cut', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, row): LeafValue[] => [
        { path: `/rows/${row}/n`, value: row, confidence: 1 },
        { path: `/rows/${row}/m`, value: row, confidence: 1 },
      ]).flat();
    const template: OutputFormat = { rows: [{ n: 'number', m: 'number' }] };
    const whole = await fill(template, rows(100));
    expect(whole.events.filter(({ type }) => type === 'warning')).toEqual([]);
    const cut = await fill(template, rows(103));
    expect(cut.output).toEqual(whole.output);
    expect(cut.events.filter(({ type }) => type === 'warning')).toEqual([
      {
        type: 'warning',
        code: 'list_cut',
        message: 'Lists have at most 100 elements; the sources have more than that.',
      },
    ]);
    const texts = Array.from({ length: 101 }, (_, at) => quoted(`/facts/${at}`, 'waits 300 seconds'));
    const facts = await fill({ facts: ['string'] }, texts);
    expect(facts.output).toEqual({ facts: Array(100).fill('waits 300 seconds') });
    expect(facts.events).toContainEqual(expect.objectContaining({ type: 'warning', code: 'list_cut' }));
  });

  it('keeps a row whose list is empty', async () => {
    const retries = { evidence: 1, text: 'It retries 2 times' };
    const leaf = { path: '/parts/1/facts/0', value: 'retries 2 times', quote: retries, confidence: 1 };
    const { output } = await fill({ parts: [{ facts: ['string'] }] }, [leaf]);
    expect(output).toEqual({ parts: [{ facts: [] }, { facts: ['retries 2 times'] }] });
  });

  it('fills a list of texts without gaps, leaving out elements that are not texts or not in the sources', async () => {
    const quoted = (path: string, value: LeafValue['value'], quote: string): LeafValue => ({
      path,
      value,
      quote: { evidence: 1, text: quote },
      confidence: 1,
    });
    const { output, evidence: leaves } = await fill({ facts: ['string'], others: ['string'] }, [
      quoted('/facts/0', 'waits 300 seconds', 'Kettle waits 300 seconds'),
      quoted('/facts/1', 'boils eggs', 'The kettle boils eggs'),
      quoted('/facts/2', null, ''),
      quoted('/facts/3', 2, 'It retries 2 times'),
      quoted('/facts/4', 'retries 2 times', 'It retries 2 times'),
    ]);
    expect(output).toEqual({ facts: ['waits 300 seconds', 'retries 2 times'], others: [] });
    expect(leaves.map(({ path, status }) => [path, status])).toEqual([
      ['/facts/0', 'found'],
      ['/facts/1', 'found'],
      ['/others', 'not_found'],
    ]);
  });
});
