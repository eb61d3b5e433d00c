/**
 * Pages made to harm the server that reads them, read through its own door by some accounts while another reads ordinary
 * ones. Each ends in a documented result, the other account's pages still come, and the process stays up. `TEST_LONG=1` reads
 * pages of full size, hundreds of generated ones and those that only a time limit ends; it prints the counts, how long
 * /healthz waited and the memory of the server, at the end and a while after it (`TEST_IDLE_S`, 180 by default). The server
 * allocates as it does in the image.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contents, HTTPValidationError } from '../../protocol/index.ts';
import { PageError } from '../../src/web/page-error.ts';
import { createReader } from '../../src/web/reader.ts';
import { listPages, type ReadFile } from '../../src/web/sitemap.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { makePdf, makeSlowPdf } from '../support/documents/make-pdf.ts';
import { describeProbes, type Prober, startProber } from '../support/prober.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serveSite, type TestSite } from '../web/serve.ts';
import { generatePage } from './pages/generated.ts';
import { type HostilePages, megabyte } from './pages/page.ts';
import { hostilePages } from './pages/pages.ts';

const isLong = process.env.TEST_LONG === '1';
const generated = isLong ? 500 : 20;
const maxPieces = isLong ? 20_000 : 500;
/** Pages read simultaneously by the accounts that read hostile ones. */
const together = 8;

