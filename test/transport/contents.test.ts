/** `POST /v1/contents` and `GET /v1/contents/{snapshot}` as callers see them, with pages on loopback. */
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contents, HTTPValidationError, KeyUsage, PageContents, TextResult } from '../../protocol/index.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { makePdf } from '../support/documents/make-pdf.ts';
import { type CliResult, runCli } from '../support/processes/run-cli.ts';
import { article } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { hostileHosts } from '../web/fetch/hostile-hosts.ts';
import { serveSite, type TestSite } from '../web/serve.ts';

const Sqlite = loadSqlite();

const post = 'POST /v1/contents';
const heron = article(
  'Heron Quay',
  'Heron Quay was built in 1871 by Ingrid Solvay, who had drawn three lighthouses before.',
  'Its crane lifts forty tonnes. The crane was turned by hand until 1902, when steam came to the harbour.',
  'Herons, which gave the quay its name, left when the mud flats were drained for the railway.',
);
const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x79, 0x81, 0x5b, 0x83, 0x57]);
const russian = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0, 0x2e]);
const wrapped = (text: Buffer) =>
  Buffer.concat([Buffer.from('<html><body><p>'), text, Buffer.from('</p></body></html>')]);

/** What a path answers; the rest is 404. */
const pages = new Map<string, RequestListener>();
const serve = (path: string, body: string | Buffer, type = 'text/html; charset=utf-8', headers = {}) =>
  pages.set(path, (_, response) => response.writeHead(200, { 'content-type': type, ...headers }).end(body));
const redirect = (path: string, location: string) =>
  pages.set(path, (_, response) => response.writeHead(302, { location }).end());
const asked = new Map<string, number>();

let site: TestSite;
/** On loopback as well, and nothing may open it. */
let closed: TestSite;
let strict: TestSite;
let app: TestApp;
/** To a server that says nothing: begun first, since it ends by its time limit. */
let unanswered: Promise<Response>;
let silent: TestSite;

