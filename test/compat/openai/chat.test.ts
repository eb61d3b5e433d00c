/** Chat completions: requests as searches, and the logs of real searches as completions and chunks. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  ChatCompletion,
  ChatCompletionRequest,
  type CompletedEvent,
  type TextResult,
} from '../../../protocol/index.ts';
import { completionOf } from '../../../src/compat/openai/chat/answer.ts';
import { chatEvents } from '../../../src/compat/openai/chat/events.ts';
import { searchOf } from '../../../src/compat/openai/chat/request.ts';
import { openaiError, perplexityError } from '../../../src/compat/openai/errors.ts';
import { completedNames, formatLog, type RecordedName, recordedRun } from '../recorded-log.ts';

const models = ['large', 'extractive'];
const asked = { model: 'citewire', sources: false, usage: true, status: false };

interface Chunk {
  readonly id: string;
  readonly choices: { delta: { content?: string; annotations?: unknown[] }; finish_reason: string | null }[];
  readonly citations?: string[];
  readonly search_results?: unknown[];
  readonly usage?: object;
  readonly error?: { message: string; type: string; code: string | number };
  readonly event?: { data: { description: string } };
}

function chunksOf(
  name: RecordedName,
  change: Partial<typeof asked> = {},
  lags = false,
  refuse: Parameters<typeof chatEvents>[2] = openaiError,
): Chunk[] {
  const run = recordedRun(name);
  const text = formatLog(run.log, chatEvents(run, { ...asked, ...change }, refuse), lags);
  const lines = text.split('\n\n');
  expect(lines.splice(-2)).toEqual(['data: [DONE]', '']);
  return lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as Chunk);
}

function expectError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}

const contentOf = (chunks: Chunk[]) => chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

describe('the completion of a search', () => {
  it.each(completedNames)('has the documented shape, and annotations that span their markers: %s', (name) => {
    const run = recordedRun(name);
    const completion = ChatCompletion.parse(completionOf(run, asked, run.ended as CompletedEvent));
    const { content: text, annotations } = completion.choices[0]!.message;
    const content = text!;
    expect(content).not.toBe('');
    for (const { url_citation: each } of annotations) {
      const marker = content.slice(each.start_index, each.end_index);
      expect(marker).toMatch(/^\[\d+\]$/);
      expect(completion.citations[Number(marker.slice(1, -1)) - 1]).toBe(each.url);
      expect(each.title).not.toBe('');
    }
    const markers = name === 'structured' || name === 'refused' ? 0 : content.match(/\[\d+\]/g)!.length;
    expect(annotations.length).toBe(markers);
  });

  it('ends with a list of the cited sources only where that is asked for', () => {
    const run = recordedRun('text');
    const ended = run.ended as CompletedEvent;
    const plain = completionOf(run, asked, ended).choices[0]!.message;
    const listed = completionOf(run, { ...asked, sources: true }, ended).choices[0]!.message;
    expect(plain.content).toBe((ended.result as TextResult).answer);
    expect(listed.content!.startsWith(`${plain.content}\n\n**Sources**\n\n- [1] `)).toBe(true);
    expect(listed.annotations).toEqual(plain.annotations);
  });

  it('says why nothing was found', () => {
    const run = recordedRun('refused');
    const { content } = completionOf(run, asked, run.ended as CompletedEvent).choices[0]!.message;
    expect(content).toContain(((run.ended as CompletedEvent).result as TextResult).message ?? 'No source');
  });
});

describe('the chunks of a search', () => {
  it.each(completedNames.flatMap((name) => [[name, false] as const, [name, true] as const]))(
    'lead to the same message as the completion: %s, of a reader that lags: %s',
    (name, lags) => {
      const run = recordedRun(name);
      const whole = completionOf(run, asked, run.ended as CompletedEvent);
      const chunks = chunksOf(name, {}, lags);
      const [used, last] = [chunks.at(-1)!, chunks.at(-2)!];
      expect(contentOf(chunks)).toBe(whole.choices[0]!.message.content);
      expect(last.choices[0]).toMatchObject({
        delta: { annotations: whole.choices[0]!.message.annotations },
        finish_reason: 'stop',
      });
      expect(last.choices[0]!.delta.content).toBeUndefined();
      expect(used).toMatchObject({ choices: [], usage: whole.usage });
      expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([whole.id]));
    },
  );

  it.each(['text', 'conflicting'] as const)('know their sources from the first one on: %s', (name) => {
    const { citations, search_results } = completionOf(
      recordedRun(name),
      asked,
      recordedRun(name).ended as CompletedEvent,
    );
    const chunks = chunksOf(name);
    expect(citations.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk.citations).toEqual(citations);
    for (const chunk of [chunks[0]!, chunks.at(-2)!]) expect(chunk.search_results).toEqual(search_results);
  });

  it('say what was used, and what is being done, only where that is asked for', () => {
    expect(chunksOf('text', { usage: false }).some(({ usage }) => usage !== undefined)).toBe(false);
    expect(chunksOf('text').some(({ event }) => event !== undefined)).toBe(false);
    const told = chunksOf('text', { status: true });
    expect(told.findIndex(({ event }) => event === undefined)).toBeGreaterThan(2);
    expect(told[0]).toMatchObject({ choices: [], event: { type: 'status', data: { done: false } } });
    expect(contentOf(told)).toBe(contentOf(chunksOf('text')));
  });

  it.each(['failed', 'cancelled'] as const)('end with an error where there is no answer: %s', (name) => {
    expect(chunksOf(name).at(-1)!.error).toMatchObject({ message: expect.any(String), type: 'server_error' });
    const { error } = chunksOf(name, {}, false, perplexityError).at(-1)!;
    expect(error).toMatchObject({ message: expect.any(String), code: expect.any(Number) });
  });
});

describe('a request', () => {
  const user = (content: unknown) => ({ role: 'user', content });
  const search = (more: object) =>
    searchOf(ChatCompletionRequest.parse({ model: 'citewire', messages: [user('Why?')], ...more }), models);
  const request = (more: object) => (search(more) as { request: Record<string, unknown> }).request;

  it('takes the last user turn as the prompt, and the turns before as what it follows up on', () => {
    const messages = [
      { role: 'system', content: 'Answer in one sentence.' },
      user('Who built it?'),
      { role: 'assistant', content: 'Solvay did. [1][2]\n\n**Sources**\n\n- [1] a' },
      user([{ type: 'text', text: 'When?' }]),
    ];
    expect(search({ messages })).toEqual({
      request: { prompt: 'When?' },
      previous: { prompts: ['Who built it?'], answer: 'Solvay did.' },
      instructions: 'Answer in one sentence.',
    });
  });

  it('takes the image of the last turn', () => {
    const url = 'data:image/png;base64,AAAA';
    expect(
      request({
        messages: [
          user([
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url } },
          ]),
        ],
      }),
    ).toEqual({ prompt: 'What?', image: url });
  });

  it.each<[string, object, object]>([
    ['the model', { model: 'citewire-deep', web_search_options: { search_context_size: 'low' } }, { effort: 'deep' }],
    ['the context size', { web_search_options: { search_context_size: 'low' } }, { effort: 'fast' }],
    ['allowed domains', { search_domain_filter: ['a.org', 'b.org'] }, { source_whitelist: ['a.org', 'b.org'] }],
    ['denied domains', { search_domain_filter: ['-a.org'] }, { source_blacklist: ['a.org'] }],
    [
      'dates',
      { search_after_date_filter: '3/1/2025', search_before_date_filter: '12/31/2025' },
      { from: '2025-03-01', to: '2025-12-31' },
    ],
    ['any JSON object', { response_format: { type: 'json_object' } }, { output_format: { answer: 'string' } }],
    [
      'a JSON object with a schema, as clients of other servers send it',
      {
        response_format: { type: 'json_object', schema: { type: 'object', properties: { year: { type: 'integer' } } } },
      },
      { output_format: { year: 'number' } },
    ],
  ])('narrows the search by %s', (_, more, expected) => expect(request(more)).toMatchObject(expected));

  it('makes a template of a JSON Schema, with references, nulls and enums', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: ['string', 'null'] },
        year: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        kind: { enum: ['a', 'b'] },
        people: { type: 'array', items: { $ref: '#/$defs/person' } },
        tags: { type: 'array', items: { type: 'string' } },
        years: { type: 'array', items: { type: 'integer' } },
      },
      $defs: { person: { type: 'object', properties: { alive: { type: 'boolean' } } } },
    };
    expect(request({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } })).toMatchObject({
      output_format: {
        name: 'string',
        year: 'number',
        kind: 'string',
        people: [{ alive: 'boolean' }],
        tags: ['string'],
        years: ['number'],
      },
    });
  });

  it('reads a json_schema without a schema, which is optional, as a json_object', () => {
    for (const json_schema of [{ name: 'x' }, { name: 'x', schema: null }]) {
      expect(request({ response_format: { type: 'json_schema', json_schema } })).toMatchObject({
        output_format: { answer: 'string' },
      });
    }
  });

  it('tells the model what a schema says of its fields besides their types', () => {
    const schema = {
      type: 'object',
      properties: {
        price: { type: 'integer', minimum: 0, description: 'In euros, with tax.' },
        kind: { enum: ['a', 'b', null] },
        people: {
          type: 'array',
          items: { type: 'object', properties: { role: { enum: ['cook', 'cleaner'], description: 'At work.' } } },
        },
      },
    };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect(
      searchOf({ model: 'citewire', messages: [{ role: 'user', content: 'What?' }], response_format: format }, models),
    ).toMatchObject({
      instructions:
        'The fields of the answer:\n- price: In euros, with tax.; a whole number; at least 0, else null\n- kind: one of "a","b", else null\n- people[].role: At work.; one of "cook","cleaner", else null',
      allowed: {
        '/price': { isWhole: true, min: 0 },
        '/kind': { values: ['a', 'b'] },
        '/people/-/role': { values: ['cook', 'cleaner'] },
      },
    });
  });

  it('fixes the value of a required field that has only one, and may not be null', () => {
    const only = { const: 'kettle' };
    const schema = {
      type: 'object',
      properties: {
        kind: only,
        version: { type: 'number', enum: [3] },
        optional: only,
        typed: { type: ['string', 'null'], const: 'kettle' },
        listed: { enum: ['kettle', null] },
        either: { anyOf: [only, { type: 'null' }] },
        rows: { type: 'array', items: { type: 'object', properties: { kind: only }, required: ['kind'] } },
        maybe: { anyOf: [{ type: 'null' }, { type: 'object', properties: { kind: only }, required: ['kind'] }] },
        left: { type: 'object', properties: { kind: only }, required: ['kind'] },
      },
      required: ['kind', 'version', 'typed', 'listed', 'either', 'rows', 'maybe'],
    };
    const asked = search({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
    const { allowed } = asked as { allowed: Record<string, { isFixed?: boolean }> };
    const fixed = Object.entries(allowed).filter(([, { isFixed }]) => isFixed);
    expect(fixed.map(([path]) => path)).toEqual(['/kind', '/version', '/rows/-/kind']);
  });

  it('reads the formats, patterns, lengths and counts of a schema', () => {
    const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
    const schema = {
      type: 'object',
      properties: {
        opened: nullable({ type: 'string', format: 'date' }),
        order: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
        motto: { type: 'string', minLength: 2, maxLength: 80, format: 'poem' },
        price: { type: 'number', multipleOf: 0.5, maxLength: 3 },
        tags: { type: 'array', items: { type: 'string', maxLength: -1 }, minItems: 1, maxItems: 3, uniqueItems: true },
        begins: z.toJSONSchema(z.iso.datetime()),
      },
    };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect(
      searchOf({ model: 'citewire', messages: [{ role: 'user', content: 'What?' }], response_format: format }, models),
    ).toMatchObject({
      instructions:
        'The fields of the answer:\n- opened: a date such as 2026-05-14, else null\n- order: matching ^[A-Z]{2}-\\d{4}$, else null\n- motto: at least 2 characters; at most 80 characters, else null\n- price: a multiple of 0.5, else null\n- tags: at least 1 element; at most 3 elements; no two of them alike\n- begins: a date and time such as 2026-05-14T14:30:00, else null',
      allowed: {
        '/opened': { format: 'date' },
        '/order': { pattern: '^[A-Z]{2}-\\d{4}$' },
        '/motto': { minLength: 2, maxLength: 80 },
        '/price': { multipleOf: 0.5 },
        '/tags': { minItems: 1, maxItems: 3, isUnique: true },
        '/begins': { format: 'date-time', pattern: expect.stringContaining('Z') },
      },
    });
  });

  it('follows references to references, and takes what generators write around a type', () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { enum: [null, 'a'] },
        size: { allOf: [{ $ref: '#/$defs/size' }, { description: 'How long it is.' }] },
        list: { type: 'object', properties: { items: { type: ['integer', 'null'] } } },
        place: { $ref: '#/$defs/a~1place%20name' },
      },
      $defs: { size: { type: 'number' }, 'a/place name': { $ref: '#/$defs/town' }, town: { type: 'string' } },
    };
    const asked = search({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
    expect(asked).toMatchObject({
      instructions:
        'The fields of the answer:\n- kind: one of "a", else null\n- size: How long it is.\n- list.items: a whole number, else null',
    });
    expect((asked as { request: object }).request).toMatchObject({
      output_format: { kind: 'string', size: 'number', list: { items: 'number' }, place: 'string' },
    });
  });

  const fieldsOf = (properties: Record<string, object>, $defs = {}) => {
    const asked = search(schemaOf({ type: 'object', properties, required: Object.keys(properties), $defs }));
    const {
      request,
      instructions = '',
      allowed = {},
    } = asked as never as {
      request: { output_format: object };
      instructions?: string;
      allowed?: object;
    };
    return { template: request.output_format, notes: instructions.split('\n').slice(1), allowed };
  };

  const text = { type: 'string' };
  it.each<[string, object, object]>([
    ['literals of zod', z.toJSONSchema(z.union([z.literal('a'), z.literal('b'), z.literal('c')])), ['a', 'b', 'c']],
    ['literals that may be null', z.toJSONSchema(z.union([z.literal('a'), z.literal('b')]).nullable()), ['a', 'b']],
    ['numbers', { anyOf: [{ const: 1 }, { const: 2, type: 'integer' }] }, [1, 2]],
    ['truth values', z.toJSONSchema(z.union([z.literal(true), z.literal(false)])), [true, false]],
    ['enums and a null', { anyOf: [{ enum: ['a', 'b'] }, { $ref: '#/$defs/c' }, { const: null }] }, ['a', 'b', 'c']],
    ['constants beside the type', { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, ['a', 'b']],
    ['the same twice', { anyOf: [{ const: 'a' }, { enum: ['a', 'b'] }] }, ['a', 'b']],
  ])('reads a union of constants as one enum: %s', (_, schema, values) => {
    const { allowed } = fieldsOf({ kind: schema }, { c: { type: 'string', enum: ['c'] } });
    expect(allowed).toEqual({ '/kind': expect.objectContaining({ values }) });
    expect(allowed).not.toHaveProperty(['/kind', 'isFixed']);
  });

  it('tells what is said of each constant of a union', () => {
    const oneOf = [
      { description: 'Up to 10 cm.', type: 'string', enum: ['small'] },
      { type: 'string', enum: ['large', 'huge'] },
    ];
    expect(fieldsOf({ size: { description: 'How long.', oneOf } }).notes).toEqual([
      '- size: How long.; "small": Up to 10 cm.; one of "small","large","huge", else null',
    ]);
  });

  it.each<[string, object, unknown, object]>([
    [
      'objects with fields of which some are required',
      { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 'string', b: 'string' },
      {},
    ],
    [
      'a condition',
      { type: 'object', properties: { a: text }, allOf: [{ if: { required: ['b'] }, else: { required: ['a'] } }] },
      { a: 'string' },
      {},
    ],
    ['formats', { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }, 'string', {}],
    ['a length', { type: 'string', allOf: [{ minLength: 2 }] }, 'string', { '/x': { minLength: 2 } }],
    ['numbers', { anyOf: [{ type: 'integer' }, { type: 'number' }, { type: 'null' }] }, 'number', {}],
    ['numbers of a list of types', { type: ['integer', 'number', 'null'] }, 'number', {}],
    ['a text that has suggestions', { anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] }, 'string', {}],
    [
      'a format and null beside the type',
      { type: 'string', anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      'string',
      { '/x': { format: 'date' } },
    ],
    [
      'what an object extends',
      { allOf: [{ $ref: '#/$defs/base' }, { type: 'object', properties: { b: text } }] },
      { a: 'number', b: 'string' },
      {},
    ],
    [
      'an object with more fields than what it extends',
      { type: 'object', properties: { b: text }, allOf: [{ $ref: '#/$defs/base' }] },
      { a: 'number', b: 'string' },
      {},
    ],
  ])('goes on with the type where alternatives only restrict it: %s', (_, schema, template, allowed) => {
    const base = { type: 'object', properties: { a: { type: 'number' } } };
    expect(fieldsOf({ x: schema }, { base })).toMatchObject({ template: { x: template }, allowed });
    expect(Object.keys(fieldsOf({ x: schema }, { base }).allowed)).toEqual(Object.keys(allowed));
  });

  it('takes what is said beside a reference or a choice before what is said in it, once each', () => {
    const $defs = { amount: { type: 'number', description: 'An amount.', minimum: 0 }, place: { type: 'string' } };
    const properties = {
      price: { $ref: '#/$defs/amount', description: 'With tax.' },
      fee: { $ref: '#/$defs/amount' },
      town: { anyOf: [{ $ref: '#/$defs/place' }, { type: 'null' }], description: 'Where it is.' },
      rent: { allOf: [{ $ref: '#/$defs/amount' }], description: 'A month.' },
      deposit: { anyOf: [{ $ref: '#/$defs/amount' }, { type: 'null' }], description: 'An amount.' },
      tax: { allOf: [{ $ref: '#/$defs/amount' }], description: ' ' },
    };
    expect(fieldsOf(properties, $defs).notes).toEqual([
      '- price: With tax.; An amount.; at least 0, else null',
      '- fee: An amount.; at least 0, else null',
      '- town: Where it is.',
      '- rent: A month.; An amount.; at least 0, else null',
      '- deposit: An amount.; at least 0, else null',
      '- tax: An amount.; at least 0, else null',
    ]);
  });

  it.each<[string, object, object]>([
    ['fields', { $ref: '#/$defs/base', properties: { b: text } }, { a: 'number', b: 'string' }],
    [
      'further parts',
      { $ref: '#/$defs/extended', allOf: [{ properties: { c: text } }] },
      { a: 'number', b: 'string', c: 'string' },
    ],
    [
      'lists of required fields',
      { $ref: '#/$defs/maybe', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 'number' },
    ],
    ['nothing, to a reference with fields', { $ref: '#/$defs/named' }, { a: 'number', name: 'string' }],
  ])('keeps what a reference leads to where it has beside it: %s', (_, schema, template) => {
    const $defs = {
      base: { type: 'object', properties: { a: { type: 'number' } } },
      extended: { allOf: [{ $ref: '#/$defs/base' }, { properties: { b: text } }] },
      maybe: { anyOf: [{ $ref: '#/$defs/base' }, { type: 'null' }] },
      named: { $ref: '#/$defs/base', type: ['object', 'null'], properties: { name: text } },
    };
    expect(fieldsOf({ x: schema }, $defs).template).toEqual({ x: template });
  });

  it('joins what several parts say of the same field, and of the elements of a list', () => {
    const rows = { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } };
    const parts = [
      { type: 'object', properties: { a: text, rows, any: true } },
      { properties: { a: { description: 'The name.', maxLength: 9 }, rows: { items: { properties: { m: text } } } } },
      { properties: { any: { type: 'boolean' } } },
    ];
    expect(fieldsOf({ x: { allOf: parts } })).toEqual({
      template: { x: { a: 'string', rows: [{ n: 'number', m: 'string' }], any: 'boolean' } },
      notes: ['- x.a: The name.; at most 9 characters, else null'],
      allowed: { '/x/a': { maxLength: 9 } },
    });
  });

  it.each<[string, object, object]>([
    [
      'enums',
      { allOf: [{ type: 'string', enum: ['a', 'b', 'c'] }, { enum: ['b', 'c', 'd'] }] },
      { values: ['b', 'c'] },
    ],
    ['an enum of a reference', { $ref: '#/$defs/e', enum: ['c', 'a'] }, { values: ['a', 'c'] }],
    [
      'an enum and constants',
      { enum: ['a', 'b', 'c'], anyOf: [{ const: 'a' }, { const: 'c' }, { const: 'z' }] },
      { values: ['a', 'c'] },
    ],
    ['an enum and a constant', { enum: ['a', 'b'], const: 'b' }, { values: ['b'], isFixed: true }],
    [
      'both kinds of alternatives',
      { anyOf: [{ const: 'a' }, { const: 'b' }], oneOf: [{ enum: ['b'] }, { const: 'c' }] },
      { values: ['b'], isFixed: true },
    ],
    ['enums with null', { allOf: [{ enum: ['a', null] }, { enum: ['a', 'b', null] }] }, { values: ['a'] }],
    ['a constant, and an enum with null', { anyOf: [{ const: 'a' }, { enum: ['a', null] }] }, { values: ['a'] }],
    ['a constant, and anything with a pattern', { type: 'string', anyOf: [{ const: 'a' }, { pattern: '^b' }] }, {}],
    ['the smallest number', { allOf: [{ type: 'number', minimum: 5 }, { minimum: 1 }] }, { min: 5 }],
    ['the largest number', { $ref: '#/$defs/n', maximum: 50, exclusiveMaximum: 7 }, { min: 0, max: 10, below: 7 }],
    [
      'whole numbers',
      { allOf: [{ type: 'integer' }, { type: 'number', exclusiveMinimum: 1 }, { exclusiveMinimum: 2 }] },
      { isWhole: true, above: 2 },
    ],
    [
      'lengths',
      {
        allOf: [
          { type: 'string', minLength: 3, maxLength: 5 },
          { minLength: 1, maxLength: 9 },
        ],
      },
      { minLength: 3, maxLength: 5 },
    ],
    [
      'counts',
      {
        type: 'array',
        items: { type: 'string' },
        maxItems: 4,
        uniqueItems: false,
        allOf: [{ maxItems: 2, uniqueItems: true }],
      },
      { maxItems: 2, isUnique: true },
    ],
  ])('allows only what all parts allow: %s', (_, schema, allowed) => {
    const $defs = { e: { type: 'string', enum: ['a', 'b', 'c'] }, n: { type: 'number', minimum: 0, maximum: 10 } };
    expect(fieldsOf({ x: schema }, $defs).allowed).toEqual(Object.keys(allowed).length === 0 ? {} : { '/x': allowed });
  });

  it.each<[string, object]>([
    ['enums', { allOf: [{ enum: ['a', 'b'] }, { enum: ['c'] }] }],
    ['an enum and alternatives', { type: 'string', enum: ['a'], oneOf: [{ const: 'b' }, { const: 'c' }] }],
    ['null alone', { allOf: [{ enum: ['a', null] }, { enum: ['b', null] }] }],
  ])('is refused where the parts of a field have no value in common: %s', (_, schema) => {
    expect(expectError(() => fieldsOf({ x: schema }))).toMatchObject({
      details: { issues: [{ loc: ['body', 'response_format', 'json_schema', 'schema', 'properties', 'x'] }] },
      message: expect.stringContaining('a common value'),
    });
  });

  it.each<[string, object]>([
    ['texts and numbers', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['constants of two types', { anyOf: [{ const: 'a' }, { const: 1 }] }],
    ['objects', { anyOf: [{ properties: { a: text } }, { properties: { b: text } }] }],
    ['two types together', { allOf: [{ type: 'string' }, { type: 'number' }] }],
    ['nothing but remarks', { anyOf: [{ minLength: 2 }, { maxLength: 1 }] }],
  ])('is refused where the alternatives of a field are %s', (_, schema) => {
    expect(() => fieldsOf({ x: schema })).toThrow('templates can express nothing else');
  });

  it('ends with a schema whose alternatives refer to each other many times', () => {
    const twice = (name: string) => ({ anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(`d${n + 1}`)]));
    expect(() => fieldsOf({ x: twice('d0') }, $defs)).toThrow('expected');
  });

  const schemaOf = (schema: object) => ({ response_format: { type: 'json_schema', json_schema: { schema } } });
  it.each<[string, object, string]>([
    ['an unknown model', { model: 'gpt-5' }, 'Expected the model citewire'],
    [
      'an unknown language model',
      { model: 'citewire/nope' },
      'citewire-deep, citewire/large, citewire/extractive or api/<stub>; got "citewire/nope".',
    ],
    ['no user turn', { messages: [{ role: 'system', content: 'x' }] }, 'got only turns of "system"'],
    ['a last user turn without text', { messages: [{ role: 'user', content: '' }] }, 'a last user turn without any'],
    [
      'several types',
      schemaOf({ type: 'object', properties: { n: { type: ['number', 'string'] } } }),
      'one type, or null',
    ],
    ['references in a circle', schemaOf({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }), 'resolved'],
    ['a broken reference', schemaOf({ properties: { n: { $ref: '#/$defs/%E0%A4' } } }), 'resolved'],
    [
      'a file beside the question',
      {
        messages: [
          user([
            { type: 'text', text: 'What?' },
            { type: 'file', file: { file_data: 'JVBERi0=' } },
          ]),
        ],
      },
      'got a part of the type "file"',
    ],
    [
      'an image that is only named',
      {
        messages: [
          user([
            { type: 'text', text: 'What?' },
            { type: 'input_image', file_id: 'f' },
          ]),
        ],
      },
      'got a part of the type "input_image"',
    ],
    [
      'two images',
      {
        messages: [
          user([
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url: 'https://a.example/1.png' } },
            { type: 'image_url', image_url: { url: 'https://a.example/2.png' } },
          ]),
        ],
      },
      'got 2 images',
    ],
    ['a type that is none', schemaOf({ type: 'object', properties: { n: { type: 'strnig' } } }), 'not "strnig"'],
    ['domains of both kinds', { search_domain_filter: ['a.org', '-b.org'] }, 'got both'],
    ['a date that is none', { search_after_date_filter: '2025-01-01' }, 'such as 1/31/2026'],
    [
      'a list of booleans',
      schemaOf({ type: 'object', properties: { n: { type: 'array', items: { type: 'boolean' } } } }),
      'a list of',
    ],
    [
      'a list that does not say of what',
      schemaOf({ type: 'object', properties: { n: { type: 'array', prefixItems: [{ type: 'string' }] } } }),
      '"items" that say what every element is',
    ],
    ['a field of any type', schemaOf({ type: 'object', properties: { n: { title: 'N' } } }), 'got no type'],
    [
      'a schema that contains itself',
      schemaOf({ $ref: '#/$defs/a', $defs: { a: { properties: { a: { $ref: '#/$defs/a' } } } } }),
      'resolved',
    ],
    [
      'a choice of types',
      schemaOf({ type: 'object', properties: { n: { anyOf: [{ type: 'number' }, { type: 'string' }] } } }),
      'one type',
    ],
    [
      'more values than a strict schema may have',
      schemaOf({ properties: { n: { enum: Array.from({ length: 1_001 }, (_, n) => `n${n}`) } } }),
      'expected at most 1000 values in total',
    ],
    [
      'values that are too long',
      schemaOf({ properties: { n: { enum: ['a '.repeat(10_001)] } } }),
      'expected at most 20000 characters of values in total',
    ],
    ['an empty schema', schemaOf({}), 'got an empty schema'],
    ['another format', { response_format: { type: 'grammar' } }, 'expected text'],
  ])('is refused with %s', (_, more, message) => expect(() => search(more)).toThrow(message));

  it('names one of the language models', () => {
    expect(request({ model: 'citewire/extractive' })).toMatchObject({ model: 'extractive' });
  });

  it('with a published API as its model is a run of it', () => {
    expect(search({ model: 'api/kettle' })).toEqual({ api: { api_stub: 'kettle', version: 'newest' }, text: 'Why?' });
    const content = [
      { type: 'text', text: 'Why?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    const shown = { model: 'api/kettle', messages: [{ role: 'user', content }] };
    expect(() => search(shown)).toThrow('takes no image');
  });

  it.each<[string, object, string]>([
    ['recent sources', { search_recency_filter: 'week' }, 'search_recency_filter'],
    ['sources after a day', { search_after_date_filter: '1/31/2026' }, 'search_after_date_filter'],
    ['sources before a day', { search_before_date_filter: '1/31/2026' }, 'search_before_date_filter'],
  ])('that runs a published API is refused with %s, which it would not heed', (_, more, field) => {
    const error = expectError(() => search({ model: 'api/kettle', ...more }));
    expect(error).toMatchObject({ code: 'validation_error', details: { issues: [{ loc: ['body', field] }] } });
  });

  it.each([{ type: 'text' }, { type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'x' } }])(
    'that runs a published API may name the format %j',
    (format) => {
      const asked = search({ model: 'api/kettle', response_format: format });
      expect(asked).toMatchObject({ api: { api_stub: 'kettle' } });
      expect(asked).not.toHaveProperty('expected');
    },
  );

  const numbered = { type: 'object', properties: { n: { type: 'number', minimum: 1 } } };
  it.each<[string, object, string[]]>([
    ['a json_schema', schemaOf(numbered).response_format, ['json_schema', 'schema']],
    ['a schema beside the type', { type: 'json_schema', schema: numbered }, ['schema']],
    ['a json_object with a schema', { type: 'json_object', schema: numbered }, ['schema']],
  ])('that runs a published API expects the template of %s', (_, format, path) => {
    expect(search({ model: 'api/kettle', response_format: format })).toEqual({
      api: { api_stub: 'kettle', version: 'newest' },
      text: 'Why?',
      expected: { template: { n: 'number' }, at: ['body', 'response_format', ...path] },
    });
  });

  it('that runs a published API is refused with a schema that no template can express', () => {
    const schema = schemaOf({ type: 'object', properties: { n: { type: ['number', 'string'] } } });
    expect(() => search({ model: 'api/kettle', ...schema })).toThrow('one type, or null');
  });
});
