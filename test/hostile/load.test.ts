/**
 * Many callers at the same time, whose connections are cut at random and who cancel at random: each reads every event of each
 * of its searches once and in order, and the server answers everybody else meanwhile. `TEST_LONG=1` makes it 1,600 searches
 * and prints what was counted. (Any schedule of cuts for a single caller: test/client/chaos.test.ts.)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import type { Client, SearchStream } from '../../src/client/client.ts';
import { expectWhole, quickClient } from '../support/clients/client-search.ts';
import { describeProbes, startProber } from '../support/prober.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { type ChaosProxy, type Fate, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';

const isLong = process.env.TEST_LONG === '1';
/** Each caller has its own key and starts this many searches, two at a time. */
const [callers, callersAtOnce] = isLong ? [200, 12] : [5, 5];
const searchesPerCaller = 8;
const shares = { cut: 0.6, cancel: 0.2 };

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const shaped = { ...question, output_format: { designer: 'string', lamps: [{ year: 'number' }] } } as const;
const transports = ['websocket', 'sse', 'auto'] as const;
const impatient = { maxRetries: 50, silenceTimeoutMs: 5_000, connectTimeoutMs: 5_000, requestTimeoutMs: 10_000 };

const dataDir = mkdtempSync(join(tmpdir(), 'citewire-load-'));
let model: ModelServer;
let app: AppProcess;
let proxy: ChaosProxy;
beforeAll(async () => {
  // Writes enough text, slowly enough, that connections are cut while it writes.
  model = await startModelServer((call, count) => {
    if (call.kind !== 'write') return goodModel(call, count);
    const sentences = Array.from({ length: 20 }, (_, at) => `Sentence ${at} says what the page says, 😀 and more.`);
    return { text: `STATUS: answered\n\n${sentences.join(' ')}`, ms: 2 };
  });
  const env = { DATA_DIR: dataDir, MODEL: 'scripted', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k' };
  app = await startAppProcess(env, callers);
  proxy = await startChaosProxy(app.url);
});
afterAll(async () => {
  await proxy?.close();
  app?.child.kill('SIGKILL');
  await app?.ended;
  await model?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const server = {
  key: '',
  get: (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers }),
};

it(`loses no event for ${callers * searchesPerCaller} searches that are cut and cancelled, and serves others meanwhile`, {
  timeout: 1_200_000,
}, async () => {
  const counts = { searches: 0, cuts: 0, cancelled: 0, completed: 0, events: 0 };
  proxy.decide((): Fate => {
    if (Math.random() > shares.cut) return {};
    counts.cuts += 1;
    return { cutAfter: Math.floor(Math.random() ** 2 * 40_000), pieces: 1 + Math.floor(Math.random() * 4_000) };
  });

  async function search(client: Client, key: string, n: number): Promise<void> {
    const stream: SearchStream<unknown> = client.search(n % 3 === 0 ? shaped : question, {
      transport: transports[n % transports.length]!,
    });
    stream.result.catch(() => {});
    const cancelAt = Math.random() < shares.cancel ? 1 + Math.floor(Math.random() * 30) : Number.POSITIVE_INFINITY;
    const frames: SearchFrame[] = [];
    for await (const frame of stream) {
      frames.push(frame);
      if (frames.length === cancelAt) void stream.cancel();
    }
    await expectWhole(frames, stream, server, key);
    counts.searches += 1;
    counts.events += frames.length;
    const end = frames.at(-1)!.type;
    expect(end).toMatch(/^search\.(completed|cancelled)$/);
    counts[end === 'search.completed' ? 'completed' : 'cancelled'] += 1;
  }

  async function call(key: string): Promise<void> {
    const client = quickClient({ baseUrl: proxy.url, apiKey: key, ...impatient });
    let n = 0;
    const lane = async () => {
      while (n < searchesPerCaller) await search(client, key, n++);
    };
    try {
      await Promise.all([lane(), lane()]);
    } finally {
      client.close();
    }
  }

  await using prober = await startProber({ url: app.url, pid: app.child.pid });
  const keys = [...app.keys];
  const lanes = Array.from({ length: callersAtOnce }, async () => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) await call(key);
  });
  await Promise.all(lanes);
  const report = await prober.stop();
  if (isLong) console.log(`${JSON.stringify(counts)}\n${describeProbes(report)}`);
  expect(counts.searches).toBe(callers * searchesPerCaller);
  expect(counts.cuts).toBeGreaterThan(0);
  expect(report.failures).toBe(0);
  expect(app.log()).toBe('');
});