const written: HostilePages = hostilePages(isLong ? 1 : 0.03);
const pages: HostilePages = {
  ...written,
  ...Object.fromEntries(
    Array.from({ length: generated }, (_, seed) => [`random-${seed}`, generatePage(seed, maxPieces)]),
  ),
};
const sent = Object.keys(pages).filter((name) => isLong || !pages[name]!.isSlow);
const robots: Record<string, { readonly text: string | Buffer; readonly ends: RegExp }> = {
  'many groups and one rule': {
    text: `${'User-agent: citewire\n'.repeat(3_000)}Disallow: /${'*a'.repeat(400)}b\n`,
    ends: /^read$/,
  },
  'many rules': { text: `User-agent: *\n${'Disallow: /*a*b*c$\n'.repeat(25_000)}`, ends: /^read$/ },
  'one line': { text: `User-agent: *\nDisallow: /${'%'.repeat(500_000)}`, ends: /^read$/ },
  'ten megabytes': { text: `User-agent: *\nDisallow: /no\n${'# nothing\n'.repeat(megabyte)}`, ends: /^read$/ },
  'no text': { text: Buffer.alloc(megabyte), ends: /^read$/ },
};

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const allocation = Object.fromEntries(
  [...dockerfile.matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
);

let site: TestSite;
let server: AppProcess;
let prober: Prober;
const outcomes = new Map<string, Promise<string>>();
const others: { readonly answer: string; readonly ms: number }[] = [];
const stop = new AbortController();
let othersReading: Promise<void>;
let slowSent = 0;
let results = 0;
let slowPdf: Buffer;

const ordinary = `<title>On tides</title><article><h1>On tides</h1>${'<p>The sea comes in twice a day, because of the moon.</p>'.repeat(20)}</article>`;

/** Ten slow PDFs for a query about sloths, else one page. */
function find(asked: string): string {
  const paths = /sloth/i.test(asked) ? Array.from({ length: 10 }, () => `slow?${results++}`) : ['pdf?found'];
  return JSON.stringify({
    results: paths.map((path) => ({ url: `${site.base}/${path}`, title: path, content: asked })),
  });
}

/** A connection of its own: a kept one may be closed just when it is used again, because this process is busy too. */
const alone = { connection: 'close' };

function contents(url: string, key: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/v1/contents`, {
    method: 'POST',
    headers: { ...alone, 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** `read`, or the code of the error; checks that either is as documented. */
async function readPage(url: string, key: string): Promise<string> {
  const response = await contents(url, key);
  const body = (await expectDocumented('POST /v1/contents', response)) as Contents | HTTPValidationError;
  if ('error' in body) return body.error.code;
  const { response: text, info } = body;
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/[\0\u200b\u202e\u2066]/);
  const kept = await fetch(`${server.url}/v1/contents/${info.snapshot}`, { headers: { ...alone, 'x-api-key': key } });
  expect(((await kept.json()) as Contents).response === text).toBe(true);
  return 'read';
}

/** Reads ordinary pages for one account until the test ends. */
async function readAsOther(key: string): Promise<void> {
  for (let n = 0; !stop.signal.aborted; n += 1) {
    const start = performance.now();
    const answer = await readPage(`${site.base}/${n % 3 === 0 ? 'pdf' : 'ordinary'}?${n}`, key);
    others.push({ answer, ms: performance.now() - start });
    await sleep(700, undefined, { signal: stop.signal }).catch(() => {});
  }
}

beforeAll(async () => {
  slowPdf = await makeSlowPdf();
  site = await serveSite((request, response) => {
    const name = new URL(request.url!, 'http://site.invalid').pathname.slice(1);
    const hostile = pages[name.replace(/x+$/, '')] ?? pages[name];
    if (hostile !== undefined) hostile.answer(response, request);
    else if (name === 'ordinary') response.setHeader('content-type', 'text/html').end(ordinary);
    else if (name === 'search') response.setHeader('content-type', 'application/json').end(find(request.url!));
    else if (name === 'slow') {
      slowSent += 1;
      response.setHeader('content-type', 'application/pdf').end(slowPdf);
    } else
      response.setHeader('content-type', 'application/pdf').end(makePdf({ title: 'Tides', pages: [['The sea.']] }));
  });
  // Each account may read a hundred pages a minute.
  const keys = 3 + Math.ceil(sent.length / 80);
  server = await startAppProcess(
    { ...allocation, DATA_DIR: temporaryFolder(), FETCH_ALLOW_HOSTS: '127.0.0.1', SEARXNG_URL: site.base },
    keys,
  );
  prober = await startProber({ url: server.url, pid: server.child.pid });
  othersReading = readAsOther(server.keys[0]!);
  const attackers = server.keys.slice(2);
  const begin: (() => void)[] = [];
  for (const [at, name] of sent.entries()) {
    const begun = new Promise<void>((resolve) => begin.push(resolve));
    const outcome = begun.then(() => readPage(`${site.base}/${name}`, attackers[at % attackers.length]!));
    outcomes.set(name, outcome);
    const next = () => begin.shift()?.();
    outcome.then(next, next);
  }
  for (let n = 0; n < together; n += 1) begin.shift()?.();
});

afterAll(async () => {
  stop.abort();
  await othersReading;
  await prober.stop();
  server.child.kill();
  await Promise.all([server.ended, site.close()]);
});

describe('a hostile page', () => {
  it.each(sent)('ends as documented: %s', { timeout: 600_000 }, async (name) => {
    const { ends } = pages[name]!;
    const outcome = await outcomes.get(name)!;
    // At full size, on a busy machine, any page may take longer than it may.
    if (!(isLong && outcome === 'timeout')) expect(outcome).toMatch(ends);
  });
});

describe('a robots.txt', () => {
  it.each(Object.keys(robots))('of %s lets its site be read, or says why not', async (name) => {
    const { text, ends } = robots[name]!;
    const strange = await serveSite(
      ({ url }, response) => {
        const isRobots = url === '/robots.txt';
        response.setHeader('content-type', isRobots ? 'text/plain' : 'text/html').end(isRobots ? text : ordinary);
      },
      { robots: true },
    );
    expect(await readPage(`${strange.base}/${'a'.repeat(1_000)}`, server.keys[1]!)).toMatch(ends);
    await strange.close();
  });
});

describe('a sitemap', () => {
  it.each([
    [
      'lists itself and others like it',
      (base: string) =>
        `<sitemapindex>${Array.from({ length: 5_000 }, (_, n) => `<sitemap><loc>${base}/${n % 3}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
      0,
    ],
    [
      'expands entities',
      () =>
        `<!DOCTYPE x [<!ENTITY a "http://a.org/${'a'.repeat(100)}">]><urlset><url><loc>&a;&a;</loc></url><url><loc>http://a.org/b</loc></url></urlset>`,
      2,
    ],
    ['never closes an element', () => `<urlset>${'<url><loc>http://a.org/'.repeat(20)}`, 1],
  ])('that %s ends in a list', async (_, make, length) => {
    const maps = await serveSite((_, response) => {
      response.setHeader('content-type', 'application/xml').end(make(maps.base));
    });
    const reader = createReader({ allowHosts: ['127.0.0.1'] });
    const signal = AbortSignal.timeout(20_000);
    const readFile: ReadFile = (url, use) => reader.withBytes(url, {}, use, signal);
    expect(await listPages(`${maps.base}/0.xml`, 50_000, readFile, signal)).toHaveLength(length);
    await Promise.all([reader.close(), maps.close()]);
  });
});

