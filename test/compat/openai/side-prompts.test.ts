/** Side prompts of chat applications, such as a request for a title: they are recognised, and answered with or without a model. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ChatCompletionRequest } from '../../../protocol/index.ts';
import { inFormat, sideFormat, withFormat } from '../../../src/compat/openai/side-format.ts';
import { replyFromText, sidePromptOf } from '../../../src/compat/openai/side-prompts.ts';

interface Recorded {
  readonly name: string;
  readonly prompt: string;
}

const recorded = JSON.parse(readFileSync(new URL('./side-prompts.json', import.meta.url), 'utf8')) as Recorded[];
const read = (content: unknown) =>
  sidePromptOf(ChatCompletionRequest.parse({ model: 'citewire', messages: [{ role: 'user', content }] }));

const answers: Record<string, string> = {
  'Open WebUI, title': '{"title":"Who designed the Heron Point Lighthouse?"}',
  'Open WebUI, tags': '{"tags":["General"]}',
  'Open WebUI, follow-ups': '{"follow_ups":[]}',
  'Open WebUI, queries': '{"queries":[]}',
  'LibreChat, title': 'Who designed the Heron Point Lighthouse?',
};

describe('a side prompt', () => {
  it.each(recorded)('recognises a side prompt, and answers it without a model: $name', ({ name, prompt }) => {
    expect(read(prompt)).toBe(prompt);
    expect(read([{ type: 'text', text: prompt }])).toBe(prompt);
    expect(replyFromText(prompt)).toBe(answers[name]);
  });

  it.each([
    'What is the title of the first novel by Ole Brandt?',
    '### Task: explain the lighthouse',
    'Why does Open WebUI put <chat_history> into a prompt that begins with "### Task:"?',
    'Who was told to "Provide a concise, 5-word-or-less title"?',
  ])('is not what a person asks: %s', (question) => expect(read(question)).toBeUndefined());
});

describe('the reply to a side prompt with a JSON Schema', () => {
  const schema = { type: 'object', properties: { language: { type: 'string' }, title: { type: 'string' } } };
  const request = ChatCompletionRequest.parse({
    model: 'citewire',
    messages: [{ role: 'user', content: 'Analyze this conversation and provide:' }],
    response_format: { type: 'json_schema', json_schema: { name: 'extract', schema } },
  });
  const format = sideFormat(request, undefined);
  const plain = sideFormat({ ...request, response_format: undefined }, undefined);

  it.each([
    ['words', 'The lighthouse', { language: null, title: 'The lighthouse' }],
    ['JSON', '{"language":"English","title":"The lighthouse"}', { language: 'English', title: 'The lighthouse' }],
    ['JSON in a block of code', '```json\n{"title": "A {b}"}\n```', { language: null, title: 'A {b}' }],
    ['broken JSON', '{"title": "The li', { language: null, title: '{"title": "The li' }],
  ])('has its fields, made of %s', (_, text, expected) => {
    expect(JSON.parse(inFormat(text, format))).toEqual(expected);
    expect(inFormat(text, plain)).toBe(text);
  });

  it('is asked for in words', () => {
    expect(withFormat('Analyze', format)).toContain(JSON.stringify(schema));
    expect(withFormat('Analyze', plain)).toBe('Analyze');
  });
});
