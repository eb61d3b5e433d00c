/**
 * Background searches on servers that are killed at random moments, while they are started, run and end: each ends exactly once,
 * and its webhook arrives, always with the same id. `TEST_LONG=1` kills 200 times where two servers share a store, and 30 times
 * over the others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SearchFrame, type SearchList, SearchRecord } from '../../protocol/index.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { crashStores } from '../support/servers/crash-stores.ts';
import { goodModel, type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startWebhookReceiver, type WebhookReceiver, webhookHeaders } from '../support/servers/webhook-receiver.ts';

const isLong = process.env.TEST_LONG === '1';
const prompt = 'Who designed the Heron Point Lighthouse?';

describe.each(crashStores.filter(({ isThere }) => isThere))(
  'background searches over $name',
  { timeout: isLong ? 3_600_000 : 300_000 },
  (store) => {
    let model: ModelServer;
    let dataDir: string;
    let env: Record<string, string>;
    let closeStore: () => Promise<void>;
    let servers: AppProcess[];
    let key: string;
    let receiver: WebhookReceiver;
    const secret = newWebhookSecret();

    beforeAll(async () => {
      model = await startModelServer();
      receiver = await startWebhookReceiver();
      const opened = await store.open();
      closeStore = opened.close;
      dataDir = mkdtempSync(join(tmpdir(), 'citewire-background-'));
      env = {
        DATA_DIR: dataDir,
        MODEL: 'scripted',
        OPENAI_BASE_URL: model.url,
        FETCH_ALLOW_HOSTS: receiver.host,
        ...opened.env,
      };
      const first = await startAppProcess(env, 1);
      key = first.keys[0]!;
      servers = [first];
      while (servers.length < (store.isShared ? 2 : 1)) servers.push(await startAppProcess(env));
    });
    afterAll(async () => {
      for (const { child } of servers) child.kill('SIGKILL');
      await Promise.all(servers.map(({ ended }) => ended));
      await closeStore();
      await model.close();
      await receiver[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    });
    afterEach(() => {
      model.script = goodModel;
    });

    const get = (path: string, at = servers[0]!) => fetch(at.url + path, { headers: { 'x-api-key': key } });
    const begin = (at: AppProcess) =>
      fetch(`${at.url}/v1/search`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt, background: true, webhook: { url: receiver.url, secret } }),
      });
    const read = async (search_id: string, at = servers[0]!) =>
      SearchRecord.parse(await (await get(`/v1/search/${search_id}`, at)).json());
    const kill = async (index: number) => {
      servers[index]!.child.kill('SIGKILL');
      await servers[index]!.ended;
    };

    it('end exactly once, whatever is killed when, and their webhooks count once', async () => {
      // So that some are killed while they post.
      // A signature is valid for five minutes, and the long form lasts longer.
      const unverified: string[] = [];
      receiver.answer = (response, one) => {
        try {
          new Webhook(secret).verify(one.body, webhookHeaders(one));
        } catch (error) {
          unverified.push(String(error));
        }
        setTimeout(() => response.writeHead(204).end(), Math.random() * 300);
      };
      // Each write takes a while, so that most kills hit some.
      model.script = async (call, count) => {
        if (call.kind === 'write') await sleep(Math.random() * 400);
        return goodModel(call, count);
      };
      const kills = isLong ? (store.isShared ? 200 : 30) : 3;
      const started = new Set<string>();
      const starts: Promise<void>[] = [];
      for (let round = 0; round < kills; round += 1) {
        const index = round % servers.length;
        await starts[index];
        let acknowledged = () => {};
        const oneStarted = new Promise<void>((resolve) => {
          acknowledged = resolve;
        });
        const starting = Array.from({ length: 3 }, async (_, at) => {
          await sleep(Math.random() * 800);
          const response = await begin(servers[(index + at) % servers.length]!).catch(() => undefined);
          if (response?.status !== 202) return;
          const record = (await response.json().catch(() => undefined)) as SearchRecord | undefined;
          if (record !== undefined) started.add(record.search_id);
          acknowledged();
        });
        await Promise.race([oneStarted, Promise.all(starting)]);
        await sleep(Math.random() * 1_000);
        await kill(index);
        await Promise.all(starting);
        starts[index] = startAppProcess(env).then((server) => {
          servers[index] = server;
        });
        // Where there is another server, it goes on meanwhile.
        if (!store.isShared) await starts[index];
      }
      await Promise.all(starts);
      expect(started.size).toBeGreaterThan(0);
      const ended = new Map<string, SearchRecord>();
      for (const search_id of started) {
        await expect
          .poll(async () => (await read(search_id)).state, { timeout: 120_000, interval: 200 })
          .not.toBe('running');
        const { head_seq: _, ...record } = await read(search_id);
        ended.set(search_id, record);
      }
      for (const { state, error, attempt } of ended.values()) {
        if (state === 'completed') expect(attempt).toBeGreaterThanOrEqual(1);
        else
          expect({ state, attempt, error }).toEqual({
            state: 'failed',
            attempt: expect.toSatisfy((n) => n > 2, 'more than two attempts'),
            error: expect.objectContaining({ code: 'lost' }),
          });
      }
      // Nothing changes any more, nothing is left, and the list has each once.
      const running = async () => ((await (await get('/v1/search?state=running')).json()) as SearchList).items;
      await expect.poll(running, { timeout: 120_000, interval: 200 }).toEqual([]);
      const listed: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const path: string = `/v1/search?limit=100${cursor && `&cursor=${cursor}`}`;
        const page = (await (await get(path)).json()) as SearchList;
        listed.push(...page.items.map(({ search_id }) => search_id));
        cursor = page.cursor;
      }
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toEqual(expect.arrayContaining([...started]));
      for (const [search_id, before] of ended) expect(await read(search_id)).toMatchObject(before);
      // Each that was recorded, also where the caller did not get to know its id, and nothing else.
      const webhooks = () => new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]));
      await expect.poll(() => webhooks().size, { timeout: 120_000, interval: 200 }).toBe(listed.length);
      const sent = [...webhooks().values()].map((body) => JSON.parse(body).data.id);
      expect(new Set(sent)).toEqual(new Set(listed));
      expect(unverified).toEqual([]);
      const bodies = webhooks();
      for (const { headers, body } of receiver.received) expect(bodies.get(headers['webhook-id'])).toBe(body);
      if (isLong)
        console.log(`${kills} kills: ${listed.length} searches ended, ${receiver.received.length} webhooks received`);
    });

    it.skipIf(!store.isShared)('go on at the other server, and so do their readers there', async () => {
      let finish = () => {};
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let writes = 0;
      model.script = async (call, count) => {
        if (call.kind === 'write') {
          writes += 1;
          await over;
        }
        return goodModel(call, count);
      };
      const { search_id } = SearchRecord.parse(await (await begin(servers[0]!)).json());
      await expect.poll(() => writes).toBe(1);
      const events = await get(`/v1/search/${search_id}/events`, servers[1]!);
      expect(events.status).toBe(200);
      const reading: Promise<SearchFrame[]> = readEvents(events);
      await kill(0);
      await expect.poll(() => writes).toBe(2);
      expect(await read(search_id, servers[1]!)).toMatchObject({ state: 'running', attempt: 2 });
      finish();
      const seen = await reading;
      expectLawful(seen);
      expect(seen.filter(({ type }) => type === 'search.restarted')).toHaveLength(1);
      servers[0] = await startAppProcess(env);
      const again = await readEvents(await get(`/v1/search/${search_id}/events`));
      expect(stateAfter(seen)).toEqual(stateAfter(again));
      expect(await read(search_id)).toMatchObject({ state: 'completed', attempt: 2 });
    });
  },
);
