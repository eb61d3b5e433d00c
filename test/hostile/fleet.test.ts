/**
 * Three servers over one Postgres and one Redis, behind the proxy that ops/fleet configures. Each is stopped, killed and started
 * again at random while searches stream through the proxy: every reader gets each event once and in order, and every citation
 * opens on every server. What ran on a server that was killed begins again, and what had just been recorded there ends with its
 * record. `TEST_LONG=1` goes on for ten minutes with 200 streams, and prints what was counted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Citation, TextResult } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import type { Client } from '../../src/client/client.ts';
import { expectCitationsHold, expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { quickClient, readAll } from '../support/clients/client-search.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { type Caddy, hasCaddy, startCaddy } from '../support/servers/caddy.ts';
import { crashStores } from '../support/servers/crash-stores.ts';
import { freePort } from '../support/servers/free-port.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';

const isLong = process.env.TEST_LONG === '1';
/** Each with as many streams as a connection may carry. */
const callers = isLong ? 50 : 3;
const streamsPerCaller = plans.pro.searches_per_connection;
/** Faults go on for so long; the short form has one of each kind. */
const seconds = isLong ? 600 : 0;
/** Beyond the faults: no stream hangs. */
const timeout = (seconds + 400) * 1_000;
const store = crashStores.find(({ isShared }) => isShared)!;
const prompt = 'Who designed the Heron Point Lighthouse?';
const patient = { maxRetries: 200, silenceTimeoutMs: 20_000, connectTimeoutMs: 10_000, requestTimeoutMs: 20_000 };
type Fault = 'SIGTERM' | 'SIGKILL';

describe.skipIf(!store.isThere || !hasCaddy)('three servers behind a proxy', { timeout }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'citewire-fleet-'));
  const servers: AppProcess[] = [];
  let model: ModelServer;
  let ports: number[];
  let proxy: Caddy;
  let keys: readonly string[];
  let closeStore: () => Promise<void>;
  let start: (index: number, keys?: number) => Promise<void>;

  beforeAll(async () => {
    // Writes for seconds, so that most streams are cut by some fault.
    model = await startModelServer((call, count) => {
      const reply = goodModel(call, count);
      if (call.kind !== 'write' || !('text' in reply)) return reply;
      const more = Array.from({ length: 8 }, (_, at) => `Sentence ${at} adds nothing that a page would say.`);
      return { text: `${reply.text} ${more.join(' ')}`, ms: 80 };
    });
    const opened = await store.open();
    closeStore = opened.close;
    ports = [await freePort(), await freePort(), await freePort()];
    proxy = await startCaddy(ports.map((port) => `127.0.0.1:${port}`));
    start = async (index, count = 0) => {
      const env = {
        ...opened.env,
        DATA_DIR: join(dataDir, String(index)),
        PORT: String(ports[index]),
        MODEL: 'scripted',
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: 'k',
        TRUSTED_PROXIES: '127.0.0.1',
      };
      servers[index] = await startAppProcess(env, count);
    };
    await start(0, callers);
    keys = servers[0]!.keys;
    await Promise.all([start(1), start(2)]);
  });
  afterAll(async () => {
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
    await proxy?.stop();
    await closeStore?.();
    await model?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('lose no event of a stream, and open each citation everywhere, while they are stopped, killed and started', async () => {
    const counts = {
      streams: 0,
      completed: 0,
      begunAgain: 0,
      ofRecord: 0,
      lost: 0,
      refused: 0,
      events: 0,
      citations: 0,
      SIGTERM: 0,
      SIGKILL: 0,
    };
    const stopping = new AbortController();

    async function fail(index: number, fault: Fault): Promise<void> {
      const server = servers[index]!;
      server.child.kill(fault);
      counts[fault] += 1;
      const { code, signal } = await server.ended;
      expect({ code, signal }).toEqual(fault === 'SIGTERM' ? { code: 0, signal: null } : { code: null, signal: fault });
      if (fault === 'SIGTERM') expect(server.log()).toBe('');
      await start(index);
    }

    /** One server at a time is away; at random for the long form, each kind once for the short one. */
    async function disturb(): Promise<void> {
      const until = Date.now() + seconds * 1_000;
      for (let n = 0; n < 2 || Date.now() < until; n += 1) {
        await sleep(1_000);
        const fault = n < 2 ? (['SIGTERM', 'SIGKILL'] as const)[n]! : Math.random() < 0.5 ? 'SIGTERM' : 'SIGKILL';
        await fail(n < 2 ? n : Math.floor(Math.random() * 3), fault);
      }
      stopping.abort();
    }

    const citations = new Map<string, Citation>();
    async function stream(client: Client): Promise<void> {
      const search = client.search({ prompt });
      search.result.catch(() => {});
      const frames = await readAll(search).catch((error) => {
        // It was lost with its server more often than the client begins it again.
        if (error.code === 'lost') {
          counts.lost += 1;
          return undefined;
        }
        // Nobody took it: it never began, so nothing can be lost of it.
        expect({ code: error.code, message: error.message, search_id: search.search_id }).toEqual({
          code: expect.stringMatching(/^(?:overloaded|server_shutdown|connection_failed|rate_limited)$/),
          message: expect.any(String),
          search_id: undefined,
        });
        counts.refused += 1;
        return undefined;
      });
      if (frames === undefined) return;
      // A search that was lost with its server begins again, under another id.
      const ids = [...new Set(frames.map(({ search_id }) => search_id))];
      const attempts = ids.map((id) => frames.filter(({ search_id }) => search_id === id));
      expect(attempts.flat()).toEqual(frames);
      for (const attempt of attempts) expectDense(attempt, 0);
      counts.begunAgain += attempts.length - 1;
      const last = attempts.at(-1)!;
      const { terminal, openSteps } = stateAfter(last);
      if (terminal?.type === 'search.completed' && openSteps.length > 0) {
        // Its server was killed when the others had only the record of its end.
        const { answer } = (await client.getSearch(last[0]!.search_id)).result as TextResult;
        expect((terminal.result as TextResult).answer).toBe(answer);
        counts.ofRecord += 1;
      } else expectLawful(last);
      counts.streams += 1;
      counts.events += frames.length;
      if (terminal?.type === 'search.completed') {
        counts.completed += 1;
        for (const citation of (terminal.result as TextResult).citations) citations.set(citation.snapshot, citation);
        return;
      }
      // Only a server that was killed loses searches.
      expect(terminal).toMatchObject({ type: 'search.failed', error: { code: 'lost' } });
      counts.lost += 1;
    }

    async function call(key: string): Promise<void> {
      const client = quickClient({ baseUrl: proxy.url, apiKey: key, ...patient });
      const lane = async () => {
        do await stream(client);
        while (!stopping.signal.aborted);
      };
      try {
        await Promise.all(Array.from({ length: streamsPerCaller }, lane));
      } finally {
        client.close();
      }
    }

    await Promise.all([disturb(), ...keys.map(call)]);

    counts.citations = citations.size;
    if (isLong) console.log(JSON.stringify(counts));
    expect(counts.completed).toBeGreaterThan(callers * streamsPerCaller);
    expect(counts.lost + counts.ofRecord > 0 && counts.SIGKILL === 0).toBe(false);
    expect(citations.size).toBeGreaterThan(0);
    for (const { url } of servers) {
      await expectCitationsHold([...citations.values()], undefined, async (snapshot) => {
        const response = await fetch(`${url}/v1/contents/${snapshot}`, { headers: { 'x-api-key': keys[0]! } });
        expect(response.status).toBe(200);
        return ((await response.json()) as { response: string }).response;
      });
    }
  });
});
