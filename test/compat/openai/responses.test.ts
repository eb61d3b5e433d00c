/** Responses: requests as searches, and the logs of real searches as responses and their events. */
import { describe, expect, it } from 'vitest';
import { type CompletedEvent, ResponseObject, ResponseRequest } from '../../../protocol/index.ts';
import { responseEvents } from '../../../src/compat/openai/responses/events.ts';
import { searchOf } from '../../../src/compat/openai/responses/request.ts';
import { completedResponse } from '../../../src/compat/openai/responses/response.ts';
import { warningsIn } from '../../../src/compat/warnings.ts';
import { createRunLog, type Entry } from '../../../src/runs/log.ts';
import { completedNames, formatLog, type RecordedName, recordedNames, recordedRun } from '../recorded-log.ts';

interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly delta?: string;
  readonly text?: string;
  readonly response?: object;
  readonly annotation?: object;
  readonly item?: object;
}

type ShownSearch = { sources: boolean } | null;

const aboutOf = (
  { search_id, created_at }: { search_id: string; created_at: string },
  web_search: ShownSearch = { sources: true },
) => {
  const text = { format: { type: 'text' } };
  const given = { model: 'citewire', previous_response_id: null, metadata: {}, instructions: null, text, web_search };
  return { search_id, created_at, prompt: 'Who?', ...given, background: false };
};

function eventsOf(name: RecordedName, startingAfter?: number, lags = false, shown?: ShownSearch): ResponseEvent[] {
  const run = recordedRun(name);
  return parseEvents(formatLog(run.log, responseEvents(aboutOf(run, shown), startingAfter), lags));
}

function parseEvents(text: string): ResponseEvent[] {
  const frames = text.split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    const [, type, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
    const event = JSON.parse(data) as ResponseEvent;
    expect(event.type).toBe(type);
    return event;
  });
}

describe('the response of a search', () => {
  it.each(completedNames)('has the documented shape, and annotations that span their markers: %s', (name) => {
    const run = recordedRun(name);
    const { output, status } = ResponseObject.parse(completedResponse(aboutOf(run), run.ended as CompletedEvent));
    expect([status, ...output.map(({ type }) => type)]).toEqual(['completed', 'web_search_call', 'message']);
    const [, message] = output;
    if (message?.type !== 'message') throw new Error('expected a message');
    const { text, annotations } = message.content[0]!;
    expect(text).not.toBe('');
    if (name === 'text') expect(annotations.length).toBeGreaterThan(3);
    for (const { start_index, end_index } of annotations) {
      expect(text.slice(start_index, end_index)).toMatch(/^\[\d+\]$/);
    }
  });
});

describe('the web search of a response', () => {
  const run = recordedRun('text');
  const outputFor = (shown: ShownSearch) =>
    ResponseObject.parse(completedResponse(aboutOf(run, shown), run.ended as CompletedEvent)).output;

  it('is its call, with the sources where they are asked for', () => {
    const [call] = outputFor({ sources: true });
    expect(call).toMatchObject({ type: 'web_search_call', action: { type: 'search', queries: ['Who?'] } });
    expect(JSON.stringify(call)).toContain('"sources":[{"type":"url"');
    expect(JSON.stringify(outputFor({ sources: false })[0])).not.toContain('sources');
  });

  it('is not in the output of a client that gave no such tool', () => {
    expect(outputFor(null).map(({ type }) => type)).toEqual(['message']);
  });
});