describe.skipIf(isLong)('a page that only a time limit ends', () => {
  const slow = Object.keys(written).filter((name) => written[name]!.isSlow);
  it.concurrent.each(slow)('ends as documented: %s', async (name) => {
    const reader = createReader({ allowHosts: ['127.0.0.1'], timeouts: { headersMs: 1_000, totalMs: 1_500 } });
    const ended = await reader.read(`${site.base}/${name}`, {}, AbortSignal.timeout(20_000)).catch((error) => error);
    expect(ended).toBeInstanceOf(PageError);
    expect(ended.code).toMatch(written[name]!.ends);
    await reader.close();
  });
});

describe('another account', () => {
  it('reads its pages while twelve slow PDFs of one account wait', async () => {
    const leave = new AbortController();
    let ended = 0;
    const slow = Array.from({ length: 12 }, (_, n) =>
      contents(`${site.base}/slow?${n}`, server.keys[2]!, leave.signal).then(
        () => ended++,
        () => {},
      ),
    );
    const key = server.keys[1]!;
    await expect.poll(() => slowSent).toBe(12);
    for (const kind of ['pdf', 'ordinary']) expect(await readPage(`${site.base}/${kind}?mine`, key)).toBe('read');
    expect(ended).toBeLessThan(10);
    leave.abort();
    await Promise.all(slow);
  });

  it('searches pages while three searches of one account read slow PDFs', async () => {
    const search = (prompt: string, key: string, signal: AbortSignal) =>
      fetch(`${server.url}/v1/search`, {
        method: 'POST',
        headers: { ...alone, 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ prompt }),
        signal,
      });
    const searchMeanwhile = async (day: number) => {
      const leave = new AbortController();
      const before = slowSent;
      const slow = await Promise.all(
        [1, 2, 3].map((n) => search(`What do sloths eat on day ${day + n}?`, server.keys[2]!, leave.signal)),
      );
      await expect.poll(() => slowSent - before).toBeGreaterThan(12);
      const events = await readEvents(
        await search(`What moves the tides on day ${day}?`, server.keys[1]!, AbortSignal.timeout(100_000)),
      );
      leave.abort();
      await Promise.allSettled(slow.map((each) => each.body?.cancel()));
      return events.flatMap((event) => (event.type === 'step.finished' ? [event.summary] : []));
    };
    // A search waits 12 s for a page. Where other programs take all of the processor, that may pass with nothing in front of
    // it, so it has a few tries; a page that waited for the PDFs of the other account would come in none of them.
    let summaries: unknown[] = [];
    for (let tried = 0; tried < 5 && !summaries.includes('1 of 1 page read'); tried += 1)
      summaries = await searchMeanwhile(10 * tried);
    expect(summaries).toContain('1 of 1 page read');
  }, 600_000);

  it('reads every page that it asks for meanwhile', async () => {
    await Promise.allSettled(outcomes.values());
    stop.abort();
    await othersReading;
    expect(others.length).toBeGreaterThan(1);
    expect(others.filter(({ answer }) => answer !== 'read')).toEqual([]);
  }, 600_000);
});

describe('the server', () => {
  it('stays up, answers every probe and logs no error', async () => {
    const during = await prober.restart();
    expect(server.child.exitCode).toBeNull();
    expect(server.log()).toBe('');
    expect(during.failures).toBe(0);
    if (!isLong) return;
    const counts = new Map<string, number>();
    for (const outcome of await Promise.all(outcomes.values())) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const waits = others.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b);
    const at = (share: number) => waits[Math.floor(share * (waits.length - 1))];
    const idleS = Number(process.env.TEST_IDLE_S ?? 180);
    await sleep(1_000 * idleS);
    const after = await prober.report();
    console.log(
      [
        `${sent.length} hostile pages: ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
        `${waits.length} pages of another account meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
        describeProbes(during),
        `RSS of all processes ${during.rss_mb.toFixed(0)} MiB at the end, ${after.rss_mb.toFixed(0)} MiB after ${idleS} s of rest`,
      ].join('\n'),
    );
    expect(during.rss_max_mb).toBeLessThan(600);
    expect(after.rss_mb).toBeLessThan(400);
  }, 1_200_000);
});
