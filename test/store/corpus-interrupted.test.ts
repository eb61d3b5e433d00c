/**
 * Two servers behind the proxy that ops/fleet configures, over one Postgres that is restarted, or frozen for ten seconds, while searches
 * run: each is answered, from the index or once it is back, or is a 503 with `Retry-After`. Nothing that was indexed is lost.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextResult } from '../../protocol/index.ts';
import { expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { type Caddy, hasCaddy, startCaddy } from '../support/servers/caddy.ts';
import { hasOwnPostgres, type OwnPostgres, startPostgres } from '../support/servers/postgres.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const frozenMs = 10_000;
const troubles = [
  [
    'restarts',
    async (server: OwnPostgres) => {
      await server.kill();
      await server.start();
    },
  ],
  [
    'freezes',
    async (server: OwnPostgres) => {
      server.pause();
      await sleep(frozenMs);
      server.resume();
    },
  ],
] as const;

describe.skipIf(!hasOwnPostgres || !hasCaddy).each(troubles)(
  'a Postgres of two servers that %s',
  { timeout: 240_000 },
  (_, trouble) => {
    let server: OwnPostgres;
    const dataDir = mkdtempSync(join(tmpdir(), 'citewire-interrupted-'));
    let apps: AppProcess[];
    let proxy: Caddy;
    beforeAll(async () => {
      server = await startPostgres();
      const start = (env: object, keys: number) => {
        const DATA_DIR = mkdtempSync(join(dataDir, 'server-'));
        return startAppProcess({ DATA_DIR, TRUSTED_PROXIES: '127.0.0.1', ...env }, keys);
      };
      const settings = { DATABASE_URL: await server.fresh() };
      apps = [await start(settings, 1), await start(settings, 0)];
      proxy = await startCaddy(apps.map(({ url }) => new URL(url).host));
    });
    afterAll(async () => {
      await proxy?.stop();
      for (const { child } of apps ?? []) child.kill('SIGKILL');
      await Promise.all((apps ?? []).map(({ ended }) => ended));
      rmSync(dataDir, { recursive: true, force: true });
      await server?.stop();
    });

    it('makes searches wait or answers them with 503 and Retry-After, and has every page afterwards', async () => {
      const answered: string[] = [];
      const snapshots = new Set<string>();
      const note = ({ status, citations }: Pick<TextResult, 'status' | 'citations'>) => {
        answered.push(status);
        for (const { snapshot } of citations) snapshots.add(snapshot);
      };
      const key = { 'x-api-key': apps[0]!.keys[0]! };
      let isOver = false;
      const ask = (accept: string) => {
        const headers = { ...key, 'content-type': 'application/json', accept };
        return fetch(`${proxy.url}/v1/search`, { method: 'POST', headers, body: JSON.stringify(question) });
      };
      const callers = ['application/json', 'text/event-stream', 'application/json'].map(async (accept) => {
        while (!isOver) {
          const response = await ask(accept);
          if (response.status !== 200) {
            expect([response.status, response.headers.get('retry-after')]).toEqual([
              503,
              expect.stringMatching(/^\d+$/),
            ]);
            await response.text();
            await sleep(500);
          } else if (accept === 'text/event-stream') {
            const frames = await readEvents(response);
            expectLawful(frames);
            const { terminal } = stateAfter(frames);
            if (terminal?.type !== 'search.completed')
              expect(terminal).toMatchObject({ error: { code: 'overloaded' } });
            else note(terminal);
          } else note((await response.json()) as TextResult);
          await sleep(1_500);
        }
      });
      try {
        await expect.poll(() => answered.length).toBeGreaterThan(2);
        await trouble(server);
        const count = answered.length;
        await expect.poll(() => answered.length).toBeGreaterThan(count + 4);
      } finally {
        // A caller that goes on after the test would fail beside another one.
        isOver = true;
        await Promise.allSettled(callers);
      }
      await Promise.all(callers);
      expect(answered.at(-1)).toBe('answered');
      expect(snapshots.size).toBeGreaterThan(0);
      for (const { url } of apps) {
        for (const id of snapshots)
          expect((await fetch(`${url}/v1/contents/${id}`, { headers: key })).status).toBe(200);
      }
    });
  },
);