describe('the events of a response', () => {
  it.each(recordedNames)('are without the call of a tool that was not given, in every replay: %s', (name) => {
    const events = eventsOf(name, undefined, false, null);
    expect(events.filter(({ type, item }) => /web_search/.test(type + JSON.stringify(item ?? {})))).toEqual([]);
    const placed = events.flatMap((event) => ('output_index' in event ? [event.output_index] : []));
    expect([...new Set(placed)]).toEqual(placed.length === 0 ? [] : [0]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    for (const { sequence_number } of events) {
      const after = eventsOf(name, sequence_number, sequence_number % 2 === 0, null);
      expect(after).toEqual(events.slice(sequence_number + 1));
    }
  });

  it.each(completedNames)('come in the order that clients demand, and end with the response: %s', (name) => {
    const events = eventsOf(name);
    const order = events
      .map(({ type }) => type.replace('response.', ''))
      .filter((type, at, all) => type !== all[at - 1]);
    const annotated = name === 'structured' || name === 'refused' ? [] : ['output_text.annotation.added'];
    expect(order).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'web_search_call.in_progress',
      'web_search_call.searching',
      'web_search_call.completed',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      ...annotated,
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    const run = recordedRun(name);
    const whole = completedResponse(aboutOf(run), run.ended as CompletedEvent, warningsIn(run.log));
    expect(events.at(-1)!.response).toEqual(JSON.parse(JSON.stringify(whole)));
    expect(events.findLast(({ item }) => item !== undefined)!.item).toEqual(
      JSON.parse(JSON.stringify(whole.output[1])),
    );
    const deltas = events.map(({ delta }) => delta ?? '').join('');
    expect(deltas).toBe(events.find(({ type }) => type === 'response.output_text.done')!.text);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
  });

  it.each(recordedNames)('are the same for a reader that lags, and after any of them: %s', (name) => {
    const events = eventsOf(name);
    expect(eventsOf(name, undefined, true)).toEqual(events);
    for (const { sequence_number } of events) {
      expect(eventsOf(name, sequence_number, sequence_number % 2 === 0)).toEqual(events.slice(sequence_number + 1));
    }
  });

  it.each(['failed', 'cancelled'] as const)('end with the failure where there is no answer: %s', (name) => {
    const { type, response } = eventsOf(name).at(-1)!;
    expect([type, response]).toMatchObject([
      'response.failed',
      { status: name, error: name === 'failed' ? { message: expect.any(String) } : null },
    ]);
    expect(ResponseObject.safeParse(response).error).toBeUndefined();
  });
});

describe('the events of a response whose search was restarted', () => {
  const { log: whole, ...about } = recordedRun('text');
  const restart: Entry = {
    first_seq: 2,
    seq: 1_000_000,
    at: about.created_at,
    event: { type: 'search.restarted', attempt: 2 },
  };
  const entries: Entry[] = [];
  for (let seq = 1; seq <= whole.head(); seq++) entries.push(whole.entry(seq)!);
  const [accepted, ...rest] = entries;

  /** The log of the second attempt. */
  function readAfter(startingAfter?: number, lags = false): ResponseEvent[] {
    const log = createRunLog(about.search_id);
    log.adopt(accepted!);
    log.adopt(restart);
    for (const { event } of rest) log.append(event);
    return parseEvents(formatLog(log, responseEvents(aboutOf(about), startingAfter), lags));
  }

  const opening = [
    'created',
    'in_progress',
    'output_item.added',
    'web_search_call.in_progress',
    'web_search_call.searching',
  ];
  const isFailure = (events: ResponseEvent[]) => {
    expect(events).toMatchObject([{ type: 'response.failed', response: { error: { code: 'lost' } } }]);
  };

  it('are the same whenever they are read, and after any of them', () => {
    const events = readAfter();
    expect(events.slice(0, 5).map(({ type }) => type)).toEqual(opening.map((type) => `response.${type}`));
    expect(events.at(-1)!.type).toBe('response.completed');
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const [at, after] of numbers.entries()) {
      expect(readAfter(after, at % 2 === 0)).toEqual(events.slice(at + 1));
    }
  });

  it('end with a failure for a client that has text of the first attempt, instead of mixing both', () => {
    const before = eventsOf('text').slice(opening.length);
    for (const { sequence_number } of before) {
      const events = readAfter(sequence_number);
      isFailure(events);
      expect(events[0]!.sequence_number).toBeGreaterThan(sequence_number);
      // It stays so until the client retrieves the response from its start.
      isFailure(readAfter(events[0]!.sequence_number));
    }
  });

  it('name only the sources of the second attempt to a client that followed both', () => {
    const format = responseEvents(aboutOf(about));
    const first = entries.findIndex(({ event }) => event.type === 'answer.delta');
    const seen = [...entries.slice(0, first), restart, ...rest];
    expect(parseEvents(seen.map(format).join(''))).toEqual(readAfter());
  });
});

