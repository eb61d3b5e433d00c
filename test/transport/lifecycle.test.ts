/** How a server shuts down: running searches end first, every reader is notified, and the process exits with 0. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect, type Frame, Refused } from '../support/clients/ws-client.ts';
import { type ServeProcess, startServe } from '../support/processes/start-process.ts';
import { type HeldSearch, startHeldSearch } from '../support/servers/held-search.ts';
import { hasOwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { startTestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const closing = (frame: Frame) => frame.type === 'session.closing';

let held: HeldSearch;
let dataDir: string;
let processes: ServeProcess[];
beforeEach(async () => {
  processes = [];
  held = await startHeldSearch();
  dataDir = await mkdtemp(join(tmpdir(), 'citewire-'));
});
afterEach(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  await held.close();
  await rm(dataDir, { recursive: true });
});

function serve(env: Record<string, string> = {}): ServeProcess {
  const started = startServe({ DATA_DIR: dataDir, SEARXNG_URL: held.url, ...env });
  processes.push(started);
  return started;
}

describe('a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'exits with 0 after %s, once its running search has ended',
    async (signal) => {
      const server = serve();
      const { url, key } = await server.listening;
      const idle = await connect(url, { 'x-api-key': key });
      const busy = await connect(url, { 'x-api-key': key });
      const search_id = await busy.start(question);
      await held.asked;
      server.child.kill(signal);

      expect(await idle.next(closing)).toMatchObject({ code: 4503, resume: true });
      expect((await idle.closed).code).toBe(4503);
      expect(await busy.next(closing)).toMatchObject({ code: 4503, resume: true });
      held.release();
      expectLawful(await busy.search(search_id));
      expect((await busy.closed).code).toBe(4503);
      expect(await server.ended).toMatchObject({ code: 0, signal: null });
    },
  );

  it('survives an unhandled rejection, and logs it', async () => {
    const rejects = `import { isMainThread } from 'node:worker_threads';
      if (isMainThread) process.on('SIGUSR2', () => Promise.reject(new Error('nobody waited')));`;
    const server = serve({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(rejects)}` });
    const { url } = await server.listening;
    const logged = new Promise<void>((resolve) => {
      const read = (bytes: Buffer) => bytes.includes('nobody waited') && resolve();
      for (const stream of [server.child.stdout!, server.child.stderr!]) stream.on('data', read);
    });
    server.child.kill('SIGUSR2');
    await logged;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it('cancels its running search and exits with 0 at the second signal', async () => {
    const server = serve();
    const { url, key } = await server.listening;
    const busy = await connect(url, { 'x-api-key': key });
    const search_id = await busy.start(question);
    await held.asked;
    server.child.kill('SIGTERM');
    await busy.next(closing);
    server.child.kill('SIGTERM');
    const frames = await busy.search(search_id);
    expect(frames.at(-1)).toMatchObject({ type: 'search.cancelled', by: 'admin' });
    expect((await busy.closed).code).toBe(4503);
    expect((await server.ended).code).toBe(0);
  });

  it.skipIf(!hasOwnPostgres)('ends with 1 at the second signal when its database hangs, and says so', async () => {
    const postgres = await startPostgres();
    try {
      const server = serve({ DATABASE_URL: await postgres.fresh() });
      // The documentation is indexed from then on.
      await new Promise<void>((resolve) => {
        server.child.stdout!.on('data', (bytes: Buffer) => bytes.includes('listening on') && resolve());
      });
      postgres.pause();
      const stopping = new Promise<void>((resolve) => {
        server.child.stderr!.on('data', (bytes: Buffer) => bytes.includes('stopping') && resolve());
      });
      server.child.kill('SIGTERM');
      await stopping;
      server.child.kill('SIGINT');
      const { code, err } = await server.ended;
      expect([code, err]).toEqual([1, expect.stringContaining('not everything could be closed')]);
    } finally {
      postgres.resume();
      await postgres.stop();
    }
  });

  it('exits with 1 and one sentence when the port is in use', async () => {
    const first = serve();
    const { port } = new URL((await first.listening).url);
    const other = await mkdtemp(join(tmpdir(), 'citewire-'));
    const second = await serve({ PORT: port, DATA_DIR: other, LOG_LEVEL: 'error' }).ended;
    await rm(other, { recursive: true });
    expect(second.code).toBe(1);
    expect(second.out).toBe('');
    expect(second.err).toMatch(/^citewire: Cannot listen on 127\.0\.0\.1:\d+: .*in use.*\.\n$/);
    expect(second.err).toContain(`:${port}: `);
  });

  it('shows the first key when it starts at last, after a start on a port in use', async () => {
    const first = serve();
    const { port } = new URL((await first.listening).url);
    const other = await mkdtemp(join(tmpdir(), 'citewire-'));
    expect((await serve({ PORT: port, DATA_DIR: other, LOG_LEVEL: 'error' }).ended).code).toBe(1);
    const again = serve({ DATA_DIR: other });
    expect((await again.listening).key).toMatch(/^cw_/);
    again.child.kill('SIGTERM');
    await again.ended;
    await rm(other, { recursive: true });
  });

  it('exits with 1 and one sentence when the address is not local', async () => {
    const { code, err } = await serve({ HOST: '192.0.2.1', LOG_LEVEL: 'error' }).ended;
    expect(code).toBe(1);
    expect(err).toMatch(/^citewire: Cannot listen on 192\.0\.2\.1:0: .*\n$/);
  });

  it('exits immediately when a signal arrives while it starts or indexes', async () => {
    const server = serve();
    await server.listening;
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

describe('a server that drains', () => {
  it('reports that it drains, refuses new searches, and completes running ones on every transport', async () => {
    const app = await startTestApp({ SEARXNG_URL: held.url });
    const socket = await connect(app.url, { 'x-api-key': app.key });
    const search_id = await socket.start(question);
    const events = await app.post('/v1/search', question, { accept: 'text/event-stream' });
    const json = app.post('/v1/search', question);
    await held.asked;
    // All three have been begun once each has been counted.
    await expect.poll(async () => (await app.get('/v1/usage')).json()).toMatchObject({ used: 3 });
    const closed = app.close();

    for (const path of ['/readyz', '/readyz?only=server']) {
      const ready = await app.get(path);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ error: { code: 'server_shutdown', retryable: true } });
    }
    // On the same connection, the next call would come to this server again.
    const health = await app.get('/healthz');
    expect([health.status, health.headers.get('connection')]).toEqual([200, 'close']);
    const refused = await app.post('/v1/search', question);
    expect([refused.status, refused.headers.get('connection')]).toEqual([503, 'close']);
    expect(refused.headers.get('retry-after')).toBe('1');
    await expect(connect(app.url, { 'x-api-key': app.key })).rejects.toEqual(new Refused(503));
    await socket.next(closing);
    socket.send({ type: 'search.start', ref: 'late', request: question });
    expect(await socket.next(({ ref }) => ref === 'late')).toMatchObject({ error: { code: 'server_shutdown' } });
    socket.send({ type: 'ping', ref: 'here' });
    expect((await socket.next(({ ref }) => ref === 'here')).type).toBe('pong');

    held.release();
    expectLawful(await socket.search(search_id));
    expect((await socket.closed).code).toBe(4503);
    expectLawful(await readEvents(events));
    expect((await json).status).toBe(200);
    await closed;
    await expect(fetch(`${app.url}/healthz`)).rejects.toThrow();
    expect(app.faults).toEqual([]);
    await app[Symbol.asyncDispose]();
  });

  it('cancels unfinished searches at the end of the drain time, and notifies every reader', async () => {
    const app = await startTestApp({ SEARXNG_URL: held.url });
    const socket = await connect(app.url, { 'x-api-key': app.key });
    const search_id = await socket.start(question);
    const events = readEvents(await app.post('/v1/search', question, { accept: 'text/event-stream' }));
    await held.asked;
    await app.close(0);
    for (const frames of [await socket.search(search_id), await events]) {
      expectLawful(frames);
      expect(frames.at(-1)).toMatchObject({ type: 'search.cancelled', by: 'admin' });
    }
    expect((await socket.closed).code).toBe(4503);
    expect(app.faults).toEqual([]);
    await app[Symbol.asyncDispose]();
  });

  it('asks those whose search it could not finish to try again, which clients then do by themselves', async () => {
    const app = await startTestApp({ SEARXNG_URL: held.url });
    const chat = { model: 'citewire', messages: [{ role: 'user', content: question.prompt }] };
    const answers = [app.post('/v1/search', question), app.post('/v1/chat/completions', chat)];
    await held.asked;
    await expect.poll(async () => (await app.get('/v1/usage')).json()).toMatchObject({ used: 2 });
    await app.close(0);
    for (const { status, headers } of await Promise.all(answers)) {
      expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([503, '1', 'true']);
    }
    await app[Symbol.asyncDispose]();
  });

  it('shuts down immediately when no search is running, even with open connections', async () => {
    const app = await startTestApp();
    const clients = await Promise.all(Array.from({ length: 10 }, () => connect(app.url, { 'x-api-key': app.key })));
    await Promise.all([app.close(), app.close()]);
    for (const client of clients) {
      expect((await client.closed).code).toBe(4503);
      expect(client.received.at(-1)).toMatchObject({ type: 'session.closing', code: 4503, resume: true });
    }
    await app[Symbol.asyncDispose]();
  });
});
