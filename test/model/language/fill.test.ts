/** Structured answers by a model over real sockets: whatever it does, what comes out has the template's shape. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  applyPatch,
  type OutputFormat,
  type SearchEvent,
  type SearchEventOf,
  SearchRequest,
  type StructuredObject,
  type TemplateNode,
} from '../../../protocol/index.ts';
import type { AllowedByPath } from '../../../src/base/values/allowed-values.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { Corpus } from '../../../src/engine/ports/corpus.ts';
import type { Model } from '../../../src/engine/ports/model.ts';
import type { Passage } from '../../../src/engine/ports/snapshot.ts';
import { openModel } from '../../../src/model/open-model.ts';
import { createTrustedFetch, type TrustedFetch } from '../../../src/web/fetch/trusted-fetch.ts';
import type { Reply } from '../../support/servers/model-reply.ts';
import { goodModel, type ModelServer, startModelServer } from '../../support/servers/model-server.ts';
import { expectShape, templates } from '../../support/templates.ts';

const text =
  'Kettle waits 1,300 seconds by default. It retries 2 times. It is made by Solvay Works and is safe to use.';
const passage: Passage = {
  snapshot: 's1',
  url: 'https://a.example/kettle',
  title: 'Kettle',
  headings: '',
  text,
  start: 10,
  end: 10 + text.length,
  score: 1,
};
const corpusOf = (passages: readonly Passage[]): Corpus => ({
  search: async () => [...passages],
  rank: async () => [],
  pages: async () => [],
  hasPage: async () => false,
  pageAt: async () => undefined,
  snapshot: async () => undefined,
  putSnapshot: async () => undefined,
});
/** Finds nothing by itself, so that what is found is the model's. */
const fallbackModel: Model = {
  name: 'fallback',
  plan: async ({ question }) => ({ queries: [question] }),
  reflect: async () => ({ enough: true, queries: [] }),
  async *write() {},
  async *fill() {},
};

let server: ModelServer;
let trusted: TrustedFetch;
let model: Model;
beforeAll(async () => {
  server = await startModelServer();
  trusted = createTrustedFetch();
});
beforeEach(() => {
  server.script = goodModel;
  server.calls.length = 0;
  model = openModel({
    models: { writer: 'scripted' },
    provider: 'openai',
    baseUrl: server.url,
    fetchFor: () => trusted.fetch,
    retryMs: 1,
    // Enough for a busy machine; one test waits for it.
    timeoutMs: 10_000,
  }).writer;
});
afterAll(async () => {
  await trusted.close();
  await server.close();
});

async function fill(
  template: OutputFormat,
  replies: (kind: string) => Reply,
  allowed?: AllowedByPath,
  passages: readonly Passage[] = [passage],
) {
  server.script = (call, count) =>
    ['fill', 'repair'].includes(call.kind) ? replies(call.kind) : goodModel(call, count);
  const request = SearchRequest.parse({
    prompt: 'What of the Kettle?',
    output_format: template,
    include: ['evidence'],
  });
  const events: SearchEvent[] = [];
  const job = { search_id: 's', request, previous: [], allowed };
  for await (const event of createEngine({ model, fallbackModel, corpus: corpusOf(passages) }).research(
    job,
    new AbortController().signal,
  )) {
    events.push(event);
  }
  const completed = events.at(-1) as SearchEventOf<'search.completed'>;
  const { output } = completed.result as { output: StructuredObject };
  const rebuilt: StructuredObject = {};
  for (const event of events) if (event.type === 'result.patch') for (const op of event.ops) applyPatch(rebuilt, op);
  expect(rebuilt).toEqual(output);
  for (const { quote, source_start, source_end } of completed.citations) {
    expect(text.slice(source_start - 10, source_end - 10)).toBe(quote);
  }
  return { output, completed, evidence: completed.evidence! };
}

const leaf = (value: unknown, quote: string | null, evidence: number | null = 1) => ({ value, evidence, quote });

