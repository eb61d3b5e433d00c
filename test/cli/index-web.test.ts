/** `citewire index` over the web: polite to servers, a line for each failed page, and the right exit code. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { type CliResult, runCli } from '../support/processes/run-cli.ts';
import { article } from '../support/servers/web-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serveSite, type TestSite } from '../web/serve.ts';

const Sqlite = loadSqlite();

const folder = temporaryFolder();
const agents = new Set<string | undefined>();
let robots = '';
let conditional = 0;
let open = 0;
let mostOpen = 0;
let site: TestSite;

const paths = Array.from({ length: 8 }, (_, n) => `/bird/${n}`);
const sitemap = (of: readonly string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${of
    .map((path) => `<url><loc>${site.base}${path}</loc></url>`)
    .join('')}</urlset>`;

beforeAll(async () => {
  site = await serveSite(
    (request, response) => {
      const path = request.url ?? '';
      agents.add(request.headers['user-agent']);
      if (path === '/robots.txt') return void response.setHeader('content-type', 'text/plain').end(robots);
      if (path === '/sitemap.xml')
        return void response
          .setHeader('content-type', 'application/xml')
          .end(sitemap([...paths, '/secret/1', '/gone']));
      if (!path.startsWith('/bird/') && path !== '/secret/1') return void response.writeHead(404).end();
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      if (request.headers['if-none-match'] !== undefined) conditional += 1;
      setTimeout(() => {
        open -= 1;
        if (request.headers['if-none-match'] === `"${path}"`) return response.writeHead(304).end();
        const headers = { 'content-type': 'text/html; charset=utf-8', etag: `"${path}"` };
        response.writeHead(200, headers).end(article(`Bird ${path}`, `The bird of ${path} nests on the quay.`));
      }, 30);
    },
    { robots: true },
  );
});
afterAll(() => site.close());

function index(path: string, data: string): Promise<CliResult> {
  open = 0;
  mostOpen = 0;
  const FETCH_ALLOW_HOSTS = `127.0.0.1:${site.port}`;
  return runCli(['index', `${site.base}${path}`], { DATA_DIR: join(folder, data), FETCH_ALLOW_HOSTS });
}

describe('indexing a sitemap from the command line', () => {
  it('refuses an address with a password before anything is stored', async () => {
    const DATA_DIR = join(folder, 'password');
    const { code, stderr } = await runCli(['index', 'https://ann:s3cret@127.0.0.1/a'], { DATA_DIR });
    expect(code).not.toBe(0);
    expect(stderr).toContain('Expected a URL without a user name or password.');
    expect(stderr).not.toContain('s3cret');
    expect((await runCli(['sources', 'list'], { DATA_DIR })).stdout).not.toContain('s3cret');
  });

  it('uses at most two connections, respects robots.txt and reports failures', async () => {
    robots = 'User-agent: *\nDisallow: /secret\n';
    const { code, stdout, stderr } = await index('/sitemap.xml', 'polite');
    expect(stdout).toBe('8 added, 0 updated, 0 unchanged, 0 removed, 2 failed\n');
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
      `failed: ${site.base}/gone: The page's server answered 404.`,
      `failed: ${site.base}/secret/1: The robots.txt of 127.0.0.1 does not allow this page.`,
    ]);
    expect(code).toBe(1);
    expect(mostOpen).toBe(2);
    expect([...agents]).toEqual([expect.stringMatching(/^Citewire\/[\d.]+ \(\+https:/)]);
  });

  it('only revalidates pages when run again', async () => {
    const { stdout } = await index('/sitemap.xml', 'polite');
    expect(stdout).toBe('0 added, 0 updated, 8 unchanged, 0 removed, 2 failed\n');
    expect(conditional).toBe(8);
  });

  it('waits between pages as long as robots.txt asks', async () => {
    robots = 'User-agent: *\nCrawl-delay: 0.4\nDisallow: /secret\n';
    const { stdout } = await index('/sitemap.xml', 'slow');
    expect(stdout).toMatch(/^8 added/);
    expect(mostOpen).toBe(1);
  });

  it('exits with 0 when every page was read, and with 1 and a sentence when the source was not', async () => {
    robots = '';
    const [whole, missing, blocked] = await Promise.all([
      index('/bird/1', 'one'),
      index('/absent.xml', 'none'),
      runCli(['index', `${site.base}/bird/1`], { DATA_DIR: join(folder, 'blocked') }),
    ]);
    expect([whole.code, whole.stdout]).toEqual([0, '1 added, 0 updated, 0 unchanged, 0 removed, 0 failed\n']);
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toBe(`citewire: ${site.base}/absent.xml: The page's server answered 404.\n`);
    expect([blocked.code, blocked.stderr]).toEqual([
      1,
      `failed: ${site.base}/bird/1: Expected port 80 or 443; got ${site.port}.\nThe setting FETCH_ALLOW_HOSTS names hosts, or host:port, that are allowed all the same.\n`,
    ]);
  });

  it('leaves an intact database with the cached pages', () => {
    const database = new Sqlite(join(folder, 'polite', 'index.db'), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect(['pages', 'readings', 'snapshots', 'evictable'].map(count)).toEqual([8, 8, 8, 0]);
    database.close();
  });
});
