/**
 * A server that is killed at random moments, while callers search over every transport, with and without idempotency keys,
 * design, publish and create keys: whatever a caller was answered is there after the restart. `TEST_LONG=1` kills it 30 times
 * over each store and prints what was counted. (What concurrent publishers of one design see is a law of the store's own:
 * contracts/published-versions.ts.)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type {
  DesignRecord,
  DesignVersions,
  NewApiKey,
  SearchFrame,
  TextResult,
  VersionPublished,
} from '../../protocol/index.ts';
import { type BrowserSession, signInBy } from '../support/browser/browser-session.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { whoDesigned } from '../support/design.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { crashStores } from '../support/servers/crash-stores.ts';

const isLong = process.env.TEST_LONG === '1';
const kills = isLong ? 30 : 2;
/** The longest that a server lives once the first caller has been answered, ms. */
const maxLifeMs = 700;
const prompts = ['Who designed the Heron Point Lighthouse?', 'When was the Heron Point Lighthouse first lit?'];

/** Checks at the server that was started after the crash that something acknowledged is there. */
type Check = (at: AppProcess) => Promise<void>;

/** Where the disk is too slow, a search may be answered before it is stored: it says so, and nothing is promised. */
const promisesNothing: Check = async () => {};

interface Acknowledged {
  readonly kind: string;
  readonly check: Check;
}

let app: AppProcess | undefined;
let closeStore = async () => {};
const folder = mkdtempSync(join(tmpdir(), 'citewire-crash-'));
afterEach(async () => {
  app?.child.kill('SIGKILL');
  await app?.ended;
  await closeStore();
  rmSync(folder, { recursive: true, force: true });
});

