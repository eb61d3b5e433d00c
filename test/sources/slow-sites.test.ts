/** Sites that are slow, or that ask for long pauses, keep nobody else's sources waiting. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IndexedSourceList } from '../../protocol/index.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

/** Asks for a minute between two requests. */
const patient = createServer(({ url = '', headers }, response) => {
  if (url === '/robots.txt') return response.end('User-agent: *\nCrawl-delay: 60\n');
  const pages = [1, 2, 3].map((n) => `<url><loc>http://${headers.host}${url}/${n}</loc></url>`);
  if (url.endsWith('.xml')) return response.end(`<urlset>${pages.join('')}</urlset>`);
  response.setHeader('content-type', 'text/html').end(`<p>The page ${url} was read with patience.</p>`);
});
/** Never answers with a page. */
const held: ServerResponse[] = [];
const stuck = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.writeHead(404).end();
  held.push(response);
});
const quick = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.writeHead(404).end();
  response.setHeader('content-type', 'text/html').end('<p>The tide at Marlow Quay is high at noon.</p>');
});
const sites = [patient, stuck, quick];
const hostOf = (site: typeof patient) => `127.0.0.1:${(site.address() as AddressInfo).port}`;
const patience = { interval: 250 };
let app: TestApp;

beforeAll(async () => {
  for (const site of sites) await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  app = await startTestApp({ FETCH_ALLOW_HOSTS: sites.map(hostOf).join() });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  for (const site of sites) {
    site.closeAllConnections();
    site.close();
  }
});

const newKey = async (name: string) => (await app.accounts.createKey({ name, plan: 'pro' })).plaintext;
async function send(key: string, path: string, body: string): Promise<void> {
  const type = path === '/v1/sources' ? 'application/json' : 'application/octet-stream';
  const headers = { 'x-api-key': key, 'content-type': type };
  const response = await fetch(app.url + path, { method: 'POST', headers, body });
  expect([200, 201]).toContain(response.status);
}
const add = (key: string, url: string) => send(key, '/v1/sources', JSON.stringify({ url }));
const upload = (key: string, name: string) => send(key, `/v1/sources/files?name=${name}`, 'The buoy is green.');
async function statesOf(key: string): Promise<Record<string, number>> {
  const response = await fetch(`${app.url}/v1/sources`, { headers: { 'x-api-key': key } });
  const states: Record<string, number> = {};
  for (const { state, shared } of ((await response.json()) as IndexedSourceList).items)
    if (!shared) states[state] = (states[state] ?? 0) + 1;
  return states;
}

it('indexes pages and uploads of others, and uploads of the same account, while slow sites are read', async () => {
  const slow = await Promise.all(['a', 'b', 'c', 'd'].map(newKey));
  for (const [at, key] of slow.entries()) {
    for (const n of [1, 2, 3])
      await add(key, at < 3 ? `http://${hostOf(patient)}/${n}.xml` : `http://${hostOf(stuck)}/${n}`);
  }
  // Two sources of each account are being read; the third waits for one of them.
  for (const key of slow) await expect.poll(() => statesOf(key), patience).toEqual({ indexing: 2, waiting: 1 });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  const other = await newKey('other');
  await add(other, `http://${hostOf(quick)}/tide`);
  await upload(other, 'buoy.txt');
  await expect.poll(() => statesOf(other), patience).toEqual({ ready: 2 });
  for (const key of slow) await upload(key, 'buoy.txt');
  for (const key of slow) await expect.poll(() => statesOf(key), patience).toMatchObject({ ready: 1, indexing: 2 });
});
