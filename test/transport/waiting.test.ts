/** A search whose connection closes while it waits for admission: it starts nonetheless if it is to go on without readers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import type { SearchList } from '../../protocol/index.ts';
import { connect } from '../support/clients/ws-client.ts';
import { goodModel, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp } from '../support/start-app.ts';

it('starts a search whose connection closed while it waited if its on_disconnect is `continue`, and no other', async () => {
  // A provider that is asked too much makes the server hold the starter plan's searches back: one at a time for a key.
  const busy = createServer((_, response) => response.writeHead(429, { 'retry-after': '30' }).end()).listen(0);
  await once(busy, 'listening');
  let letWrite = () => {};
  const writing = new Promise<void>((resolve) => {
    letWrite = resolve;
  });
  await using model = await startModelServer(async (call, count) => {
    if (call.kind === 'write') await writing;
    return goodModel(call, count);
  });
  await using app = await startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'k',
    SEARXNG_URL: `http://127.0.0.1:${(busy.address() as { port: number }).port}`,
  });
  const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'starter' });
  const key = { 'x-api-key': plaintext };
  const waiting = async () => /^citewire_searches_waiting (\d+)/m.exec(await (await app.get('/metrics')).text())?.[1];

  const first = await connect(app.url, key);
  await first.start({ prompt: 'Who designed the Heron Point Lighthouse?' });
  await expect.poll(() => model.calls.filter(({ kind }) => kind === 'write').length).toBe(1);
  const others = [];
  for (const on_disconnect of ['grace', 'continue']) {
    const other = await connect(app.url, key);
    const request = { prompt: `How high is the tower (${on_disconnect})?` };
    other.send({ type: 'search.start', ref: 'a', request, on_disconnect });
    others.push(other);
  }
  await expect.poll(waiting).toBe('2');
  for (const other of others) {
    other.raw.terminate();
    await other.closed;
  }
  await expect.poll(waiting).toBe('1');
  letWrite();
  const ended = async () => ((await (await app.get('/v1/search', key)).json()) as SearchList).items;
  await expect.poll(async () => (await ended()).length).toBe(2);
  expect((await ended()).map(({ prompt, state }) => [prompt, state])).toEqual([
    ['How high is the tower (continue)?', 'completed'],
    ['Who designed the Heron Point Lighthouse?', 'completed'],
  ]);
  first.close();
  busy.close();
});
