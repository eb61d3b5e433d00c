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
    searchOf(ChatCompletionRequest.parse({ model: 'citewire', messages: [user('Why?')], ...more }));
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
      searchOf({ model: 'citewire', messages: [{ role: 'user', content: 'What?' }], response_format: format }),
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
      searchOf({ model: 'citewire', messages: [{ role: 'user', content: 'What?' }], response_format: format }),
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

  const schemaOf = (schema: object) => ({ response_format: { type: 'json_schema', json_schema: { schema } } });
  it.each<[string, object, string]>([
    ['an unknown model', { model: 'gpt-5' }, 'Expected the model citewire'],
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
    ['the shape of a schema', schemaOf({ properties: { n: { type: 'number' } } }), 'response_format'],
    ['a schema that is not given', { response_format: { type: 'json_schema' } }, 'response_format'],
    [
      'a schema beside a json_object',
      { response_format: { type: 'json_object', schema: { type: 'object', properties: { n: { type: 'number' } } } } },
      'response_format',
    ],
    ['recent sources', { search_recency_filter: 'week' }, 'search_recency_filter'],
    ['sources after a day', { search_after_date_filter: '1/31/2026' }, 'search_after_date_filter'],
    ['sources before a day', { search_before_date_filter: '1/31/2026' }, 'search_before_date_filter'],
  ])('that runs a published API is refused with %s, which it would not heed', (_, more, field) => {
    const error = expectError(() => search({ model: 'api/kettle', ...more }));
    expect(error).toMatchObject({ code: 'validation_error', details: { issues: [{ loc: ['body', field] }] } });
  });

  it.each([{ type: 'text' }, { type: 'json_object' }])('that runs a published API may name the format %j', (format) => {
    expect(search({ model: 'api/kettle', response_format: format })).toMatchObject({ api: { api_stub: 'kettle' } });
  });
});
