/** What is sent to Anthropic's Messages API, beyond the laws of all protocols. */
import { expect, it } from 'vitest';
import { messagesWire } from '../../../src/model/anthropic/messages.ts';
import type { WireCall } from '../../../src/model/endpoint/wire.ts';

const shared = ['Evidence:\n\nOne.', '\n\nTwo.'];
const call: WireCall = {
  model: 'claude',
  system: 'Rules.',
  user: 'Evidence:\n\nOne.\n\nTwo.\n\nQuestion:\nWhat?',
  shared,
  schema: { name: 'reflection', schema: { type: 'object' } },
  maxTokens: 500,
  context: undefined,
  temperature: undefined,
  seed: undefined,
  reasoning: undefined,
  keepAlive: undefined,
  stream: false,
  features: {
    format: 'strict',
    system: true,
    temperature: true,
    seed: true,
    reasoning: true,
    maxTokens: true,
    streamUsage: true,
  },
};
type Sent = { messages: [{ content: { type: string; text: string; cache_control?: object }[] }] };
const send = (given: WireCall) => messagesWire('key').body(given) as Sent & { output_config?: object };

it('marks the end of the evidence that other calls show for the cache', () => {
  const { content } = send(call).messages[0];
  expect(content.map(({ text }) => text)).toEqual([...shared, '\n\nQuestion:\nWhat?']);
  expect(content.map(({ cache_control }) => cache_control)).toEqual([undefined, { type: 'ephemeral' }, undefined]);
});

it('puts no schema before evidence that is to be read from the cache', () => {
  expect(send(call).output_config).toBeUndefined();
  expect(send({ ...call, shared: [] }).output_config).toMatchObject({ format: { type: 'json_schema' } });
});

it('sends a message in one piece if no other call begins with it', () => {
  expect(send({ ...call, shared: [] }).messages[0].content).toEqual([{ type: 'text', text: call.user }]);
});
