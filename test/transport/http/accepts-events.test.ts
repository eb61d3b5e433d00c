/** Which headers `Accept` ask for events. */
import { expect, it } from 'vitest';
import { acceptsEvents } from '../../../src/transport/http/sse.ts';

it.each([
  ['text/event-stream', true],
  ['application/json, text/event-stream', true],
  ['application/json, Text/Event-Stream; q=0.5', true],
  ['text/event-stream;charset=utf-8', true],
  ['application/json, text/event-stream;q=0', false],
  ['application/json, text/event-stream; charset=utf-8; q=0.000', false],
  ['text/event-streams', false],
  ['*/*', false],
  ['', false],
])('%j: %s', (accept, expected) => {
  expect(acceptsEvents({ headers: new Map([['accept', accept]]) } as never)).toBe(expected);
});