function call(at: AppProcess, key: string, method: string, path: string, body?: unknown, more: object = {}) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { 'x-api-key': key, ...type, ...more };
  return fetch(at.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** The body of a response with this status; fails for another one. */
async function bodyOf<Body>(response: Response, status = 200): Promise<Body> {
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({ status, text });
  return JSON.parse(text) as Body;
}

/** The search is there, with the answer that its caller got. */
function searchCheck(key: string, search_id: string, result: unknown): Check {
  return async (at) => {
    const record = await bodyOf(await call(at, key, 'GET', `/v1/search/${search_id}`));
    expect(record).toMatchObject({ search_id, state: 'completed', result });
  };
}

function streamCheck(key: string, frames: readonly SearchFrame[]): Check {
  const [before, last] = frames.slice(-2);
  if (last?.type !== 'search.completed') throw new Error(`expected an answer; got ${JSON.stringify(last)}`);
  if (before?.type === 'warning' && before.code === 'not_stored') return promisesNothing;
  return searchCheck(key, last.search_id, last.result);
}

const isStored = (answer: Response) => answer.headers.get('x-search-stored') === null;

/** What one caller does; each resolves once it is acknowledged. */
function activities(at: AppProcess, key: string, browser: BrowserSession) {
  let done = 0;
  const request = () => ({ prompt: prompts[++done % prompts.length]! });
  return {
    async search_json(): Promise<Check> {
      const answer = await call(at, key, 'POST', '/v1/search', request());
      const result = await bodyOf<TextResult>(answer);
      return isStored(answer) ? searchCheck(key, result.search_id, result) : promisesNothing;
    },
    async search_sse(): Promise<Check> {
      const events = await call(at, key, 'POST', '/v1/search', request(), { accept: 'text/event-stream' });
      return streamCheck(key, await readEvents(events));
    },
    async search_websocket(): Promise<Check> {
      const socket = await connect(at.url, { 'x-api-key': key });
      const frames = await socket.search(await socket.start(request()));
      socket.close();
      return streamCheck(key, frames);
    },
    async search_once(): Promise<Check> {
      const body = request();
      const name = { 'idempotency-key': `${key.slice(0, 11)} ${done}`.replace(' ', '-') };
      const answer = await call(at, key, 'POST', '/v1/search', body, name);
      const first = await bodyOf<TextResult>(answer);
      if (!isStored(answer)) return promisesNothing;
      return async (later) => {
        const again = await call(later, key, 'POST', '/v1/search', body, name);
        // What is counted says how many calls are left.
        expect(again.headers.get('ratelimit')).toBeNull();
        expect(await bodyOf(again)).toEqual(first);
      };
    },
    async design(): Promise<Check> {
      const stub = `stub-${key.slice(3, 11).toLowerCase()}-${++done}`;
      const body = { ...whoDesigned, api_stub: stub, examples: [] };
      const made = await bodyOf<DesignRecord>(await call(at, key, 'POST', '/v1/design-api', body), 201);
      return async (later) => {
        const found = await bodyOf<DesignRecord>(await call(later, key, 'GET', `/v1/design-api/${made.api_id}`));
        expect(found).toMatchObject({ api_id: made.api_id, api_stub: stub, prompt: whoDesigned.prompt });
      };
    },
    async version(): Promise<Check> {
      const stub = `api-${key.slice(3, 11).toLowerCase()}-${++done}`;
      const body = { ...whoDesigned, api_stub: stub, examples: [] };
      const { api_id } = await bodyOf<DesignRecord>(await call(at, key, 'POST', '/v1/design-api', body), 201);
      const path = `/v1/design-api/${api_id}`;
      const { version, content_hash } = await bodyOf<VersionPublished>(
        await call(at, key, 'POST', `${path}/publish`),
        201,
      );
      return async (later) => {
        const { items } = await bodyOf<DesignVersions>(await call(later, key, 'GET', `${path}/versions`));
        expect(items).toMatchObject([{ version, content_hash }]);
      };
    },
    async key(): Promise<Check> {
      const made = await bodyOf<NewApiKey>(await browser.call('POST', '/v1/keys', { name: 'made' }), 201);
      return async (later) => void (await bodyOf(await call(later, made.api_key, 'GET', '/v1/usage')));
    },
  };
}

/** Callers that do all of this until the server is killed; resolves with what was acknowledged. */
async function useUntilKilled(at: AppProcess): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let isKilled = false;
  let onFirst = () => {};
  const first = new Promise<void>((resolve) => {
    onFirst = resolve;
  });
  const sessions = await Promise.all(at.links.map((link) => signInBy(at, new URL(link).hash.slice(1))));
  const loops = at.keys.flatMap((key, caller) =>
    Object.entries(activities(at, key, sessions[caller]!)).map(async ([kind, act]) => {
      // Below the caller's limit per minute.
      for (let round = 0; round < 10 && !isKilled; round += 1) {
        const check = await act().catch((error) => {
          if (!isKilled) throw error;
        });
        if (check === undefined) return;
        acknowledged.push({ kind: check === promisesNothing ? 'not_stored' : kind, check });
        onFirst();
      }
    }),
  );
  const all = Promise.all(loops);
  await Promise.race([first, all]);
  await sleep(Math.random() * maxLifeMs);
  isKilled = true;
  at.child.kill('SIGKILL');
  await at.ended;
  await all;
  return acknowledged;
}

describe.each(crashStores)('a server over $name', (store) => {
  it.skipIf(!store.isThere)(
    `loses nothing that it acknowledged when it is killed ${kills} times`,
    {
      timeout: 1_800_000,
    },
    async () => {
      const { env, close } = await store.open();
      closeStore = close;
      const settings = { ...env, DATA_DIR: join(folder, store.name) };
      const counts: Record<string, number> = {};
      const start = (keys: number) => startAppProcess(settings, keys);
      app = await start(3);
      for (let killed = 0; killed < kills; killed += 1) {
        const acknowledged = await useUntilKilled(app);
        app = await start(3);
        for (const { kind, check } of acknowledged) {
          await check(app).catch((error: Error) => {
            error.message = `${kind}, after kill ${killed + 1}: ${error.message}`;
            throw error;
          });
          counts[kind] = (counts[kind] ?? 0) + 1;
        }
        expect(app.log()).toBe('');
      }
      if (isLong) console.log(`${kills} kills over ${store.name}, nothing lost of ${JSON.stringify(counts)}`);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    },
  );
});