describe('a request', () => {
  const search = (more: object, answers: Record<string, string> = {}) =>
    searchOf(
      ResponseRequest.parse({ model: 'citewire', input: 'Why?', ...more }),
      async (id) => (answers[id] === undefined ? undefined : { prompt: 'Who built it?', answer: answers[id] }),
      ['extractive'],
    );

  it('takes its prompt, image and earlier turns from the items', async () => {
    const image_url = 'data:image/png;base64,AAAA';
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Who built it?' }] },
      { type: 'web_search_call', id: 'ws_s_1', status: 'completed' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Solvay did. [1]' }] },
      { type: 'function_call_output', call_id: 'x', output: 'y' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'When?' },
          { type: 'input_image', image_url },
        ],
      },
    ];
    expect(await search({ input, instructions: 'In French.' })).toEqual({
      request: { prompt: 'When?', image: image_url },
      previous: { prompts: ['Who built it?'], answer: 'Solvay did.' },
      instructions: 'In French.\n\nBe brief.',
    });
  });

  it('resolves references to earlier answers, and passes over those it does not know', async () => {
    const input = [
      { role: 'user', content: 'Who built it?' },
      { type: 'item_reference', id: 'msg_s_1' },
      { type: 'item_reference', id: 'msg_s_2' },
      { type: 'item_reference', id: 'rs_1' },
      { role: 'user', content: 'When?' },
    ];
    expect(await search({ input }, { s_1: 'Solvay. [1]' })).toMatchObject({
      previous: { prompts: ['Who built it?'], answer: 'Solvay.' },
    });
  });

  it('is refused for a published API where it follows up or names domains, and expects the template of a schema', async () => {
    const model = 'api/who-designed';
    expect(await search({ model })).toMatchObject({ api: { api_stub: 'who-designed' }, text: 'Why?' });
    const tools = [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }];
    await expect(search({ model, tools })).rejects.toMatchObject({ details: { issues: [{ loc: ['body', 'tools'] }] } });
    const schema = { type: 'object', properties: { n: { type: 'number' } } };
    for (const type of ['json_schema', 'json_object']) {
      expect(await search({ model, text: { format: { type, name: 'x', schema } } })).toMatchObject({
        expected: { template: { n: 'number' }, at: ['body', 'text', 'format', 'schema'] },
      });
      const bare = { model, text: { format: { type: type === 'json_object' ? type : 'text' } } };
      expect(await search(bare)).not.toHaveProperty('expected');
    }
    const loc = ['body', 'previous_response_id'];
    await expect(search({ model, previous_response_id: 'resp_s_1' })).rejects.toMatchObject({
      details: { issues: [{ loc }] },
    });
  });

  it('takes allowed and blocked domains together', async () => {
    const filters = { allowed_domains: ['a.example'], blocked_domains: ['old.a.example'] };
    const { request, excluded } = (await search({ tools: [{ type: 'web_search', filters }] })) as unknown as Record<
      string,
      object
    >;
    expect({ request, excluded }).toMatchObject({
      request: { source_whitelist: ['a.example'] },
      excluded: ['old.a.example'],
    });
    expect(request).not.toHaveProperty('source_blacklist');
    const blocked = { blocked_domains: ['b.example'] };
    expect(await search({ tools: [{ type: 'web_search', filters: blocked }] })).toMatchObject({
      request: { source_blacklist: ['b.example'] },
    });
  });

  it('is a 400 if its previous_response_id is not the id of a response', async () => {
    const loc = ['body', 'previous_response_id'];
    await expect(search({ previous_response_id: 'xxx' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { issues: [{ loc }] },
    });
  });

  it('looks up only the last answers, however many are referred to', async () => {
    const reference = (n: number) => ({ type: 'item_reference', id: `msg_s_${n}` });
    const input = [
      { role: 'user', content: 'Who built it?' },
      ...Array.from({ length: 900 }, (_, n) => reference(n)),
      { role: 'user', content: 'When?' },
      reference(900),
    ];
    const lookedUp: string[] = [];
    const readUnknown = async (search_id: string) => {
      lookedUp.push(search_id);
      return undefined;
    };
    await searchOf(ResponseRequest.parse({ model: 'citewire', input }), readUnknown, []);
    expect(lookedUp.length).toBeLessThan(20);
    expect(lookedUp[0]).toBe('s_899');
    const answers = await search({ input }, { s_899: 'The newest.', s_898: 'An older one.' });
    expect(answers).toMatchObject({ previous: { answer: 'The newest.' } });
  });

  it('asks the question of the response before again, if the items are only what its tools have said', async () => {
    const input = [{ type: 'function_call_output', call_id: 'call_s_1', output: 'saved' }];
    expect(await search({ input, previous_response_id: 'resp_s_1' }, { s_1: 'Solvay.' })).toMatchObject({
      request: { prompt: 'Who built it?', previous_search_id: 's_1' },
    });
    const unknown = search({ input, previous_response_id: 'resp_s_2' }, { s_1: 'Solvay.' });
    await expect(unknown).rejects.toThrow('expected the id of one of your responses');
  });

  it.each<[string, object, object]>([
    ['the response before', { previous_response_id: 'resp_s_1' }, { previous_search_id: 's_1' }],
    [
      'the tool of web searches',
      {
        tools: [
          { type: 'function', name: 'x' },
          { type: 'web_search', filters: { allowed_domains: ['a.org'] }, search_context_size: 'high' },
        ],
      },
      { source_whitelist: ['a.org'], effort: 'deep' },
    ],
    [
      'the format of its text',
      {
        text: {
          format: { type: 'json_schema', name: 'x', schema: { type: 'object', properties: { n: { type: 'number' } } } },
        },
      },
      { output_format: { n: 'number' } },
    ],
  ])('narrows the search by %s', async (_, more, request) => expect(await search(more)).toMatchObject({ request }));

  it.each<[string, object, string]>([
    [
      'an image for a published API',
      {
        model: 'api/kettle',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Why?' },
              { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
            ],
          },
        ],
      },
      'takes no image',
    ],
    ['an unknown language model', { model: 'citewire/nope' }, 'citewire/extractive or api/<stub>'],
    ['another id', { previous_response_id: 's_1' }, 'expected the id of one of your responses'],
    ['no user turn', { input: [{ role: 'assistant', content: 'x' }] }, 'got only turns of "assistant"'],
  ])('is refused with %s', async (_, more, message) => expect(search(more)).rejects.toThrow(message));
});
