/** Reads a whole search with the client and compares it with the server's own log. */
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { SearchFrame } from '../../../protocol/index.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
  emptySearch,
  reduceSearch,
  type SearchStream,
} from '../../../src/client/client.ts';
import { expectDense, stateAfter } from '../../contracts/search-laws.ts';
import type { TestApp } from '../start-app.ts';
import { readEvents } from './sse-client.ts';

/** A client that retries quickly; `WebSocket` is that of `ws`, as for Node 20. */
export function quickClient(options: ClientOptions): Client {
  return createClient({ WebSocket, backoffMs: 4, maxBackoffMs: 20, ...options });
}

export async function readAll(events: AsyncIterable<SearchFrame>): Promise<SearchFrame[]> {
  const frames: SearchFrame[] = [];
  for await (const frame of events) frames.push(frame);
  return frames;
}

/** Fails if anything is lost, duplicated or out of order, or the state differs from an uninterrupted read. */
export async function expectWhole(
  frames: readonly SearchFrame[],
  stream: SearchStream<unknown>,
  app: Pick<TestApp, 'get' | 'key'>,
  key = app.key,
): Promise<void> {
  const path = `/v1/search/${stream.search_id}/events`;
  const log = await readEvents(await app.get(path, { 'x-api-key': key }));
  expectDense(frames, 0);
  expect(frames.at(-1)).toEqual(log.at(-1));
  expect(stateAfter(frames)).toEqual(stateAfter(log));
  expect(frames.reduce(reduceSearch, emptySearch)).toEqual(log.reduce(reduceSearch, emptySearch));
}
