/** Searches over WebSockets whose clients are careless: they reuse refs, resume what they read, cancel twice, and leave. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { KeyUsage, SearchFrame } from '../../../protocol/index.ts';
import { plans } from '../../../src/access/plans.ts';
import { expectLawful } from '../../contracts/search-laws.ts';
import { connect, errorOf, type Frame, ofType, ping } from '../../support/clients/ws-client.ts';
import { startTestApp } from '../../support/start-app.ts';
import { useWatchedApp } from '../../support/watched-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

const watched = useWatchedApp();
const { open } = watched;

describe('a search', () => {
  it('starts several searches under the same ref', async () => {
    const client = await open();
    for (let n = 0; n < 3; n++) client.send({ type: 'search.start', ref: 'same', request: question });
    const attached = [];
    for (let n = 0; n < 3; n++) attached.push(await client.next(ofType('search.attached')));
    const ids = attached.map(({ search_id }) => search_id!);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expectLawful(await client.search(id));
    client.close();
  });

  it.each([
    ['larger than a frame without an image may be', { prompt: 'x'.repeat(1_100_000) }, 'payload_too_large'],
    [
      'with more values than any may have',
      { prompt: '?', output_format: { a: Array(60_000).fill(0) } },
      'validation_error',
    ],
    [
      'nested too deep',
      { prompt: '?', output_format: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) },
      'bad_message',
    ],
  ])('names the ref of a request that is refused before it is parsed: one %s', async (_, request, code) => {
    const client = await open();
    client.send({ type: 'search.start', ref: 'mine', request });
    expect(await client.next(ofType('error'))).toMatchObject({ ref: 'mine', error: { code } });
    client.close();
  });

  it('answers not_found to resuming, cancelling or detaching a search that is unknown or of another account', async () => {
    const owner = await open();
    const theirs = await owner.start(question);
    const client = await open();
    for (const search_id of [theirs, 's_unknown', '__proto__', 'constructor', 's\0', '']) {
      client.send({ type: 'search.resume', ref: `resume ${search_id}`, search_id, after_seq: 0 });
      client.send({ type: 'search.cancel', ref: `cancel ${search_id}`, search_id });
      client.send({ type: 'search.detach', ref: `detach ${search_id}`, search_id });
      const resumed = await client.next(({ ref }) => ref === `resume ${search_id}`);
      expect(resumed.type === 'error' ? errorOf(resumed).code : resumed.reason).toBe(
        search_id === '' ? 'validation_error' : 'not_found',
      );
      for (const act of ['cancel', 'detach']) {
        const { code } = errorOf(await client.next(({ ref }) => ref === `${act} ${search_id}`));
        expect(code).toBe(search_id === '' ? 'validation_error' : 'not_found');
      }
    }
    expect((await owner.search(theirs)).at(-1)?.type).toBe('search.completed');
    owner.close();
    client.close();
  });

  it('answers seq_ahead to resuming a search after its end', async () => {
    const client = await open();
    const search_id = await client.start(question);
    await client.search(search_id);
    client.send({ type: 'search.resume', ref: 'ahead', search_id, after_seq: 1e9 });
    expect(await client.next(({ ref }) => ref === 'ahead')).toMatchObject({ reason: 'seq_ahead' });
    client.close();
  });

  it('sends a second reader of a search the same as the first', async () => {
    const key = await watched.newKey();
    const first = await connect(watched.app.url, { 'x-api-key': key });
    const search_id = await first.start(question);
    const second = await connect(watched.app.url, { 'x-api-key': key });
    second.send({ type: 'search.resume', ref: 'second', search_id, after_seq: 0 });
    expectLawful(await second.search(search_id));
    expectLawful(await first.search(search_id));
    first.close();
    second.close();
  });

  it('replaces the subscription of a connection that resumes a search it reads, without sending anything twice', async () => {
    const client = await open();
    const search_id = await client.start(question);
    const { seq: head = 0 } = (await client.search(search_id)).at(-1) ?? {};
    const before = client.received.length;
    for (let n = 0; n < 3; n++) client.send({ type: 'search.resume', ref: `again ${n}`, search_id, after_seq: 0 });
    await client.next(({ ref }) => ref === 'again 2');
    const seqsByReading = () => {
      const readings: number[][] = [];
      for (const { type, seq } of client.received.slice(before)) {
        if (type === 'search.attached') readings.push([]);
        if (typeof seq === 'number') readings.at(-1)!.push(seq);
      }
      return readings;
    };
    await expect.poll(() => seqsByReading().at(-1)).toContain(head);
    expect(seqsByReading()).toHaveLength(3);
    for (const seqs of seqsByReading()) expect(new Set(seqs).size).toBe(seqs.length);
    client.close();
  });

  it('sends the terminal event of a search that its client cancels twice, and nothing after it', async () => {
    const client = await open();
    const search_id = await client.start(question);
    client.send({ type: 'search.cancel', ref: 'stop', search_id });
    client.send({ type: 'search.cancel', ref: 'stop', search_id });
    const frames = await client.search(search_id);
    expect(['search.cancelled', 'search.completed']).toContain(frames.at(-1)?.type);
    client.send(ping('after'));
    await client.next(({ ref }) => ref === 'after');
    expect(client.received.filter(({ seq }) => typeof seq === 'number')).toHaveLength(frames.length);
    client.close();
  });

  it('sends nothing of a search after it was detached, and lets it run on', async () => {
    const client = await open();
    client.send({ type: 'search.start', ref: 'a', request: question, on_disconnect: 'continue' });
    const { search_id } = await client.next(ofType('search.attached'));
    client.send({ type: 'search.detach', ref: 'off', search_id });
    client.send(ping('after'));
    const pong = await client.next(({ ref }) => ref === 'after');
    client.send({ type: 'search.resume', ref: 'on', search_id, after_seq: 0 });
    const attached = await client.next(({ ref }) => ref === 'on');
    const at = (frame: Frame) => client.received.indexOf(frame);
    const completed = await client.next((frame) => frame.type === 'search.completed' && at(frame) > at(attached));
    const between = (from: Frame, to: Frame) =>
      client.received.slice(at(from) + 1, at(to)).filter(({ seq }) => typeof seq === 'number');
    expect(between(pong, attached)).toEqual([]);
    expectLawful([...between(attached, completed), completed] as unknown as SearchFrame[]);
    client.close();
  });

  it('cancels a search with on_disconnect `cancel` when its only reader leaves, after whichever event', async () => {
    const key = await watched.newKey();
    for (let at = 1; at < 12; at += 2) {
      const leaving = await connect(watched.app.url, { 'x-api-key': key });
      leaving.send({ type: 'search.start', ref: 'a', request: question, on_disconnect: 'cancel' });
      const { search_id } = await leaving.next(ofType('search.attached'));
      await leaving.next(({ seq }) => typeof seq === 'number' && seq >= at);
      leaving.raw.terminate();
      await leaving.closed;
      const back = await connect(watched.app.url, { 'x-api-key': key });
      back.send({ type: 'search.resume', ref: 'b', search_id, after_seq: 0 });
      const frames = await back.search(search_id!);
      expectLawful(frames);
      const ending = frames.at(-1)!;
      if (ending.type === 'search.cancelled') expect(ending.by).toBe('disconnect');
      else expect(ending.type).toBe('search.completed');
      back.close();
    }
  });

  it('limits resumes together with upgrades, says when to resume again, and stays open', async () => {
    const client = await connect(watched.app.url, { 'x-api-key': await watched.newKey() });
    const search_id = await client.start(question);
    const resume = async (ref: string) => {
      client.send({ type: 'search.resume', ref, search_id, after_seq: 0 });
      return client.next((frame) => frame.ref === ref);
    };
    for (let n = 1; n < plans.pro.resumes.limit; n += 1) {
      expect((await resume(`${n}`)).type).toBe('search.attached');
    }
    const refused = await resume('too many');
    expect(refused).toMatchObject({ error: { code: 'rate_limited', retry_after_ms: expect.any(Number) } });
    client.send({ type: 'ping', ref: 'here' });
    await client.next(({ ref }) => ref === 'here');
    client.close();
  });

  it('stops searches soon whose clients left right after requesting them', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, open));
    for (const client of clients) {
      client.send({ type: 'search.start', ref: 'a', request: question, on_disconnect: 'cancel' });
      client.raw.terminate();
    }
    await Promise.all(clients.map(({ closed }) => closed));
    const metrics = async () => (await watched.app.get('/metrics')).text();
    await expect.poll(metrics).toMatch(/^citewire_sockets_open 0$/m);
    await expect.poll(metrics).toMatch(/^citewire_searches_in_flight 0$/m);
  });

  it('starts no search for a client that left before it was admitted', async () => {
    await using web = await startStallingServer();
    const env = { MODEL: 'scripted', OPENAI_BASE_URL: web.url, FETCH_ALLOW_HOSTS: new URL(web.url).host };
    await using server = await startTestApp(env);
    const client = await connect(server.url, { 'x-api-key': server.key });
    client.send({ type: 'search.start', ref: 'a', request: { ...question, image: `${web.url}/image.png` } });
    await expect.poll(() => web.open()).toBe(1);
    client.raw.terminate();
    // The image that the search was waiting for is given up.
    await expect.poll(() => web.open()).toBe(0);
    const { days } = (await (await server.get('/v1/usage')).json()) as KeyUsage;
    expect(days.filter(({ searches }) => searches > 0)).toEqual([]);
    expect(await (await server.get('/metrics')).text()).toMatch(/^citewire_searches_in_flight 0$/m);
  });
});

/** Accepts requests and never answers; `open` counts those whose client still waits. */
async function startStallingServer() {
  let open = 0;
  const server = createServer((_, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