describe('a structured answer by a model', () => {
  it('fills the leaves with the values that their quotes support, by a strict schema', async () => {
    const { output, evidence, completed } = await fill({ wait_s: 'number', maker: 'string', safe: 'boolean' }, () => ({
      text: JSON.stringify({
        wait_s: leaf(1300, 'waits 1,300 seconds'),
        maker: leaf('Solvay Works', 'made by Solvay Works'),
        safe: leaf(true, 'is safe to use'),
      }),
    }));
    expect(output).toEqual({ wait_s: 1300, maker: 'Solvay Works', safe: true });
    expect(evidence.map(({ status }) => status)).toEqual(['found', 'found', 'inferred']);
    expect(completed.citations.length).toBe(3);
    expect(completed.status).toBe('answered');
    const schema = server.calls.find(({ kind }) => kind === 'fill')!.body.response_format!.json_schema!;
    expect(schema).toMatchObject({
      strict: true,
      schema: { required: ['wait_s', 'maker', 'safe'], additionalProperties: false },
    });
  });

  it.each<[string, unknown]>([
    ['as its element', { value: 'It retries 2 times', evidence: 1, quote: 'It retries 2 times' }],
    ['as a text', 'It retries 2 times'],
    ['within a value', { value: ['It retries 2 times'], evidence: 1, quote: 'It retries 2 times' }],
  ])('fills a list of texts that is given %s', async (_, facts) => {
    const { output } = await fill({ facts: ['string'] }, () => ({ text: JSON.stringify({ facts }) }));
    expect(output).toEqual({ facts: ['It retries 2 times'] });
  });

  it.each<[string, (row: object) => object]>([
    ['as its row', (row) => row],
    ['within a value', (row) => ({ value: [row], quote: null })],
    ['as its row, within a value', (row) => ({ value: row })],
  ])('fills a list of rows that is given %s', async (_, wrap) => {
    const row = { wait_s: leaf(1300, 'waits 1,300 seconds'), notes: [leaf('Solvay Works', 'made by Solvay Works')] };
    const { output } = await fill({ items: [{ wait_s: 'number', notes: ['string'] }] }, () => ({
      text: JSON.stringify({ items: wrap(row) }),
    }));
    expect(output).toEqual({ items: [{ wait_s: 1300, notes: ['Solvay Works'] }] });
  });

  it.each<[string, unknown]>([
    ['whose value is a list of one', leaf([1300], 'waits 1,300 seconds')],
    ['that is a list of one', [leaf(1300, 'waits 1,300 seconds')]],
  ])('fills a leaf %s', async (_, wait_s) => {
    const { output } = await fill({ wait_s: 'number' }, () => ({ text: JSON.stringify({ wait_s }) }));
    expect(output).toEqual({ wait_s: 1300 });
  });

  it('fills a field that is called value', async () => {
    const { output } = await fill({ price: { value: 'number' } }, () => ({
      text: JSON.stringify({ price: { value: leaf(1300, 'waits 1,300 seconds') } }),
    }));
    expect(output).toEqual({ price: { value: 1300 } });
  });

  it('reads a repair whose path has no slash at its beginning', async () => {
    const { output } = await fill({ wait_s: 'number' }, (kind) => ({
      text:
        kind === 'fill'
          ? JSON.stringify({ wait_s: leaf('a while', 'waits 1,300 seconds') })
          : JSON.stringify({ fields: [{ path: 'wait_s', ...leaf('1300', 'waits 1,300 seconds') }] }),
    }));
    expect(output).toEqual({ wait_s: 1300 });
  });

  it.each<[string, (field: object) => unknown]>([
    ['alone', (field) => ({ path: '/wait_s', ...field })],
    ['as a list', (field) => [{ path: '/wait_s', ...field }]],
    ['beside one without a path', (field) => ({ fields: [{ value: 'x' }, null, { path: '/wait_s', ...field }] })],
    ['by its path', (field) => ({ fields: { '/wait_s': field } })],
    ['in the shape of the form', (field) => ({ wait_s: field })],
  ])('reads a repair that is given %s', async (_, shape) => {
    const { output } = await fill({ wait_s: 'number' }, (kind) => ({
      text: JSON.stringify(
        kind === 'fill'
          ? { wait_s: leaf('a while', 'waits 1,300 seconds') }
          : shape(leaf('1300', 'waits 1,300 seconds')),
      ),
    }));
    expect(output).toEqual({ wait_s: 1300 });
  });

  it('reads a repair of a field within another one, in the shape of the form', async () => {
    const { output } = await fill({ times: { 'a/b': 'number' }, maker: 'string' }, (kind) => ({
      text: JSON.stringify(
        kind === 'fill'
          ? { maker: leaf('Solvay Works', 'made by Solvay Works') }
          : { times: { 'a/b': leaf('1300', 'waits 1,300 seconds') } },
      ),
    }));
    expect(output).toEqual({ times: { 'a/b': 1300 }, maker: 'Solvay Works' });
  });

  it.each([2, '2', '[2]', [2], 'evidence 2'])('cites the evidence that is named by %j', async (evidence) => {
    const shop =
      'Kettle waits 1,300 seconds at the shop of Varnholm, where sailors and bakers buy it in three colours.';
    const { completed } = await fill(
      { wait_s: 'number' },
      () => ({ text: JSON.stringify({ wait_s: { value: 1300, evidence, quote: 'waits 1,300 seconds' } }) }),
      undefined,
      [
        passage,
        { ...passage, snapshot: 's2', url: 'https://b.example/kettle', text: shop, end: 10 + shop.length, score: 0.5 },
      ],
    );
    expect(completed.citations.map(({ url }) => url)).toEqual(['https://b.example/kettle']);
  });

  it('fills a list of texts with the elements that the sources state', async () => {
    const { output } = await fill({ facts: ['string'] }, () => ({
      text: JSON.stringify({
        facts: [
          leaf('waits 1,300 seconds', 'Kettle waits 1,300 seconds'),
          leaf('boils eggs', 'boils eggs'),
          leaf('Solvay Works', 'made by Solvay Works'),
        ],
      }),
    }));
    expect(output).toEqual({ facts: ['waits 1,300 seconds', 'Solvay Works'] });
  });

  it('fills a list of numbers with those that the sources state', async () => {
    const { output } = await fill({ seconds: ['number'] }, () => ({
      text: JSON.stringify({
        seconds: [leaf('1,300', 'Kettle waits 1,300 seconds'), leaf(77, 'waits 77 seconds'), leaf('many', '')],
      }),
    }));
    expect(output).toEqual({ seconds: [1300] });
  });

  it("returns null with a reason if the sources do not state the model's value", async () => {
    const { output, evidence } = await fill({ wait_s: 'number', maker: 'string' }, () => ({
      text: JSON.stringify({ wait_s: leaf(77, 'waits 77 seconds'), maker: leaf(null, null) }),
    }));
    expect(output).toEqual({ wait_s: null, maker: null });
    expect(evidence[0]).toMatchObject({ status: 'not_found', reason: expect.any(String) });
  });

  it('requests again only the leaves that are missing or have the wrong type', async () => {
    const { output } = await fill({ wait_s: 'number', retries: 'number', maker: 'string' }, (kind) =>
      kind === 'fill'
        ? { text: JSON.stringify({ wait_s: leaf('a while', null), retries: leaf('2', 'retries 2 times') }) }
        : {
            text: JSON.stringify({
              fields: [
                { path: '/wait_s', ...leaf('1300', '1,300 seconds') },
                { path: '/maker', ...leaf('Solvay Works', 'Solvay Works') },
              ],
            }),
          },
    );
    expect(output).toEqual({ wait_s: 1300, retries: 2, maker: 'Solvay Works' });
    const repair = server.calls.find(({ kind }) => kind === 'repair')!;
    expect(repair.prompt).toContain('"/wait_s": number');
    expect(repair.prompt).not.toContain('"/retries": number');
  });

  it('shows the model which values are allowed, and requests again one that is not', async () => {
    const { output } = await fill(
      { maker: 'string', safety: 'string', retries: 'number' },
      (kind) =>
        kind === 'fill'
          ? {
              text: JSON.stringify({
                maker: leaf('SOLVAY WORKS', 'made by Solvay Works'),
                safety: leaf('none', 'is safe to use'),
                retries: leaf(1300, 'waits 1,300 seconds'),
              }),
            }
          : { text: JSON.stringify({ fields: [{ path: '/retries', ...leaf('2', 'It retries 2 times') }] }) },
      {
        '/maker': { values: ['Solvay Works', 'Odo Brandt'] },
        '/safety': { values: ['safe', 'none'] },
        '/retries': { isWhole: true, max: 10 },
      },
    );
    // "none" is a value here, but not what the quote says.
    expect(output).toEqual({ maker: 'Solvay Works', safety: null, retries: 2 });
    const schema = server.calls.find(({ kind }) => kind === 'fill')!.body.response_format!.json_schema!.schema;
    expect(schema).toMatchObject({
      properties: {
        maker: { properties: { value: { type: ['string', 'null'], enum: ['Solvay Works', 'Odo Brandt', null] } } },
        retries: { properties: { value: { type: ['integer', 'null'] } } },
      },
    });
    const repair = server.calls.find(({ kind }) => kind === 'repair')!;
    expect(repair.prompt).toContain('"/retries": number, a whole number; at most 10 (got another value)');
    expect(repair.prompt).not.toContain('"/safety"');
  });

  it('keeps the leaves that were received before the stream broke off', async () => {
    const { output, completed } = await fill({ wait_s: 'number', maker: 'string' }, () => ({
      cutAfter: `{"wait_s": ${JSON.stringify(leaf(1300, '1,300 seconds'))}, "maker": {"val`,
    }));
    expect(output).toEqual({ wait_s: 1300, maker: null });
    expect(completed.status).toBe('partial');
  });

  /** `TEST_LONG=1` tries 1,000 cases. */
  it("returns the shape of the template, whatever the template and the model's answer", async () => {
    const scalar = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('1,300', 'Kettle', 'yes', '2'),
    );
    /** An answer near the template: right, wrong or missing at random in each place. */
    const answerTo = (node: TemplateNode): fc.Arbitrary<unknown> => {
      const wild = fc.oneof(scalar, fc.constantFrom<unknown>({}, [], [[]], [1], { value: {} }));
      const right: fc.Arbitrary<unknown> =
        typeof node === 'string'
          ? fc.record({
              value: scalar,
              evidence: fc.constantFrom(0, 1, 9, null),
              quote: fc.constantFrom('Kettle waits', 'nothing', '', null),
            })
          : Array.isArray(node)
            ? fc.array(answerTo(node[0]), { maxLength: 3 })
            : fc
                .tuple(
                  ...Object.entries(node).map(([key, child]) => answerTo(child).map((value) => [key, value] as const)),
                )
                .map((fields) => Object.fromEntries(fields));
      return fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: wild });
    };
    const mangled = (json: string) =>
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<Reply>({ text: json }) },
        fc.nat(json.length).map((at): Reply => ({ text: json.slice(0, at) })),
        fc.nat(json.length).map((at): Reply => ({ text: `${json.slice(0, at)}}]"${json.slice(at)}` })),
        fc.constant<Reply>({ text: `Sure! Here it is:\n\`\`\`json\n${json}\n\`\`\`\nAnything else?` }),
        fc.constantFrom<Reply>(
          { text: 'no' },
          { text: '' },
          { refusal: 'no' },
          { status: 500 },
          { raw: 'data: x\n\n' },
          { tool: 't' },
        ),
      );
    const cases = templates.chain((template) =>
      answerTo(template).chain((answer) =>
        fc.tuple(
          fc.constant(template),
          mangled(JSON.stringify(answer) ?? 'null'),
          mangled('{"fields":[{"path":"/a","value":"2","evidence":1,"quote":"2 times"}]}'),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([template, first, second]) => {
        const { output, completed } = await fill(template, (kind) => (kind === 'fill' ? first : second));
        expectShape(template, output);
        expect(completed.type).toBe('search.completed');
      }),
      { numRuns: process.env.TEST_LONG === '1' ? 1000 : 250 },
    );
  });
});
