/** The events of a response of type text/event-stream as frames; checks each id and event name against its frame. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect } from 'vitest';
import type { SearchFrame } from '../../../protocol/index.ts';

export async function readEvents(response: Response): Promise<SearchFrame[]> {
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const frames: SearchFrame[] = [];
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of events) {
    const frame = JSON.parse(data) as SearchFrame;
    expect(id).toBe(`${frame.search_id}:${frame.seq}`);
    expect(event).toBe(frame.type);
    frames.push(frame);
  }
  return frames;
}
