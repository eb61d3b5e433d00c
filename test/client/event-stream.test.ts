/** Server-Sent Events are parsed the same wherever the bytes are split. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEventStream } from '../../src/client/event-stream.ts';

async function read(bytes: Uint8Array, cuts: readonly number[]): Promise<string[]> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let from = 0;
      for (const to of [...places, bytes.length]) controller.enqueue(bytes.subarray(from, (from = to)));
      controller.close();
    },
  });
  return collect(readEventStream(body, () => {}));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const line = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  fc.constantFrom('', '', ': hb', 'data', 'data:', 'data:x', 'id: s:1', 'event: warning', 'database: no'),
);

describe('readEventStream', () => {
  it('agrees with a standard parser for any line ends and any split', async () => {
    const end = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(fc.array(line), end, fc.array(fc.nat()), async (lines, ending, cuts) => {
        // Whether a lone carriage return ends a line is known only from the next character.
        const text = [...lines, ':'].map((each) => each + ending).join('');
        const parsed = new Response(text)
          .body!.pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream());
        const expected = (await collect(parsed)).map(({ data }) => data);
        expect(await read(new TextEncoder().encode(text), cuts)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('drops an event that the end of the body cuts off', async () => {
    expect(await read(new TextEncoder().encode('data: a\n\ndata: b\n'), [])).toEqual(['a']);
  });
});
