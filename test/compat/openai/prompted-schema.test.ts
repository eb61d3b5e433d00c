/** A schema in the words of a prompt is the format of the answer: as libraries write it, and as LangChain's own parser does. */
import { StringOutputParser, StructuredOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { ChatOpenAI } from '@langchain/openai';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ChatCompletionRequest, Turn } from '../../../protocol/index.ts';
import { searchOf } from '../../../src/compat/openai/chat/request.ts';
import { searchOf as searchOfResponse } from '../../../src/compat/openai/responses/request.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const question = 'Who designed the lighthouse?';
const schema = {
  type: 'object',
  properties: { designer: { type: 'string', description: 'Of the tower.' }, year: { type: 'integer' } },
  required: ['designer'],
  additionalProperties: false,
};
const written = JSON.stringify(schema, undefined, 2);
const { type: _, ...untyped } = schema;
const shaped = { designer: 'string', year: 'number' };

const json = { response_format: { type: 'json_object' } };

const search = (messages: Turn[], more: object = {}) =>
  searchOf({ model: 'citewire', messages, ...more } as ChatCompletionRequest, []) as {
    request?: { prompt: string; output_format?: object; image?: string };
    previous?: { prompts: string[] };
    instructions?: string;
  };
const user = (content: Turn['content']): Turn => ({ role: 'user', content });
const system = (content: string): Turn => ({ role: 'system', content });

/** How libraries ask, in wordings of ours that are like theirs. */
const asked: readonly [string, Turn[]][] = [
  [
    'before the question, with an example of another schema',
    [
      user(
        `Answer what the user asks.\nYour output should be a JSON instance that conforms to the JSON schema below.\n\nFor example, for the schema {"properties": {"foo": {"type": "array", "items": {"type": "string"}}}, "required": ["foo"]}\nthe object {"foo": ["a"]} is an instance of the schema. The object {"properties": {"foo": ["a"]}} is none.\n\nHere is the schema:\n\`\`\`\n${JSON.stringify(untyped)}\n\`\`\`\n${question}\n`,
      ),
    ],
  ],
  [
    'in a user turn of its own',
    [
      user(question),
      user(`Output should be in JSON format and conform to the following schema:\n\n\`\`\`\n${written}\n\`\`\`\n`),
    ],
  ],
  [
    'in a part of its own',
    [
      user([
        { type: 'text', text: question },
        { type: 'text', text: `Reply with JSON that fits this schema: ${written}` },
      ]),
    ],
  ],
  [
    'after the question in one line',
    [user(`${question} Answer in JSON that fits this schema: ${JSON.stringify(schema)} Do not use Markdown.`)],
  ],
  [
    'with the request for JSON after it',
    [user(`${question}\n\nHere's a JSON schema to follow:\n${written}\n\nOutput JSON, and do not repeat the schema.`)],
  ],
  [
    'in a system turn',
    [
      system(
        `You know towers.\n\nAlways respond with a JSON object that is compatible with this schema:\n\n${written}\n`,
      ),
      user(question),
    ],
  ],
  [
    'as references',
    [
      system(
        `Return JSON for this schema: ${JSON.stringify({ $ref: '#/definitions/Tower', definitions: { Tower: schema } })}`,
      ),
      user(question),
    ],
  ],
];

