/**
 * Connections that are cut, refused, stalled and split up at random between client and server: nothing is lost, doubled or
 * out of order, and the state is that of one uninterrupted read.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/client/client.ts';
import { expectWhole, quickClient, readAll } from '../support/clients/client-search.ts';
import { type ChaosProxy, type Fate, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const shaped = { ...question, output_format: { designer: 'string', lamps: [{ year: 'number' }] } } as const;

let model: ModelServer;
let app: TestApp;
let proxy: ChaosProxy;
let runs = 0;
beforeAll(async () => {
  // Writes enough text, slowly enough, that connections are cut while it writes.
  model = await startModelServer((call, count) => {
    if (call.kind !== 'write') return goodModel(call, count);
    const sentences = Array.from({ length: 12 }, (_, at) => `Sentence ${at} says what the page says, 😀 and more.`);
    return { text: `STATUS: answered\n\n${sentences.join(' ')}`, ms: 1 };
  });
  const env = { MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k', MEDIAWIKI_URL: 'off' };
  app = await startTestApp(env);
  proxy = await startChaosProxy(app.url);
});
afterAll(async () => {
  await proxy.close();
  await app[Symbol.asyncDispose]();
  await model.close();
});

/** Each schedule gets its own key, and with it its own rate limit. */
async function newKey(): Promise<string> {
  const name = `schedule ${(runs += 1)}`;
  return (await app.accounts.createKey({ name, account: 'acc_development' })).plaintext;
}

/**
 * How a client tries that has little patience: a stalled connection costs it `silenceMs`. A busy machine needs that long for a
 * healthy one, too, so that it is half of a search without chaos, between 80 and 1,000 ms, and nothing is given up by counting.
 */
let impatient: Omit<ClientOptions, 'baseUrl'>;
beforeAll(async () => {
  const client = quickClient({ baseUrl: app.url, apiKey: await newKey() });
  const started = performance.now();
  await client.search(question, { transport: 'websocket' }).result;
  client.close();
  const silenceMs = Math.min(1_000, Math.max(80, (performance.now() - started) / 2));
  const once = { silenceTimeoutMs: silenceMs, connectTimeoutMs: silenceMs, requestTimeoutMs: 6 * silenceMs };
  impatient = { maxRetries: 1_000, ...once };
});

const bytes = fc.oneof(fc.nat(3_000), fc.nat(30_000));
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ cutAfter: bytes, pieces: fc.integer({ min: 1, max: 4_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ refuse: true }) },
  { weight: 1, arbitrary: fc.record({ stallAfter: bytes }) },
);
const schedule = fc.array(fate, { minLength: 1, maxLength: 8 });

describe.each(['websocket', 'sse', 'auto'] as const)('searches over %s', (transport) => {
  it('delivers every event through any schedule of cuts', async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async (fates) => {
        const apiKey = await newKey();
        proxy.schedule(fates);
        const client = quickClient({ baseUrl: proxy.url, apiKey, ...impatient });
        try {
          const searches = [client.search(question, { transport }), client.search(shaped, { transport })];
          const all = await Promise.all(searches.map(readAll));
          proxy.schedule([]);
          for (const [at, frames] of all.entries()) await expectWhole(frames, searches[at]!, app, apiKey);
        } finally {
          client.close();
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('delivers every event of a finished search after any cut', async () => {
    const client = quickClient({ baseUrl: app.url, apiKey: app.key });
    const { search_id } = await client.search(question, { transport, idempotencyKey: `read-on-${transport}` }).result;
    client.close();
    await fc.assert(
      fc.asyncProperty(schedule, async (fates) => {
        const apiKey = await newKey();
        proxy.schedule(fates);
        const reader = quickClient({ baseUrl: proxy.url, apiKey, ...impatient });
        try {
          const search = reader.follow(search_id, { transport });
          const frames = await readAll(search);
          proxy.schedule([]);
          await expectWhole(frames, search, app, apiKey);
        } finally {
          reader.close();
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

describe('any schedule of cuts', () => {
  it('starts one search on the server, however often the request had to be sent', async () => {
    const apiKey = await newKey();
    // Cut before the client can have learnt its id.
    proxy.schedule([{ cutAfter: 0 }, { cutAfter: 100 }, { cutAfter: 700 }, { cutAfter: 1_000 }, { cutAfter: 1_200 }]);
    const client = quickClient({ baseUrl: proxy.url, apiKey });
    const before = model.calls.filter(({ kind }) => kind === 'plan').length;
    const search = client.search(question, { transport: 'websocket' });
    await expectWhole(await readAll(search), search, app, apiKey);
    expect(model.calls.filter(({ kind }) => kind === 'plan').length).toBe(before + 1);
    client.close();
  });
});
