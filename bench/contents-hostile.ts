/**
 * How long the server's event loop, which streams answers, is delayed while pages are read: none, ordinary ones, and hostile
 * ones (deep nesting, floods of attributes, bombs, endless bodies). The delay is measured in the server's process.
 *
 *   npm run bench -- contents-hostile [rounds]
 */
import { readFileSync } from 'node:fs';
import { hostilePages } from '../test/hostile/pages/pages.ts';
import { serveSite, type TestSite } from '../test/web/serve.ts';
import { type BenchServer, startServer } from './support/start-server.ts';
import { spread } from './support/stats.ts';
import { formatCell, formatTable } from './support/table.ts';

const together = 4;
const idleMs = 10_000;
const pages = hostilePages(1);
const ordinary = ['article-wordpress', 'docs-sphinx', 'listing-table', 'product-shop', 'thread-phpbb', 'code-heavy'];
const folder = new URL('../test/web/pages/', import.meta.url);

/** Prints a table of the loop's delay for each load. */
export default async function run([rounds = '5']: string[]): Promise<void> {
  const site = await serveSite((request, response) => {
    const name = new URL(request.url!, 'http://site.invalid').pathname.slice(1);
    const hostile = pages[name];
    if (hostile !== undefined) hostile.answer(response, request);
    else response.setHeader('content-type', 'text/html').end(readFileSync(new URL(`${name}.html`, folder)));
  });
  const server = await startServer({ FETCH_ALLOW_HOSTS: `127.0.0.1:${site.port}` });
  const hostile = Object.keys(pages);
  const usual = hostile.map((_, at) => `${ordinary[at % ordinary.length]}?${at}`);
  // A different address each time, or the cache would answer.
  const loads: Record<string, (round: number) => Promise<void>> = {
    'nothing is read': () => new Promise((resolve) => setTimeout(resolve, idleMs)),
    'ordinary pages': (round) => readAll(server, site, usual, round),
    'hostile pages': (round) => readAll(server, site, hostile, round),
  };
  const delays = new Map(Object.keys(loads).map((name) => [name, [] as { p50: number; p99: number; max: number }[]]));
  await loads['ordinary pages']!(0);
  for (let round = 1; round <= Number(rounds); round += 1) {
    for (const [name, load] of Object.entries(loads)) {
      await server.delay();
      await load(round);
      delays.get(name)!.push(await server.delay());
    }
  }
  const rows = [...delays].map(([name, all]) => {
    const figure = (each: 'p50' | 'p99' | 'max') =>
      formatCell(
        spread(
          all.map((delay) => delay[each]),
          'ms',
        ),
      );
    return [name, figure('p50'), figure('p99'), figure('max')];
  });
  process.stdout.write(`${hostile.length} hostile pages, ${together} at a time\n\n`);
  process.stdout.write(`${formatTable(['loop delay while', 'p50', 'p99', 'max'], rows)}\n`);
  await server.close();
  await site.close();
}

async function readAll(server: BenchServer, site: TestSite, names: readonly string[], round: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: together }, async () => {
      while (next < names.length) {
        const at = next++;
        const key = server.keys[at % server.keys.length]!;
        const answer = await fetch(`${server.url}/v1/contents`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ url: `${site.base}/${names[at]}${names[at]!.includes('?') ? '-' : '?'}${round}` }),
        });
        await answer.text();
        if (answer.status === 429 || answer.status === 500) throw new Error(`${names[at]}: ${answer.status}`);
      }
    }),
  );
}
