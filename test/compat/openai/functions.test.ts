/** A forced function is structured output: sent with OpenAI's own client over a real socket. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatCompletion, ResponseObject } from '../../../protocol/index.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
let openai: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  const { plaintext } = await app.accounts.createKey({ name: 'client', plan: 'pro' });
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: plaintext, maxRetries: 0 });
});
afterAll(() => app[Symbol.asyncDispose]());

const question = 'How do I check a citation?';
const body = { model: 'citewire', messages: [{ role: 'user' as const, content: question }] };
const create = { model: 'citewire', input: question };
const chat = async (more: object) => {
  const completion = await openai.chat.completions.create({ ...body, ...more });
  // Everything that is sent is documented.
  expect(ChatCompletion.strict().parse(JSON.parse(JSON.stringify(completion)))).toEqual(completion);
  return completion;
};
const respond = (more: object) => openai.responses.create({ ...create, ...more });

const parameters = {
  type: 'object',
  properties: { how: { type: 'string', description: 'In a word.' }, steps: { type: ['integer', 'null'] } },
};
const reply = { name: 'reply', parameters, strict: true };
const tools = [{ type: 'function', function: reply }];
const byName = { type: 'function', function: { name: 'reply' } };
const fieldsOf = (json: string | undefined) => Object.keys(JSON.parse(json ?? '') as object);

interface Call {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Delta {
  readonly role?: string;
  readonly content?: string | null;
  readonly tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
  readonly function_call?: { name?: string; arguments: string };
}

async function deltasOf(more: object): Promise<{ deltas: Delta[]; ends: (string | null)[] }> {
  const deltas: Delta[] = [];
  const ends: (string | null)[] = [];
  for await (const { choices } of await openai.chat.completions.create({ ...body, ...more, stream: true })) {
    for (const { delta, finish_reason } of choices) {
      deltas.push(delta as Delta);
      ends.push(finish_reason);
    }
  }
  return { deltas, ends };
}

describe('a chat completion whose function is forced', () => {
  it.each<[string, object, string]>([
    ['by its name', { tools, tool_choice: byName }, 'stop'],
    ['as the only one of the tools', { tools, tool_choice: 'required' }, 'tool_calls'],
    [
      'as the only one that is allowed',
      {
        tools: [{ type: 'function', function: { name: 'other' } }, ...tools],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [byName] } },
      },
      'tool_calls',
    ],
  ])('is the call of it, with the values as its arguments: %s', async (_, more, finish_reason) => {
    const { choices, citations } = (await chat(more)) as OpenAI.ChatCompletion & { citations: string[] };
    expect(choices[0]).toMatchObject({ finish_reason, message: { role: 'assistant', content: null } });
    const [call] = choices[0]!.message.tool_calls as Call[];
    expect(call).toMatchObject({ type: 'function', function: { name: 'reply' } });
    expect(call!.id).toMatch(/^call_\w+/);
    expect(fieldsOf(call!.function.arguments)).toEqual(['how', 'steps']);
    expect(citations.length).toBeGreaterThan(0);

    const { deltas, ends } = await deltasOf(more);
    expect(ends.at(-1)).toBe(finish_reason);
    const [opened, ...rest] = deltas.flatMap((delta) => delta.tool_calls ?? []);
    expect(deltas[0]).toMatchObject({ role: 'assistant', content: null });
    expect(opened).toMatchObject({ index: 0, type: 'function', function: { name: 'reply', arguments: '' } });
    expect(opened!.id).toMatch(/^call_\w+/);
    expect(rest.map((each) => each.function.arguments).join('')).toBe(call!.function.arguments);
  });

  it('is the call in the older form where that was asked for', async () => {
    const more = { functions: [reply], function_call: { name: 'reply' } };
    const { finish_reason, message } = (await chat(more)).choices[0]!;
    expect({ finish_reason, content: message.content }).toEqual({ finish_reason: 'stop', content: null });
    expect(message.tool_calls).toBeUndefined();
    const { name, arguments: json } = message.function_call!;
    expect([name, ...fieldsOf(json)]).toEqual(['reply', 'how', 'steps']);
    const { deltas } = await deltasOf(more);
    const [opened, ...rest] = deltas.flatMap(({ function_call }) => function_call ?? []);
    expect(opened).toEqual({ name: 'reply', arguments: '' });
    expect(rest.map((each) => each.arguments).join('')).toBe(json);
  });

  it('is the call even where a format of the text is asked for as well, and a list of sources', async () => {
    const more = { response_format: { type: 'json_object' }, citewire: { sources: true } };
    const { message } = (await chat({ tools, tool_choice: byName, ...more })).choices[0]!;
    expect(fieldsOf((message.tool_calls as Call[])[0]!.function.arguments)).toEqual(['how', 'steps']);
  });

  it('goes on: what the tool said is passed over, and the question is answered again', async () => {
    const first = (await chat({ tools, tool_choice: byName })).choices[0]!.message;
    const tool = { role: 'tool', tool_call_id: (first.tool_calls as Call[])[0]!.id, content: 'saved' };
    const second = await chat({ tools, messages: [...body.messages, first, tool] });
    expect(second.choices[0]!.message.content).not.toBeNull();
  });

  it('is text where the functions are only offered', async () => {
    expect((await chat({ tools, tool_choice: 'auto' })).choices[0]!.message).toMatchObject({
      content: expect.any(String) as string,
    });
  });

  it('is the call where it is a side prompt: a title', async () => {
    const messages = [{ role: 'user', content: `Please generate a concise title\nUser: ${question}` }];
    const title = { type: 'object', properties: { title: { type: 'string' }, language: { type: 'string' } } };
    const more = {
      messages,
      tools: [{ type: 'function', function: { name: 'title', parameters: title } }],
      tool_choice: 'required',
    };
    const { finish_reason, message } = (await chat(more)).choices[0]!;
    const [call] = message.tool_calls as Call[];
    expect([finish_reason, message.content, call!.function.name]).toEqual(['tool_calls', null, 'title']);
    expect(JSON.parse(call!.function.arguments)).toEqual({ title: question, language: null });
    const { deltas, ends } = await deltasOf(more);
    const pieces = deltas.flatMap(({ tool_calls = [] }) => tool_calls.map((each) => each.function.arguments));
    expect(pieces.join('')).toBe(call!.function.arguments);
    expect(ends.at(-1)).toBe('tool_calls');
  });
});

const flat = [{ type: 'function', ...reply }];

describe('a response whose function is forced', () => {
  it.each<[string, object]>([
    ['by its name', { tools: flat, tool_choice: { type: 'function', name: 'reply' } }],
    ['as the only one of the tools', { tools: flat, tool_choice: 'required' }],
  ])('is the call of it, and stays so whenever it is read: %s', async (_, more) => {
    const response = await respond(more);
    expect(ResponseObject.safeParse(response).error).toBeUndefined();
    expect(response).toMatchObject({
      status: 'completed',
      tool_choice: { type: 'function', name: 'reply' },
      tools: [{ type: 'function', name: 'reply', parameters, strict: true }],
      output: [{ type: 'function_call', name: 'reply', status: 'completed' }],
    });
    const call = response.output[0] as OpenAI.Responses.ResponseFunctionToolCall;
    expect([call.id, call.call_id]).toEqual([
      expect.stringMatching(/^fc_\w+/) as string,
      expect.stringMatching(/^call_\w+/) as string,
    ]);
    expect(fieldsOf(call.arguments)).toEqual(['how', 'steps']);
    const { output, tools: kept, tool_choice } = await openai.responses.retrieve(response.id);
    expect({ output, tools: kept, tool_choice }).toEqual({
      output: response.output,
      tools: response.tools,
      tool_choice: response.tool_choice,
    });
  });

  it('goes on: the result of the call alone, after the response before, gets an answer to its question', async () => {
    const { id, output } = await respond({ tools: flat, tool_choice: 'required' });
    const { call_id } = output[0] as OpenAI.Responses.ResponseFunctionToolCall;
    const input = [{ type: 'function_call_output' as const, call_id, output: 'saved' }];
    const next = await openai.responses.create({ model: 'citewire', input, previous_response_id: id });
    expect(next.output.at(-1)!.type).toBe('message');
    const searched = await openai.get(`/search/${next.id.slice('resp_'.length)}`);
    expect(searched).toMatchObject({ prompt: question });
  });

  it('streams the events of a call, and again when it is replayed', async () => {
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const forced = { tools: flat, tool_choice: 'required' } as unknown as { tools: [] };
    for await (const event of await openai.responses.create({ ...create, ...forced, stream: true })) events.push(event);
    const afterOpening = events.slice(events.findIndex(({ type }) => type === 'response.output_item.added'));
    expect(afterOpening.map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const [added, delta, done, itemDone, completed] = afterOpening as unknown as [
      { item: { id: string; arguments: string } },
      { item_id: string; output_index: number; delta: string },
      object,
      { item: { arguments: string } },
      { response: OpenAI.Responses.Response },
    ];
    expect(added.item).toMatchObject({ type: 'function_call', name: 'reply', arguments: '', status: 'in_progress' });
    const at = { item_id: added.item.id, output_index: 0 };
    expect(delta).toMatchObject({ ...at, delta: itemDone.item.arguments });
    expect(done).toMatchObject({ ...at, name: 'reply', arguments: delta.delta });
    expect(completed.response.output[0]).toEqual(itemDone.item);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const again: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await openai.responses.retrieve(completed.response.id, { stream: true }))
      again.push(event);
    expect(again).toEqual(events);
  });

  it('is the call when it was created in the background, and does not keep long parameters', async () => {
    const long = { ...parameters, description: 'A reply. '.repeat(1_000) };
    const { id } = await respond({
      tools: [{ ...flat[0], parameters: long }],
      tool_choice: 'required',
      background: true,
    });
    await expect.poll(async () => (await openai.responses.retrieve(id)).status).toBe('completed');
    expect(await openai.responses.retrieve(id)).toMatchObject({
      tools: [{ type: 'function', name: 'reply', parameters: null }],
      output: [{ type: 'function_call', name: 'reply' }],
    });
  });

  it('is a search in text where a web search may be called instead', async () => {
    const { output, tool_choice } = await respond({
      tools: [...flat, { type: 'web_search' }],
      tool_choice: 'required',
    });
    expect([tool_choice, output.at(-1)!.type]).toEqual(['auto', 'message']);
  });
});

describe('a forced function is refused', () => {
  const other = { type: 'function', function: { name: 'other', parameters } };
  const list = { type: 'object', properties: { n: { type: 'array', items: { type: 'boolean' } } } };
  const empty = { type: 'object', properties: {} };
  const deep = { type: 'object', properties: { a: parameters } };
  for (let level = 0; level < 12; level++) deep.properties.a = structuredClone(deep) as never;
  const tool = (given: object) => [other, { type: 'function', function: { name: 'reply', ...given } }];
  const at = 'tools.1.function.parameters';

  it.each<[string, object, string, RegExp]>([
    ['that is not among the tools', { tools: [other], tool_choice: byName }, 'tool_choice', /got "reply"/],
    ['without any tools', { tool_choice: byName }, 'tool_choice', /got "reply"/],
    ['that is one of several', { tools: [other, ...tools], tool_choice: 'required' }, 'tool_choice', /got 2/],
    ['that is not there', { tools: [], tool_choice: 'required' }, 'tool_choice', /got none/],
    ['that is a tool of another kind', { tools, tool_choice: { type: 'custom' } }, 'tool_choice', /no other tools/],
    [
      'with a name that is too long',
      { tools: [{ type: 'function', function: { name: 'n'.repeat(65), parameters } }], tool_choice: 'required' },
      'tools.0.function.name',
      /at most 64 characters/,
    ],
    ['without parameters', { tools: tool({}), tool_choice: byName }, at, /properties are named; got none/],
    ['without fields', { tools: tool({ parameters: empty }), tool_choice: byName }, at, /properties are named/],
    [
      'whose parameters no template can express',
      { tools: tool({ parameters: list }), tool_choice: byName },
      `${at}.properties.n`,
      /a list of objects, strings or numbers/,
    ],
    [
      'that is nested too deep',
      { tools: tool({ parameters: deep }), tool_choice: byName },
      `${at}${'.a'.repeat(8)}`,
      /levels/,
    ],
    [
      'in the older form, and named that way',
      { functions: [{ name: 'reply', parameters: list }], function_call: { name: 'reply' } },
      'functions.0.parameters.properties.n',
      /a list of objects, strings or numbers/,
    ],
    ['in the older form, without a list', { function_call: { name: 'reply' } }, 'function_call', /got "reply"/],
    [
      'with a published API, which has a template of its own',
      { model: 'api/kettle', tools, tool_choice: byName },
      'tool_choice',
      /published API/,
    ],
  ])('%s', async (_, more, param, message) => {
    const error = { status: 400, param, type: 'invalid_request_error', code: 'validation_error' };
    await expect(chat(more)).rejects.toMatchObject({ ...error, message: expect.stringMatching(message) as string });
  });

  it('in a response, where its parameters stand', async () => {
    const more = { tools: [{ ...flat[0], parameters: list }], tool_choice: { type: 'function', name: 'reply' } };
    await expect(respond(more)).rejects.toMatchObject({ status: 400, param: 'tools.0.parameters.properties.n' });
    await expect(respond({ ...more, tools: [] })).rejects.toMatchObject({ status: 400, param: 'tool_choice' });
  });
});