describe('a schema in a prompt', () => {
  it.each(asked)('is the template of the answer, and no part of the question: %s', (_name, turns) => {
    const { request, instructions } = search(turns);
    expect(request!.output_format).toEqual(shaped);
    expect(request!.prompt.split('\n').at(-1)).toBe(question);
    expect(request!.prompt).not.toMatch(/schema|json|"properties"|```/i);
    expect(instructions).toContain('- designer: Of the tower.');
    expect(instructions).not.toMatch(/schema|"properties"/i);
  });

  it.each(asked)('is read in the input and the instructions of a response, too: %s', async (_name, turns) => {
    const spoken = turns.filter(({ role }) => role !== 'system');
    const instructions = turns.find(({ role }) => role === 'system')?.content;
    const body = { model: 'citewire', input: spoken, ...(instructions == null ? {} : { instructions }) };
    expect(await searchOfResponse(body as never, async () => undefined, [])).toMatchObject({
      request: { output_format: shaped, prompt: expect.stringMatching(/Who designed the lighthouse\?$/) },
    });
  });

  it('keeps what the application says besides, and the image of the turn', () => {
    const image_url = { url: 'data:image/png;base64,AAAA' };
    const { request, instructions } = search([
      system(`You know towers.\nReturn JSON that fits this schema: ${written}\nBe brief.`),
      user([
        { type: 'text', text: question },
        { type: 'image_url', image_url },
      ]),
    ]);
    expect(request).toMatchObject({ prompt: question, image: image_url.url });
    expect(instructions).toMatch(/^You know towers\.\nBe brief\./);
  });

  it('is read without such a sentence where JSON is asked for by the format', () => {
    const turns = [system(`Fields: ${written}`), user(question)];
    expect(search(turns, json).request!.output_format).toEqual(shaped);
    expect(search(turns).request!.output_format).toBeUndefined();
  });

  it('gives way to the schema of the format, and to a function', () => {
    const turns = [user(`${question} Answer in JSON that fits this schema: ${written}`)];
    const other = { type: 'object', properties: { name: { type: 'string' } } };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema: other } };
    const tools = [{ type: 'function', function: { name: 'f', parameters: other } }];
    for (const more of [{ response_format }, { tools, tool_choice: 'required' }]) {
      expect(search(turns, more).request!.output_format).toEqual({ name: 'string' });
    }
  });

  it('counts in the last question only, and is no part of earlier ones', () => {
    const { request, previous } = search([
      user(`${question} Answer in JSON that fits this schema: ${written}`),
      { role: 'assistant', content: '{"designer":"Ingrid Solvay"}' },
      user('And when?'),
    ]);
    expect(request).toEqual({ prompt: 'And when?' });
    expect(previous!.prompts).toEqual([question]);
  });

  it.each<[string, string]>([
    ['is asked about', `What does this JSON schema allow? ${written}`],
    ['is all that is said', `Answer in JSON that fits this schema: ${written}`],
    [
      'has no template',
      `${question} Answer in JSON that fits this schema: {"type":"object","properties":{"a":{"type":"array","items":{"type":"boolean"}}}}`,
    ],
    ['is cut off', `${question} Answer in JSON that fits this schema: ${written.slice(0, -3)}`],
    ['is an example without a template', `${question} Answer in JSON such as {"properties": [true]}`],
  ])('stays a part of the question where it %s', (_name, prompt) => {
    expect(search([user(prompt)]).request).toEqual({ prompt });
  });

  it.each<[string, Turn[], object]>([
    ['after the question', [user(`${question} Respond in JSON: {"designer": "string", "year": 1990}`)], {}],
    ['in one sentence with it', [user('Who designed the lighthouse, as JSON like {"designer": "...", "year": 0}')], {}],
    [
      'in a fence',
      [user(`${question}\n\nReturn only JSON in this format:\n\`\`\`json\n{ "designer": "", "year": 1 }\n\`\`\`\n`)],
      {},
    ],
    ['before it', [user(`Use the following structure: {"designer": null, "year": "integer"}. ${question}`)], json],
    [
      'named as an example',
      [user(`${question}\nOutput valid JSON. For example:\n{"designer": "A. Bell", "year": 1}`)],
      {},
    ],
    ['in a system turn', [system('Respond with {"designer": "", "year": "<number>"}'), user(question)], json],
    [
      'in a system turn, after other examples',
      [
        system('You speak JSON.\nInput: {"a": 1}\nAlways respond like this: {"designer": "x", "year": 3}'),
        user(question),
      ],
      {},
    ],
  ])('may be an example of the answer: %s', (_name, turns, more) => {
    const { request } = search(turns, more);
    expect(request!.output_format).toEqual(shaped);
    expect(request!.prompt).toMatch(/^Who designed the lighthouse[?.]$/);
  });

  it.each<[string, unknown, object | undefined, string?]>([
    [
      'names of types',
      { a: 'int', b: 'bool', c: 'true/false', d: 'str | null' },
      { a: 'number', b: 'boolean', c: 'boolean', d: 'string' },
      '- a: a whole number, else null',
    ],
    ['alternatives', { tone: '"warm"|"cold"' }, { tone: 'string' }, '- tone: one of "warm","cold", else null'],
    ['what belongs there', { about: '<one sentence>' }, { about: 'string' }, '- about: one sentence'],
    ['a type with a remark', { height: 'number, in metres' }, { height: 'number' }, '- height: number, in metres'],
    [
      'lists and objects',
      { a: ['x'], b: [], c: [{ d: 1 }], e: { f: false } },
      { a: ['string'], b: ['string'], c: [{ d: 'number' }], e: { f: 'boolean' } },
    ],
    ['an example, which is no description', { a: 'The Marlow Light Station' }, { a: 'string' }],
    ['a list of numbers', { a: [1] }, { a: ['number'] }],
    ['a list of yes and no, which no template has', { a: [true] }, undefined],
    ['an empty object', {}, undefined],
    ['more levels than a template has', JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`), undefined],
  ])('of an example reads %s', (_name, example, template, note) => {
    const prompt = `${question} Respond in JSON: ${JSON.stringify(example)}`;
    const { request, instructions } = search([user(prompt)]);
    expect(request!.output_format).toEqual(template);
    expect(instructions).toEqual(note && `The fields of the answer:\n${note}`);
    if (template === undefined) expect(request!.prompt).toBe(prompt);
  });

  it.each([
    'Why does the API answer {"error": "x"} when the JSON is invalid?',
    'My server returns JSON like {"error": "x"}. Why?',
    'My API should return valid JSON, but it answers: {"error": "x"}. Why?',
    'How do I return this in JSON format: {"error": "x"}',
    'What does {"a": 1} mean in a JSON document?',
  ])('is not taken from JSON that is asked about: %s', (prompt) => {
    expect(search([user(prompt)]).request).toEqual({ prompt });
    expect(search([user(`Why does it say {"error": "x"}?`)], json).request).toMatchObject({
      prompt: 'Why does it say {"error": "x"}?',
      output_format: { answer: 'string' },
    });
  });

  it('is looked for in any text without an error, and in little time', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      '"properties":',
      'output ',
      'json ',
      '\n',
      '```',
      written,
      ': ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(search([user(`${question} ${parts.join('')}`)]).request!.prompt).toContain('Who designed');
      }),
    );
    const hostile = ['{"properties":', 'output json ', '{', '"properties" output ', 'output json {"a":1} ', ', and '];
    for (const piece of hostile) {
      const turns = Array.from({ length: 30 }, () => user(piece.repeat(60_000 / piece.length)));
      expect(search([...turns, user(question)]).request!.prompt).toBe(question);
    }
  });
});