beforeAll(async () => {
  site = await serveSite((request, response) => {
    const path = request.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const page = pages.get(path);
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  closed = await serveSite((_, response) => response.end('private'));
  strict = await serveSite(
    (_, response) => response.setHeader('content-type', 'text/plain').end('User-agent: *\nDisallow: /secret\n'),
    { robots: true },
  );
  silent = await serveSite(() => {});
  const allowed = [site, strict, silent].map(({ port }) => `127.0.0.1:${port}`);
  app = await startTestApp({ FETCH_ALLOW_HOSTS: allowed.join(',') });
  unanswered = app.post('/v1/contents', { url: `${silent.base}/` }, { 'x-api-key': await newKey() });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([site, closed, strict, silent].map((each) => each.close()));
});

const newKey = async (plan: 'starter' | 'pro' = 'pro') =>
  (await app.accounts.createKey({ plan, name: 'test' })).plaintext;

async function contentsOf(path: string, query?: string): Promise<Contents> {
  const response = await app.post('/v1/contents', { url: `${site.base}${path}`, ...(query && { query }) });
  expect(response.status).toBe(200);
  return (await expectDocumented(post, response)) as Contents;
}

/** Makes what was read so old that its server is asked again. */
function age(path: string): void {
  const database = new Sqlite(join(app.dataDir, 'index.db'));
  const sql = `UPDATE readings SET info = json_set(info, '$.fetched_at', '2020-01-01T00:00:00.000Z') WHERE url = ?`;
  expect(database.prepare(sql).run(`${site.base}${path}`).changes).toBe(1);
  database.close();
}

/** Serves a list of addresses and has the command line index them, into the data folder of the running server. */
async function index(path: string, urls: readonly string[]): Promise<CliResult> {
  serve(path, urls.join('\n'), 'text/plain');
  const FETCH_ALLOW_HOSTS = `127.0.0.1:${site.port}`;
  return runCli(['index', `${site.base}${path}`], { DATA_DIR: app.dataDir, FETCH_ALLOW_HOSTS });
}

describe('a page', () => {
  it('returns the whole page, with its metadata', async () => {
    serve('/heron', heron);
    redirect('/old', '/heron');
    const { response, info } = await contentsOf('/old');
    expect(response).toContain('Heron Quay was built in 1871 by Ingrid Solvay');
    expect(info).toMatchObject({
      final_url: `${site.base}/heron`,
      status: 200,
      content_type: 'text/html; charset=utf-8',
      title: 'Heron Quay',
      language: 'en',
      hash: createHash('sha256').update(response).digest('hex'),
      from_cache: false,
      truncated: false,
      warnings: [],
    });
    expect(info).not.toHaveProperty('passages');
  });

  it('returns the passages that answer a query, best first, along with the whole page', async () => {
    serve('/heron', heron);
    const plain = await contentsOf('/heron');
    const { response, info } = await contentsOf('/heron', 'When was the crane driven by steam?');
    expect(response).toBe(plain.response);
    const passages = info.passages ?? [];
    expect(passages[0]?.text).toContain('until 1902');
    for (const { start, end, text } of passages) expect(response.slice(start, end)).toBe(text);
    expect(passages.map(({ score }) => score)).toEqual(passages.map(({ score }) => score).sort((a, b) => b - a));
    expect((await contentsOf('/heron', 'zygomorphic quaternions')).info.passages).toEqual([]);
  });

  it.each<[string, string, string | Buffer, string]>([
    [
      'a PDF',
      'application/pdf',
      makePdf({ title: 'Report', pages: [['Two lights are kept.']] }),
      'Two lights are kept.',
    ],
    ['windows-1251', 'text/html; charset=windows-1251', wrapped(russian), 'Привет, мир.'],
    ['Shift_JIS', 'text/html; charset=Shift_JIS', wrapped(japanese), '日本語のページ'],
    [
      'a feed',
      'application/rss+xml',
      '<rss version="2.0"><channel><title>News</title><item><title>Fog</title><description>No ferry.</description></item></channel></rss>',
      '## Fog\n\nNo ferry.',
    ],
    ['JSON', 'application/json', '{"a":[1,"é"]}', '```json\n{\n  "a": [\n    1,\n    "é"\n  ]\n}\n```'],
    [
      'Markdown',
      'text/markdown',
      '# Tides\r\n\r\nHigh water *twice* a day.\r\n',
      '# Tides\n\nHigh water *twice* a day.',
    ],
    ['plain text', 'text/plain', 'First line\n\n  second', 'First line\n\n  second'],
  ])('reads %s', async (name, type, body, text) => {
    const path = `/kind/${encodeURIComponent(name)}`;
    serve(path, body, type);
    const { response, info } = await contentsOf(path);
    expect(response).toBe(text);
    expect(info.content_type).toBe(type);
  });

  it('counts each page towards the rate limit and usage, even when it cannot be read', async () => {
    serve('/heron', heron);
    const key = { 'x-api-key': await newKey('starter') };
    const answers = await Promise.all(
      ['/heron', '/nothing', '/heron'].map((path) => app.post('/v1/contents', { url: `${site.base}${path}` }, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 502, 200]);
    const { info } = (await answers[0]!.json()) as Contents;
    expect((await app.get(`/v1/contents/${info.snapshot}`, key)).status).toBe(200);
    const usage = (await (await app.get('/v1/usage', key)).json()) as KeyUsage;
    expect(usage).toMatchObject({ used: 3, days: [{ calls: 3, contents: 3 }] });
  });

  it('stops reading a page when its only caller leaves', async () => {
    let given = 0;
    pages.set('/never', (_, response) => {
      response.on('close', () => (given += 1));
    });
    const leaving = new AbortController();
    const call = fetch(`${app.url}/v1/contents`, {
      method: 'POST',
      headers: { 'x-api-key': app.key, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.base}/never` }),
      signal: leaving.signal,
    });
    await expect.poll(() => asked.get('/never')).toBe(1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => given).toBe(1);
    expect(app.faults).toEqual([]);
  });
});

describe('the cache of pages', () => {
  it('fetches a page once for concurrent callers, and not again while it is fresh', async () => {
    serve('/once', heron);
    const together = await Promise.all(Array.from({ length: 6 }, () => contentsOf('/once')));
    expect(asked.get('/once')).toBe(1);
    const later = await contentsOf('/once#part');
    expect(later.info).toMatchObject({ from_cache: true, fetched_at: together[0]!.info.fetched_at });
    expect(new Set([...together, later].map(({ info }) => info.snapshot)).size).toBe(1);
    expect(asked.get('/once')).toBe(1);
  });

  it('revalidates a stale page by ETag and date, and keeps what has not changed', async () => {
    const conditions: unknown[] = [];
    const date = 'Mon, 04 Mar 2024 10:00:00 GMT';
    pages.set('/tagged', (request, response) => {
      conditions.push([request.headers['if-none-match'], request.headers['if-modified-since']]);
      const headers = { 'content-type': 'text/html', etag: '"v1"', 'last-modified': date };
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, headers).end(heron);
    });
    const first = await contentsOf('/tagged');
    age('/tagged');
    const second = await contentsOf('/tagged');
    age('/tagged');
    await contentsOf('/tagged');
    expect(conditions).toEqual([
      [undefined, undefined],
      ['"v1"', date],
      ['"v1"', date],
    ]);
    expect(second.response).toBe(first.response);
    expect(second.info).toMatchObject({ snapshot: first.info.snapshot, from_cache: true });
    expect(Date.parse(second.info.fetched_at)).toBeGreaterThanOrEqual(Date.parse(first.info.fetched_at));
  });

  it('returns a changed page under a new snapshot, and keeps the old one', async () => {
    serve('/changing', heron);
    const before = await contentsOf('/changing');
    serve('/changing', heron.replaceAll('1871', '1872'));
    age('/changing');
    const after = await contentsOf('/changing');
    expect(after.info.from_cache).toBe(false);
    expect(after.info.snapshot).not.toBe(before.info.snapshot);
    for (const { response, info } of [before, after]) {
      const kept = await app.get(`/v1/contents/${info.snapshot}`);
      const { snapshot, final_url, title } = info;
      const body = (await expectDocumented('GET /v1/contents/{snapshot}', kept)) as PageContents;
      expect(body).toEqual({ response, info: { snapshot, final_url, title } });
    }
    serve('/changing', heron);
    age('/changing');
    expect((await contentsOf('/changing')).info.snapshot).toBe(before.info.snapshot);
  });

  it('returns exactly the snapshot that a search cites', async () => {
    const prose = (n: number) =>
      `Cormorant number ${n} — “Großer” \u{1f600} — nests on the ${n}th rock of Solvay Point.`;
    serve('/cited', article('Cormorants', ...Array.from({ length: 30 }, (_, n) => prose(n)), '<b>Eighty</b> in all.'));
    const source = `${site.base}/cited`;
    const { stdout } = await index('/cited.txt', [source]);
    expect(stdout).toBe('1 added, 0 updated, 0 unchanged, 0 removed, 0 failed\n');
    const asking = { prompt: 'Where does cormorant number 17 nest?', source_whitelist: [source] };
    const answer = (await (await app.post('/v1/search', asking)).json()) as TextResult;
    expect(answer.status).toBe('answered');
    const { snapshot, quote, source_start, source_end } = answer.citations[0]!;
    const contents = await contentsOf('/cited');
    expect(contents.info.snapshot).toBe(snapshot);
    const kept = (await (await app.get(`/v1/contents/${snapshot}`)).json()) as PageContents;
    expect(Buffer.from(kept.response).equals(Buffer.from(contents.response))).toBe(true);
    expect(contents.response.slice(source_start, source_end)).toBe(quote);
  });
});

describe('a page that cannot be read', () => {
  const failures: Record<string, [code: string, status: number, url: () => string]> = {
    'a private address': ['blocked_address', 422, () => `${closed.base}/`],
    'a port that is not open': ['blocked_address', 422, () => 'http://example.com:22/'],
    'a user name': ['blocked_address', 422, () => `http://user:secret@127.0.0.1:${site.port}/heron`],
    'a redirect to a private address': ['blocked_address', 422, () => `${site.base}/to-private`],
    'a redirect to a file': ['blocked_address', 422, () => `${site.base}/to-file`],
    'a rule of robots.txt': ['robots_denied', 422, () => `${strict.base}/secret/1`],
    'a picture': ['unsupported_type', 422, () => `${site.base}/picture`],
    'six megabytes': ['too_large', 422, () => `${site.base}/large`],
    'a name that is none': ['dns_error', 502, () => 'http://nowhere.invalid/'],
    'a connection cut off': ['unreachable', 502, () => `${site.base}/cut`],
    'a page that is not there': ['http_status', 502, () => `${site.base}/nothing`],
    'redirects in a circle': ['too_many_redirects', 502, () => `${site.base}/circle`],
    'a damaged PDF': ['parse_failed', 502, () => `${site.base}/damaged`],
    'a server that says nothing': ['timeout', 504, () => `${silent.base}/`],
  };
  const answers = new Map<string, Promise<Response>>();

  beforeAll(async () => {
    redirect('/to-private', `${closed.base}/`);
    redirect('/to-file', 'file:///etc/passwd');
    redirect('/circle', '/circle');
    serve('/picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]), 'image/png');
    serve('/large', 'x'.repeat(6 * 1024 * 1024), 'text/plain');
    serve('/damaged', '%PDF-1.4 and then nothing of the kind', 'application/pdf');
    pages.set('/cut', (request) => request.socket.destroy());
    const key = { 'x-api-key': await newKey() };
    for (const [name, [, , url]] of Object.entries(failures)) {
      answers.set(name, url().startsWith(silent.base) ? unanswered : app.post('/v1/contents', { url: url() }, key));
    }
  });

  it.each(Object.entries(failures))('returns the documented error for %s', async (name, [code, status]) => {
    const response = (await answers.get(name))!;
    const { detail, error } = (await expectDocumented(post, response)) as HTTPValidationError;
    const { message } = error;
    expect([response.status, error.code]).toEqual([status, code]);
    expect(message).toMatch(/^[A-Z].{10,200}\.$/);
    expect(message).not.toContain('secret@');
    expect(detail).toEqual(status === 422 ? [{ loc: ['body', 'url'], msg: message, type: code }] : message);
    expect(response.headers.get('ratelimit')).toBeTruthy();
  });

  it.each<[string, unknown, (string | number)[], string]>([
    ['no url', {}, ['body', 'url'], 'missing'],
    ['a url that is none', { url: 'not a url' }, ['body', 'url'], 'url_parsing'],
    ['a url without a scheme', { url: 'example.com/page' }, ['body', 'url'], 'url_parsing'],
    ['a number for a url', { url: 42 }, ['body', 'url'], 'string_type'],
    ['null for a url', { url: null }, ['body', 'url'], 'string_type'],
    ['an empty url', { url: '' }, ['body', 'url'], 'url_parsing'],
    ['ftp', { url: 'ftp://example.com/' }, ['body', 'url'], 'url_parsing'],
    ['file', { url: 'file:///etc/passwd' }, ['body', 'url'], 'url_parsing'],
    ['javascript', { url: 'javascript:alert(1)' }, ['body', 'url'], 'url_parsing'],
    ['data', { url: 'data:text/html,hello' }, ['body', 'url'], 'url_parsing'],
    ['a url that is too long', { url: `http://example.com/${'x'.repeat(8192)}` }, ['body', 'url'], 'string_too_long'],
    ['a number for a query', { url: 'http://example.com/', query: 7 }, ['body', 'query'], 'string_type'],
    ['an empty query', { url: 'http://example.com/', query: '' }, ['body', 'query'], 'string_too_short'],
    ['a field that is none', { url: 'http://example.com/', depth: 2 }, ['body', 'depth'], 'extra_forbidden'],
    ['a list', [{ url: 'http://example.com/' }], ['body'], 'dict_type'],
    ['no JSON', '{"url": ', ['body'], 'json_invalid'],
  ])('refuses %s before anything is fetched', async (_, body, loc, type) => {
    const response = await app.post('/v1/contents', body);
    expect(response.status).toBe(422);
    const { detail } = (await expectDocumented(post, response)) as HTTPValidationError;
    expect(detail.map((issue) => [issue.loc, issue.type])).toEqual([[loc, type]]);
  });
});

describe('hosts that are not public', () => {
  const urls = () => hostileHosts.map((host) => `http://${host}:${closed.port}/`);

  it('never connects to hosts that are not public for contents', async () => {
    const key = { 'x-api-key': await newKey() };
    const answers = await Promise.all(urls().map((url) => app.post('/v1/contents', { url, query: 'secret' }, key)));
    for (const [at, answer] of answers.entries()) {
      const { error } = (await answer.json()) as HTTPValidationError;
      expect([answer.status, error.code], urls()[at]).toSatisfy(
        ([status, code]) =>
          (status === 422 && (code === 'blocked_address' || code === 'validation_error')) || code === 'dns_error',
      );
    }
    expect(closed.connections()).toBe(0);
  });

  it('never connects to hosts that are not public for the index, which names or counts each of them', async () => {
    const list = urls().filter((url) => URL.canParse(url));
    const { code, stdout, stderr } = await index('/hostile.txt', list);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^0 added, 0 updated, 0 unchanged, 0 removed, \d+ failed\n$/),
    ]);
    const named = new Set(list.map((url) => new URL(url).href));
    const lines = stderr.trimEnd().split('\n');
    expect(lines.pop()).toContain('FETCH_ALLOW_HOSTS');
    const failed = lines.map((line) => /^failed: (?:(\d+) more|(\S+)): ./.exec(line)!);
    for (const [, , url] of failed) expect(url === undefined || named.has(url)).toBe(true);
    expect(failed.reduce((sum, [, count]) => sum + Number(count ?? 1), 0)).toBe(named.size);
    expect(closed.connections()).toBe(0);
  });

  it('logs no error for hosts that are not public', () => {
    expect(app.faults).toEqual([]);
  });
});
