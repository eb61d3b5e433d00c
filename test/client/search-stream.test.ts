/** Searches through the client, against the real server: iterating events, awaiting the result, leaving and cancelling. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { SearchFrame, SearchResult, StructuredResultWithEvidence, TextResult } from '../../protocol/index.ts';
import { type CitewireError, type Client, createClient, type SearchInput } from '../../src/client/client.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { expectWhole, quickClient, readAll } from '../support/clients/client-search.ts';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const transports = ['websocket', 'sse'] as const;

let model: ModelServer;
let app: TestApp;
let proxy: ChaosProxy;
let client: Client;
let letWrite: () => void;
beforeAll(async () => {
  model = await startModelServer();
  const env = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', MEDIAWIKI_URL: 'off' };
  app = await startTestApp(env);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await model.close();
});

/** Each test gets its own key, and with it its own rate limit. */
async function start(options: object = {}): Promise<Client> {
  proxy = await startChaosProxy(app.url);
  const { plaintext: apiKey } = await app.accounts.createKey({ name: 'client', account: 'acc_development' });
  client = quickClient({ baseUrl: proxy.url, apiKey, ...options });
  return client;
}
afterEach(async () => {
  model.script = goodModel;
  client?.close();
  await proxy?.close();
});

/** From here on the model writes nothing until `letWrite` is called. */
function holdWriting(): void {
  const allowed = new Promise<void>((resolve) => {
    letWrite = resolve;
  });
  model.script = async (call, count) => {
    if (call.kind === 'write') await allowed;
    return goodModel(call, count);
  };
}

const stateOf = async (search_id: string) => (await client.getSearch(search_id)).state;
const upgrades = () => proxy.requests.filter((line) => line.includes('/v1/ws/search')).length;