describe('clients that write the schema into the prompt', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('LangChain’s parser reads the answer', async () => {
    const { plaintext: apiKey } = await app.accounts.createKey({ name: 'langchain', plan: 'pro' });
    const parser = StructuredOutputParser.fromZodSchema(
      z.object({ what: z.string().nullable().describe('What Citewire is.'), port: z.number().nullable() }) as never,
    );
    const prompt = ChatPromptTemplate.fromTemplate('Answer the question.\n{format}\n{question}');
    const model = new ChatOpenAI({ model: 'citewire', apiKey, configuration: { baseURL: `${app.url}/v1` } });
    const given = { question: 'What is Citewire?', format: parser.getFormatInstructions() };
    const answer = await prompt.pipe(model).pipe(parser).invoke(given);
    expect(Object.keys(answer as object)).toEqual(['what', 'port']);
    let streamed = '';
    for await (const part of await prompt.pipe(model).pipe(new StringOutputParser()).stream(given)) streamed += part;
    expect(JSON.parse(streamed)).toEqual(answer);
  });

  it('OpenAI’s JSON mode with the schema in the system turn', async () => {
    const { plaintext: apiKey } = await app.accounts.createKey({ name: 'openai', plan: 'pro' });
    const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey });
    const completion = await openai.chat.completions.create({
      model: 'citewire',
      messages: [
        { role: 'system', content: `As JSON, with this schema:\n${written}` },
        { role: 'user', content: question },
      ],
      response_format: { type: 'json_object' },
    });
    expect(Object.keys(JSON.parse(completion.choices[0]!.message.content!))).toEqual(['designer', 'year']);
  });
});
