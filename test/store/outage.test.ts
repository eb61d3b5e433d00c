/** What users of the store see of a Postgres that is missing, wrong, or temporarily unavailable. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/access/keys.ts';
import { AppError } from '../../src/base/errors.ts';
import { createAccessRecords } from '../../src/store/access/access-records.ts';
import { connect, dialect } from '../../src/store/postgres/postgres.ts';
import { createRunRecords } from '../../src/store/run-records.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { runRecord } from '../contracts/run-records.ts';
import { unknownKeys } from '../contracts/store.ts';
import { linesOf, startOnStore } from '../support/processes/store-process.ts';
import { hasOwnPostgres, type OwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { startTestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const account = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;

describe.skipIf(!hasOwnPostgres)('a Postgres', () => {
  let server: OwnPostgres;
  beforeAll(async () => {
    server = await startPostgres({ durable: true });
  });
  beforeEach(() => server.start());
  afterAll(() => server?.stop());

  const where = async () => ({ dataDir: '/nowhere', databaseUrl: await server.fresh() });

  // Four of them wait out the patience of a start.
  describe.concurrent('that a setting names wrongly', () => {
    const at = (user: string, database: string) => `postgres://${user}@127.0.0.1:${server.port}/${database}`;

    beforeAll(async () => {
      await server.query("create role locked login password 'right'");
      await server.query('create role guest login');
      await server.query("create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    });

    it.each([
      ['the password', () => at('locked:s3cret', 'postgres'), 'the password is wrong for this user'],
      ['no password', () => at('locked', 'postgres'), 'it requires a password, and the URL has none'],
      ['the user', () => at('nobody:s3cret', 'postgres'), 'role "nobody" does not exist'],
      ['the database', () => at('postgres:s3cret', 'none'), 'there is no such database'],
      ['a user without rights', () => at('guest:s3cret', 'postgres'), 'this user may not create tables there'],
      [
        'a database of another encoding',
        () => at('postgres:s3cret', 'latin'),
        'expected a database with encoding UTF8',
      ],
      ['the port', () => 'postgres://postgres:s3cret@127.0.0.1:1/postgres', 'no Postgres answers there'],
      ['the host', () => 'postgres://postgres:s3cret@nowhere.invalid/postgres', 'no Postgres answers there'],
    ])('stops the start when the URL is wrong, with a sentence without the password: %s', async (_, url, sentence) => {
      const error = await openStore({ dataDir: '/nowhere', databaseUrl: url() }).then(
        () => undefined,
        (e) => e,
      );
      expect(error.message).toMatch(/^DATABASE_URL: postgres:\/\/[^\n]+\.$/);
      expect(error.message).toContain(sentence);
      expect(inspect(error, { showHidden: true, depth: 20 })).not.toContain('s3cret');
    });

    it.each([
      ['another language', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['nothing', () => {}],
    ])('stops the start when the server at the URL speaks %s', async (_, answer) => {
      const other = createServer((socket) => answer(socket.on('error', () => {}))).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const databaseUrl = `postgres://postgres:s3cret@127.0.0.1:${port}/postgres`;
      await expect(openStore({ dataDir: '/nowhere', databaseUrl })).rejects.toThrow('no Postgres answers there');
      other.close();
    });
  });

  describe('that restarts', () => {
    let store: Store;
    beforeEach(async () => {
      store = await openStore(await where());
      await store.access.addAccount({ id: 'a', ...account });
    });

    it('makes reads and writes wait while Postgres restarts, and reports the outage once', async () => {
      const { databaseUrl } = await where();
      await (await openStore({ dataDir: '/nowhere', databaseUrl })).close();
      const troubles: (string | undefined)[] = [];
      const patience = { connectMs: 60_000, statementMs: 60_000 };
      const db = connect(databaseUrl, patience, (trouble) => troubles.push(trouble?.message));
      const [access, runs] = [createAccessRecords({ db, dialect }), createRunRecords({ db, dialect }, () => {})];
      await access.addAccount({ id: 'a', ...account });
      await server.kill();
      const asked = Promise.all([access.account('a'), access.accounts(), runs.save(runRecord('s1', 'a'))]);
      await server.start();
      expect((await asked).slice(0, 2)).toEqual([{ id: 'a', ...account }, [{ id: 'a', ...account }]]);
      expect(await runs.get('a', 's1')).toMatchObject({ search_id: 's1' });
      await expect.poll(() => troubles, { timeout: 10_000 }).toEqual([expect.any(String), undefined]);
      await db.destroy();
    });

    it('hides a finished restart of Postgres from later reads and writes', async () => {
      await Promise.all(Array.from({ length: 20 }, () => store.access.accounts()));
      await server.kill();
      await server.start();
      await store.access.addAccount({ id: 'b', ...account });
      await Promise.all(Array.from({ length: 20 }, async () => expect(await store.access.accounts()).toHaveLength(2)));
      await store.close();
    });

    it('fails no read, and writes only with a retryable error, however often Postgres cuts connections', async () => {
      const outcomes = { read: 0, written: 0, refused: 0 };
      let isOver = false;
      const readers = Array.from({ length: 4 }, async () => {
        while (!isOver) outcomes.read += (await store.access.accounts()).length;
      });
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; !isOver; i++) {
          const saving = store.runs.save(runRecord(`s${writer}-${i}`, 'a'));
          await saving.then(() => outcomes.written++, mayBeTriedAgain);
        }
      });
      function mayBeTriedAgain(error: unknown) {
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ code: 'overloaded' });
        outcomes.refused++;
      }
      const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $$citewire$$';
      for (let round = 0; round < 20; round++) await server.query(cut);
      isOver = true;
      await Promise.all([...readers, ...writers]);
      expect(outcomes.read).toBeGreaterThan(0);
      expect(outcomes.written).toBeGreaterThan(0);
      const { items } = await store.runs.list('a', { cursor: undefined, limit: 100_000 });
      expect(items.length).toBeGreaterThanOrEqual(outcomes.written);
      await store.close();
    });

    it('fails reads with a retryable error when Postgres stays away', async () => {
      const { databaseUrl } = await where();
      await (await openStore({ dataDir: '/nowhere', databaseUrl })).close();
      const db = connect(databaseUrl, { connectMs: 500, statementMs: 60_000 });
      const access = createAccessRecords({ db, dialect });
      expect(await access.accounts()).toEqual([]);
      await server.kill();
      const failure = await access.accounts().then(
        () => undefined,
        (error) => error,
      );
      expect(failure).toMatchObject({ code: 'overloaded', status: 503, details: { retry_after_ms: 1000 } });
      await db.destroy();
      await store.close();
    });

    it('loses no key that was printed before Postgres died', async () => {
      const own = await where();
      const child = startOnStore('create-keys', own, 'endless');
      const killed = new Promise<void>((resolve) => child.stdout!.once('data', () => resolve(server.kill())));
      const keys = await linesOf(child);
      expect(keys.length).toBeGreaterThan(0);
      await killed;
      await server.start();
      expect(await unknownKeys(own, keys)).toEqual([]);
      await store.close();
    });
  });

  it('gives up on a Postgres that hangs, and uses it again when it wakes', async () => {
    const db = connect(server.url, { connectMs: 500, statementMs: 100 });
    const ask = () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
    await ask();
    server.pause();
    await expect(ask()).rejects.toMatchObject({ code: 'overloaded' });
    server.resume();
    expect(await ask()).toHaveLength(1);
    await db.destroy();
  });

  it('lets callers search while Postgres is away, and lists their searches when it is back', async () => {
    await using app = await startTestApp({ DATABASE_URL: (await where()).databaseUrl, CORPUS: 'sqlite' });
    expect((await app.post('/v1/search', question)).status).toBe(200);
    await server.kill();

    const search = await app.post('/v1/search', question);
    expect(search.status).toBe(200);
    const { search_id, status } = (await search.json()) as { search_id: string; status: string };
    expect(status).toBe('answered');
    expect((await app.get(`/v1/search/${search_id}`)).status).toBe(200);
    const [list, stranger] = await Promise.all([
      app.get('/v1/search'),
      app.get('/v1/search', { 'x-api-key': issueKey().plaintext }),
    ]);
    expect([list.status, list.headers.get('retry-after')]).toEqual([503, '1']);
    expect(stranger.status).toBe(503);

    await server.start();
    const listed = async () => {
      const { items = [] } = (await (await app.get('/v1/search')).json()) as { items?: { search_id: string }[] };
      return items.map((item) => item.search_id);
    };
    // The first one may not have been written either when Postgres died, and may be written after the second.
    await expect.poll(async () => (await listed()).length, { interval: 200 }).toBe(2);
    expect(await listed()).toContain(search_id);
    expect(app.faults).toEqual([]);
  });
});
