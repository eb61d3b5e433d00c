/** The Postgres of several servers is replaced by its standby while searches run: nothing hangs, and nothing that was acknowledged is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { hasOwnPostgres, type OwnPostgres, type Standby, startPostgres } from '../support/servers/postgres.ts';
import { startTestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the lighthouse?' };

/** How the primary goes, and whether what leads to it ends the connections that it had; `hosts`: DATABASE_URL names both servers. */
const ways = [
  ['killed', (primary: OwnPostgres) => primary.kill(), 'ended'],
  ['frozen, and its connections end', async (primary: OwnPostgres) => primary.pause(), 'ended'],
  ['frozen, and its connections stay open', async (primary: OwnPostgres) => primary.pause(), 'left'],
  ['one of two hosts, and killed', (primary: OwnPostgres) => primary.kill(), 'hosts'],
  ['one of two hosts, and frozen', async (primary: OwnPostgres) => primary.pause(), 'hosts'],
] as const;

describe.skipIf(!hasOwnPostgres).each(ways)('a primary that is %s', (_, end, connections) => {
  let primary: OwnPostgres;
  let standby: Standby;
  let proxy: ChaosProxy;
  beforeAll(async () => {
    primary = await startPostgres();
    standby = await primary.startStandby();
    proxy = await startChaosProxy(primary.url);
  });
  afterAll(async () => {
    primary?.resume();
    await proxy?.close();
    // Before it can wait for a standby that is none any more.
    await primary?.kill();
    await standby?.stop();
    await primary?.stop();
  });

  it('is replaced by its standby: searches wait, or are answered with 503 and Retry-After', async () => {
    const fresh = new URL(await primary.fresh());
    // The standby is first, so that it has to be found that it accepts no writes.
    const hosts = `${new URL(standby.url).host},${fresh.host}`;
    const DATABASE_URL = fresh.href.replace(fresh.host, connections === 'hosts' ? hosts : new URL(proxy.url).host);
    await using app = await startTestApp({ DATABASE_URL });
    const first = await app.post('/v1/search', question);
    expect(first.status).toBe(200);
    const { search_id, citations } = (await first.json()) as { search_id: string; citations: { snapshot: string }[] };
    let isSwitched = false;
    let answered = 0;
    const callers = Array.from({ length: 6 }, async () => {
      while (!isSwitched) {
        const response = await app.post('/v1/search', question);
        await response.text();
        if (response.status === 200) answered += 1;
        else {
          expect(response.status).toBe(503);
          expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    });
    await expect.poll(() => answered).toBeGreaterThan(6);
    await end(primary);
    await standby.promote();
    proxy.lead(standby.url);
    if (connections === 'ended') proxy.cutAll();
    const before = answered;
    await expect.poll(() => answered).toBeGreaterThan(before + 12);
    isSwitched = true;
    await Promise.all(callers);

    await expect.poll(async () => (await app.get('/readyz')).status).toBe(200);
    expect((await app.get(`/v1/contents/${citations[0]!.snapshot}`)).status).toBe(200);
    expect((await app.get(`/v1/search/${search_id}`)).status).toBe(200);
    const ask = async () => {
      const again = await app.post('/v1/search', question);
      return [again.status, again.headers.get('x-search-stored')];
    };
    // Connections that are dead and open are found one after the other.
    await expect.poll(ask).toEqual([200, null]);
    expect(app.faults).toEqual([]);
  });
});
