/** The corpus in Postgres as several processes use it, and while Postgres is away. Each opened corpus has threads and connections of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { createPostgresPool } from '../../src/base/postgres/pool.ts';
import { copyCorpus } from '../../src/corpus/copy-corpus.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { postingBytes, termOf } from '../../src/corpus/postgres/postings.ts';
import { createPostgresReader } from '../../src/corpus/postgres/read-corpus.ts';
import { createTermLookup } from '../../src/corpus/postgres/read-postings.ts';
import { indexing } from '../../src/corpus/postgres/timeouts.ts';
import { createPostgresWriter } from '../../src/corpus/postgres/write-corpus.ts';
import { aboutOfName } from '../../src/corpus/sources/source-tables.ts';
import { hasOwnPostgres, type OwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { startTestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const docs = join(folder, 'docs');
const signal = new AbortController().signal;
const pages = 60;

describe.skipIf(!hasOwnPostgres)('a corpus in Postgres', () => {
  let server: OwnPostgres;
  const opened: OpenCorpus[] = [];
  const open = async (databaseUrl: string, bounds = {}) => {
    const corpus = await openCorpus({ file: '/nowhere', databaseUrl, bounds });
    opened.push(corpus);
    return corpus;
  };
  const find = (corpus: OpenCorpus, text: string) => corpus.search({ text, limit: 5, rules: everySource }, signal);

  beforeAll(async () => {
    server = await startPostgres();
    mkdirSync(docs);
    for (let n = 0; n < pages; n += 1)
      writeFileSync(join(docs, `${n}.md`), `# Ibis ${n}\n\nThe ibis number ${n} wades.\n`);
  });
  afterEach(async () => {
    for (const corpus of opened.splice(0)) await corpus.close();
  });
  afterAll(() => server?.stop());

  // Indexing would wait for a minute.
  it('does not open where no Postgres answers, and says so within seconds', async () => {
    const databaseUrl = 'postgres://postgres:s3cret@127.0.0.1:1/x';
    await expect(openCorpus({ file: '/nowhere', databaseUrl })).rejects.toThrow(
      /^DATABASE_URL: postgres:\/\/postgres@127\.0\.0\.1:1\/x: no Postgres answers there/,
    );
  });

  it('is created once by processes that open it simultaneously', async () => {
    const url = await server.fresh();
    const corpora = await Promise.all([open(url), open(url), open(url)]);
    expect(await Promise.all(corpora.map((corpus) => corpus.stats()))).toEqual(
      Array(3).fill({ pages: 0, passages: 0 }),
    );
  });

  it('stores each page once when two index the same source simultaneously, and shows it to a third', async () => {
    const url = await server.fresh();
    const [left, right, third] = [await open(url), await open(url), await open(url)];
    expect(await find(third!, 'ibis')).toEqual([]);
    const source = { kind: 'folder', path: docs } as const;
    const [one, other] = await Promise.all([left!.index(source), right!.index(source)]);
    expect(one!.added + other!.added).toBe(pages);
    expect(one!.unchanged + other!.unchanged).toBe(pages);
    expect(await third!.stats()).toMatchObject({ pages, passages: pages });
    expect(await third!.sources()).toEqual([{ source: `folder:${docs}`, pages, address: 'file:///docs/' }]);
    const [best] = await find(third!, 'ibis number 7');
    expect(best?.text).toContain('number 7 ');
    expect((await right!.snapshot(best!.snapshot, signal))?.text.slice(best!.start, best!.end)).toBe(best!.text);
  });

  it('shows a page that another process replaces once, in one of its versions', async () => {
    const url = await server.fresh();
    const [writer, reader] = [await open(url), await open(url)];
    const own = join(folder, 'changing');
    mkdirSync(own, { recursive: true });
    const write = (version: number) =>
      writeFileSync(join(own, 'page.md'), `# Walrus\n\nThe walrus of version ${version} dives.\n`);
    write(0);
    await writer!.index({ kind: 'folder', path: own });
    let running = true;
    const changes = (async () => {
      for (let version = 1; version <= 20; version += 1) {
        write(version);
        await writer!.index({ kind: 'folder', path: own });
      }
      running = false;
    })();
    try {
      while (running) expect(await find(reader!, 'walrus')).toHaveLength(1);
    } finally {
      await changes;
    }
    expect((await find(reader!, 'walrus'))[0]?.text).toContain('version 20 ');
  });

  it('keeps what one process pinned while another makes room', async () => {
    const url = await server.fresh();
    const [owner, other] = [await open(url), await open(url, { maxBytes: 30_000 })];
    const text = (n: number) => `${n} ${'word '.repeat(2_000)}`;
    const put = (corpus: OpenCorpus, n: number) =>
      corpus.putSnapshot({ url: `http://site.example/${n}`, title: 't', text: text(n) });
    const cited = await put(owner!, 0);
    const found = await put(owner!, 1);
    await owner!.pin('s_1', [cited], '2026-01-01T00:00:00.000Z');
    for (let n = 2; n < 20; n += 1) await put(other!, n);
    expect((await other!.snapshot(cited, signal))?.text).toBe(text(0));
    expect(await other!.snapshot(found, signal)).toBeUndefined();
  });

  it('pins what a search cites while another process that was indexing is frozen', async () => {
    const url = await server.fresh();
    const corpus = await open(url);
    const cited = await corpus.putSnapshot({ url: 'http://site.example/1', title: 't', text: 'The ibis wades.' });
    const pool = createPostgresPool(url, indexing, { connections: 1 });
    const frozen = await pool.connect();
    await frozen.begin();
    await frozen.query('update corpus_state set version = version', []);
    await frozen.query('update corpus_cache set uses = uses', []);
    await corpus.pin('s_1', [cited], '2026-01-01T00:00:00.000Z');
    expect(await corpus.index({ kind: 'folder', path: docs })).toMatchObject({ added: pages });
    frozen.release();
    await pool.close();
  });

  it('pins what a search cites while another process writes the postings of a page', async () => {
    const url = await server.fresh();
    const [writer, corpus] = [await open(url), await open(url)];
    const cited = await corpus!.putSnapshot({ url: 'http://site.example/1', title: 't', text: 'The ibis wades.' });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table corpus_postings in share mode');
    const indexed = writer!.index({ kind: 'folder', path: docs });
    const waits = "select 1 from pg_locks where not granted and relation = to_regclass('corpus_postings')";
    await expect.poll(async () => (await holder.query(waits)).rows.length).toBeGreaterThan(0);
    await corpus!.pin('s_1', [cited], '2026-01-01T00:00:00.000Z');
    await holder.query('commit');
    expect(await indexed).toMatchObject({ added: pages });
    await holder.end();
  });

  it('does not take a source that another process reads for left where its clock is ahead', async () => {
    const pool = createPostgresPool(await server.fresh(), indexing);
    const writer = createPostgresWriter({ serving: pool, indexing: pool });
    await writer.open();
    const source = 'folder:/docs';
    await writer.addSource(source, { ...aboutOfName(source), state: 'indexing' }, undefined, undefined);
    await writer.keepSources([source]);
    try {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
      const [found] = await createPostgresReader(pool).storedSources(undefined);
      expect(found).toMatchObject({ source, state: 'indexing' });
      await writer.noteSource(source, { done: 1 });
    } finally {
      vi.useRealTimers();
    }
    const [noted] = await createPostgresReader(pool).storedSources(undefined);
    expect(noted!.touched_at - Date.now()).toBeLessThan(60_000);
    expect(await writer.takeSource(source, noted!.touched_at)).toBe(true);
    await pool.close();
  });

  it('reads all postings of a query, also more than its memory has room for', async () => {
    const url = await server.fresh();
    const pool = createPostgresPool(url, { connectMs: 5_000, statementMs: 60_000 });
    await createPostgresWriter({ serving: pool, indexing: pool }).open();
    const entries = 1_000;
    const connection = await pool.connect();
    await connection.query('insert into corpus_chunks (first, last, passages) values (1, 1000, 1000)', []);
    const data = Buffer.alloc(entries * postingBytes, 1);
    for (const word of ['heron', 'ibis'])
      await connection.query('insert into corpus_postings (chunk, term, data) values (1, $1, $2)', [
        termOf(word),
        data,
      ]);
    connection.release();
    for (const roomFor of [0, 1, 2]) {
      const lookUp = createTermLookup(pool, 1_000 + roomFor * entries * postingBytes);
      const read = (await lookUp(['heron', 'ibis'])).read(['heron', 'ibis']);
      const lists = (await read).map((each) => each.lists.map(({ byteLength }) => byteLength));
      expect(lists).toEqual([[entries * postingBytes], [entries * postingBytes]]);
    }
    await pool.close();
  });

  it('lets searches wait while Postgres restarts', async () => {
    const corpus = await open(await server.fresh());
    await corpus.index({ kind: 'folder', path: docs });
    await find(corpus, 'ibis');
    await server.kill();
    const asked = find(corpus, 'ibis number 3').then(
      (found) => found.length,
      (error) => error,
    );
    await server.start();
    // On a busy machine the start may take longer than searches wait.
    const answer = await asked;
    if (typeof answer !== 'number') expect(answer).toMatchObject({ code: 'overloaded' });
    expect((await find(corpus, 'ibis number 3'))[0]?.text).toContain('number 3 ');
  });

  it('answers with 503 and Retry-After while Postgres is away, and again when it is back', async () => {
    await using app = await startTestApp({ DATABASE_URL: await server.fresh() });
    const question = { prompt: 'Who built the lighthouse?' };
    const search = await app.post('/v1/search', question);
    expect(search.status).toBe(200);
    const { citations } = (await search.json()) as { citations: { snapshot: string }[] };
    const quoted = `/v1/contents/${citations[0]!.snapshot}`;
    expect((await app.get(quoted)).status).toBe(200);
    await server.kill();
    for (const response of await Promise.all([app.post('/v1/search', question), app.get(quoted)])) {
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    await server.start();
    await expect.poll(async () => (await app.get(quoted)).status, { interval: 200 }).toBe(200);
    expect((await app.post('/v1/search', question)).status).toBe(200);
    expect(app.faults).toEqual([]);
  });

  it('leaves no caller without an answer while Postgres is frozen', async () => {
    await using app = await startTestApp({ DATABASE_URL: await server.fresh() });
    const question = { prompt: 'Who designed the lighthouse?' };
    expect((await app.post('/v1/search', question)).status).toBe(200);
    server.pause();
    const waking = setTimeout(() => server.resume(), 10_000);
    try {
      for (const response of await Promise.all(Array.from({ length: 8 }, () => app.post('/v1/search', question)))) {
        if (response.status === 200) continue;
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      }
    } finally {
      clearTimeout(waking);
      server.resume();
    }
    expect((await app.post('/v1/search', question)).status).toBe(200);
    expect(app.faults).toEqual([]);
  });

  it('is copied from a file and back, going on where it was stopped, with everything that is cited', async () => {
    const [file, back] = [join(folder, 'from.db'), join(folder, 'back.db')];
    const databaseUrl = await server.fresh();
    const origin = await openCorpus({ file });
    await origin.index({ kind: 'folder', path: docs }, { baseUrl: 'https://docs.example/' });
    const cited = await origin.putSnapshot({
      url: 'https://a.example/',
      title: 'A',
      text: 'Zero \0 byte',
      published_at: '2024',
    });
    await origin.pin('s_1', [cited], '2026-01-01T00:00:00.000Z');
    const expected = await find(origin, 'ibis number 9');
    await origin.close();
    const stop = new AbortController();
    const move = { file, databaseUrl, to: 'postgres', signal } as const;
    const stopped = copyCorpus({ ...move, signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) });
    await expect(stopped).rejects.toThrow('stopped');
    const seen: number[] = [];
    const moved = await copyCorpus({ ...move, onProgress: ({ done, total }) => seen.push(done / total) });
    expect(moved).toEqual({ pages, added: expect.any(Number), pins: 1, vectors: 0 });
    expect(moved.added).toBeLessThan(pages);
    expect(seen.at(-1)).toBe(1);
    expect(await copyCorpus(move)).toEqual({ pages, added: 0, pins: 1, vectors: 0 });
    expect(await copyCorpus({ ...move, file: back, to: 'sqlite' })).toEqual({
      pages,
      added: pages,
      pins: 1,
      vectors: 0,
    });
    for (const corpus of [await open(databaseUrl), await openCorpus({ file: back })]) {
      expect(await corpus.sources()).toEqual([{ source: `folder:${docs}`, pages, address: 'https://docs.example/' }]);
      expect((await find(corpus, 'ibis number 9'))[0]).toMatchObject({
        url: expected[0]!.url,
        text: expected[0]!.text,
      });
      expect((await corpus.snapshot(cited, signal))?.text).toBe('Zero \0 byte');
      await corpus.close();
    }
  });

  it('is copied with uploaded files, which are then read from the copy', async () => {
    const [file, back] = [join(folder, 'uploads.db'), join(folder, 'uploads-back.db')];
    const databaseUrl = await server.fresh();
    const origin = await openCorpus({ file });
    const named = { kind: 'file', key: '0'.repeat(32), name: 'tern.md' } as const;
    const content = new TextEncoder().encode('# Tern\n\nThe tern sleeps in the lantern room.\n');
    expect(await origin.addSource({ ...named, content }, 'acc_a')).toBe('added');
    await origin.close();
    await copyCorpus({ file, databaseUrl, to: 'postgres', signal });
    await copyCorpus({ file: back, databaseUrl, to: 'sqlite', signal });
    for (const corpus of [await open(databaseUrl), await openCorpus({ file: back })]) {
      const extract = async (bytes: Uint8Array) => ({ title: 'Tern', text: new TextDecoder().decode(bytes) });
      const read = await corpus.index(named, { owner: 'acc_a', extract, extractorVersion: 'v' });
      expect(read).toMatchObject({ added: 1, failed: [] });
      const query = { text: 'Where does the tern sleep?', limit: 3, rules: { only: [], never: [] }, owner: 'acc_a' };
      expect((await corpus.search(query, signal))[0]?.text).toContain('lantern room');
      expect(await corpus.storedSources('acc_a')).toMatchObject([{ kind: 'file', bytes: content.byteLength }]);
      await corpus.close();
    }
  });

  it('is not taken for copied when a page of the copy differs', async () => {
    const file = join(folder, 'differing.db');
    const databaseUrl = await server.fresh();
    const origin = await openCorpus({ file });
    await origin.index({ kind: 'folder', path: docs });
    await origin.close();
    const move = { file, databaseUrl, to: 'postgres', signal } as const;
    await copyCorpus(move);
    const schema = /search_path%3D(\w+)/.exec(databaseUrl)![1];
    await server.query(`update ${schema}.corpus_pages set title = 'other' where n = 1`);
    await expect(copyCorpus(move)).rejects.toThrow(`got ${pages}, of which 1 are missing or differ`);
  });
});