describe.each(transports)('a search over %s', (transport) => {
  it('yields every event once and in order, and resolves with the result', async () => {
    await start();
    const search = client.search(question, { transport });
    const frames = await readAll(search);
    expectLawful(frames);
    await expectWhole(frames, search, app);
    const result = await search.result;
    expect(result.answer).toContain('Heron Point');
    expect(result.search_id).toBe(search.search_id);
  });

  it('resolves with the result without being iterated', async () => {
    await start();
    const { status, citations } = await client.search(question, { transport }).result;
    expect(status).toBe('answered');
    expect(citations.length).toBeGreaterThan(0);
  });

  it('yields every event to each iteration, including late ones', async () => {
    await start();
    const search = client.search(question, { transport });
    const [one, two] = await Promise.all([readAll(search), readAll(search)]);
    expect(two).toEqual(one);
    expect(await readAll(search)).toEqual(one);
  });

  it('detaches from a search when its only iteration is left, and resumes with the next one', async () => {
    await start();
    holdWriting();
    const search = client.search(question, { transport });
    const first: SearchFrame[] = [];
    for await (const frame of search) {
      first.push(frame);
      if (frame.type === 'source.added' || first.length > 8) break;
    }
    expect(await stateOf(search.search_id!)).toBe('running');
    letWrite();
    await expect.poll(() => stateOf(search.search_id!)).toBe('completed');
    const frames = await readAll(search);
    expect(frames.slice(0, first.length)).toEqual(first);
    await expectWhole(frames, search, app);
  });

  it('cancels on the server when its signal fires', async () => {
    await start();
    holdWriting();
    const leave = new AbortController();
    const search = client.search(question, { transport, signal: leave.signal });
    const frames: SearchFrame[] = [];
    for await (const frame of search) {
      frames.push(frame);
      if (frame.type === 'search.accepted') leave.abort(new Error('enough'));
    }
    expect(frames.at(-1)).toMatchObject({ type: 'search.cancelled', by: 'client' });
    await expect(search.result).rejects.toMatchObject({ name: 'CitewireError', code: 'cancelled' });
    expect(await stateOf(search.search_id!)).toBe('cancelled');
  });

  it('cancels with cancel(), which resolves once the search has ended', async () => {
    await start();
    holdWriting();
    const search = client.search(question, { transport });
    for await (const _ of search) break;
    await search.cancel();
    expect(await stateOf(search.search_id!)).toBe('cancelled');
    await search.cancel();
  });

  it('sends no request when its signal has already fired', async () => {
    await start();
    const search = client.search(question, { transport, signal: AbortSignal.abort(new Error('never')) });
    await expect(readAll(search)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(search.result).rejects.toMatchObject({ cause: new Error('never') });
    expect(proxy.requests).toEqual([]);
  });

  it('rejects an invalid request with its issues, without a retry', async () => {
    await start();
    const search = client.search({ prompt: '' }, { transport });
    const error = (await search.result.catch((thrown) => thrown)) as CitewireError;
    expect(error).toMatchObject({ code: 'validation_error', status: 422, retryable: false });
    expect(error.issues).toMatchObject([{ loc: ['body', 'prompt'], type: 'string_too_short' }]);
    await expect(readAll(search)).rejects.toBe(error);
    expect(proxy.requests.length).toBe(1);
  });

  it('rejects an invalid key immediately', async () => {
    await start({ apiKey: 'cw_wrong' });
    await expect(client.search(question, { transport }).result).rejects.toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
    expect(proxy.requests.length).toBe(1);
  });

  it('takes a key with a line break after it, as one from a file has', async () => {
    await start();
    const { plaintext } = await app.accounts.createKey({ name: 'file', account: 'acc_development' });
    client.close();
    client = quickClient({ baseUrl: proxy.url, apiKey: `${plaintext}\n`, maxRetries: 0 });
    expect(await client.search(question, { transport }).result).toMatchObject({ status: 'answered' });
  });

  it.each([
    [
      'an idempotency key that no header can carry',
      () => client.search(question, { transport, idempotencyKey: 'größe 日' }),
      'validation_error',
    ],
    ['an empty idempotency key', () => client.search(question, { transport, idempotencyKey: '' }), 'validation_error'],
    ['the id of a search that no header can carry', () => client.follow('s_…', { transport }), 'not_found'],
    [
      'a request that JSON cannot hold',
      () => client.search({ ...question, max: { seconds: 5n as never } }, { transport }),
      'validation_error',
    ],
  ])('rejects %s without a retry', async (_, open, code) => {
    await start({ cache: { ttlMs: 1000 } });
    const stream = open();
    await expect(stream.result).rejects.toMatchObject({ name: 'CitewireError', code, retryable: false });
    await expect(readAll(stream)).rejects.toMatchObject({ code });
    expect(proxy.requests.filter((line) => !line.includes('/v1/ws/search'))).toEqual([]);
  });

  it('returns the same search for the same idempotency key', async () => {
    await start();
    const [one, two] = [1, 2].map(() => client.search(question, { transport, idempotencyKey: `mine-${transport}` }));
    expect((await two!.result).search_id).toBe((await one!.result).search_id);
  });

  it('follows a search by its id, from the start and from the middle', async () => {
    await start();
    const search = client.search(question, { transport });
    const frames = await readAll(search);
    expect(await readAll(client.follow(search.search_id!, { transport })).then(joined)).toEqual(joined(frames));
    const rest = await readAll(client.follow(search.search_id!, { transport, after: 5 }));
    expect(rest[0]!.first_seq ?? rest[0]!.seq).toBe(6);
    await expect(client.follow('s_unknown', { transport }).result).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes the result of a search from its record when it is followed from its last event', async () => {
    await start();
    const search = client.search(question, { transport });
    const frames = await readAll(search);
    const { seq: after } = frames.at(-1)!;
    const again = client.follow(search.search_id!, { transport, after });
    expect(await again.result).toEqual(await search.result);
  });

  it('returns a result in the shape of a template', async () => {
    await start();
    const request = { ...question, output_format: { designer: 'string', lamps: [{ year: 'number' }] } } as const;
    const search = client.search(request, { transport });
    expect(Object.keys(await search.result)).toEqual(['designer', 'lamps']);
    await expectWhole(await readAll(search), search, app);
  });

  it('rejects with `closed` when the client is closed', async () => {
    await start();
    holdWriting();
    const search = client.search(question, { transport });
    const reading = readAll(search);
    await expect.poll(() => search.search_id).toBeDefined();
    client.close();
    await expect(reading).rejects.toMatchObject({ code: 'closed' });
    await expect(search.result).rejects.toMatchObject({ code: 'closed' });
    await expect(client.search(question, { transport }).result).rejects.toMatchObject({ code: 'closed' });
  });
});

/** Neighbouring deltas as one: how they came joined depends on how fast they were read. */
function joined(frames: readonly SearchFrame[]): unknown[] {
  const texts = new Map<string, string>();
  for (const frame of frames) {
    if (frame.type === 'answer.delta') texts.set(frame.block, (texts.get(frame.block) ?? '') + frame.text);
  }
  return [...frames.filter(({ type }) => type !== 'answer.delta'), ...texts];
}

describe('a client', () => {
  it('runs as many searches as the plan allows over one WebSocket', async () => {
    await start();
    const searches = Array.from({ length: 7 }, () => client.search(question));
    const all = await Promise.all(searches.map(readAll));
    for (const [at, frames] of all.entries()) await expectWhole(frames, searches[at]!, app);
    expect(new Set(searches.map(({ search_id }) => search_id)).size).toBe(7);
    expect(upgrades()).toBe(1);
  });

  it.each(transports)('keeps nothing of a search over %s that was left', async (transport) => {
    await start();
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const seen: WeakRef<SearchFrame>[] = [];
    const lookAndLeave = async () => {
      for await (const frame of client.search(question, { transport })) {
        seen.push(new WeakRef(frame));
        break;
      }
    };
    for (let searches = 0; searches < 3; searches += 1) await lookAndLeave();
    const kept = () => {
      collect();
      return seen.filter((frame) => frame.deref() !== undefined).length;
    };
    await expect.poll(kept).toBe(0);
  });

  it('refuses to read on in a search that was left before it was closed', async () => {
    await start();
    holdWriting();
    const search = client.search(question);
    for await (const _ of search) break;
    client.close();
    await expect(search.result).rejects.toMatchObject({ code: 'closed' });
  });

  it('uses Server-Sent Events when there is no WebSocket', async () => {
    await start({ WebSocket: undefined });
    const isGlobal = 'WebSocket' in globalThis;
    await client.search(question).result;
    expect(upgrades()).toBe(isGlobal ? 1 : 0);
    if (!isGlobal) expect(() => client.search(question, { transport: 'websocket' })).toThrow(TypeError);
  });

  it('infers the type of the result from the request', () => {
    const untold = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', WebSocket: undefined, maxRetries: 0 });
    const text = untold.search({ prompt: 'x' });
    const shaped = untold.search({
      prompt: 'x',
      output_format: { a: 'string', b: [{ c: 'number', d: { e: 'boolean' } }] },
    });
    const proven = untold.search({ prompt: 'x', output_format: { a: 'string' }, include: ['evidence'] });
    const either = untold.search({ prompt: 'x' } as SearchInput);
    expectTypeOf(either.result).toEqualTypeOf<Promise<SearchResult>>();
    expectTypeOf(text.result).toEqualTypeOf<Promise<TextResult>>();
    expectTypeOf(shaped.result).toEqualTypeOf<
      Promise<{ a: string | null; b: { c: number | null; d: { e: boolean | null } }[] }>
    >();
    expectTypeOf(proven.result).toEqualTypeOf<
      Promise<Omit<StructuredResultWithEvidence, 'output'> & { output: { a: string | null } }>
    >();
    untold.close();
  });
});
