/**
 * Four doors lead from a stranger's words to a connection: contents, the index, the image of a search, and the pages a
 * search reads. Each gets the whole list of hosts that are not public, bare and at the end of a redirect, and names under an
 * attacker's name server. Whatever a door answers, this process dials no address that is neither public nor allowed.
 */
import dns from 'node:dns';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HTTPValidationError } from '../../protocol/index.ts';
import { isPublicAddress } from '../../src/base/addresses.ts';
import { readConfig } from '../../src/base/config.ts';
import { indexSource } from '../../src/cli/sources/index-source.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { type WatchedConnections, watchConnections } from '../support/clients/watch-connections.ts';
import { type ModelServer, startModelServer } from '../support/servers/model-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { hostileHosts } from './fetch/hostile-hosts.ts';
import { serveSite, type TestSite } from './serve.ts';

/** What the attacker's name server says of a name, one answer a question, the last one for ever. */
const names: Record<string, readonly (readonly string[])[]> = {
  'private.test': [['10.0.0.5']],
  'metadata.test': [['169.254.169.254']],
  'loopback.test': [['127.0.0.1']],
  'six.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'empty.test': [[]],
};
const turns = new Map<string, number>();

/** Only the answers of name servers are stood in for: no test may change those of the machine. */
const { Resolver } = dns.promises;
const asked = { four: Resolver.prototype.resolve4, six: Resolver.prototype.resolve6 };

function answerAs(family: 4 | 6) {
  return async (name: string): Promise<string[]> => {
    const answers = names[name];
    const turn = turns.get(name) ?? 0;
    // Both families are asked for, the older one first.
    if (family === 6) turns.set(name, turn + 1);
    const found = answers?.[Math.min(turn, answers.length - 1)]?.filter(
      (each) => each.includes(':') === (family === 6),
    );
    if (found === undefined || found.length === 0) throw Object.assign(new Error('ENODATA'), { code: 'ENODATA' });
    return found;
  };
}

function setAnswers(four: unknown, six: unknown): void {
  Object.assign(Resolver.prototype, { resolve4: four, resolve6: six });
}

let site: TestSite;
/** Redirects that the site answered with. */
let redirects = 0;
/** On loopback as well, and nothing may open it. */
let closed: TestSite;
let model: ModelServer;
let app: TestApp;
let dials: WatchedConnections;
/** What the search provider finds next. */
let found: readonly string[] = [];
let targets: readonly string[] = [];
let allowed: string;

beforeAll(async () => {
  setAnswers(answerAs(4), answerAs(6));
  closed = await serveSite((_, response) => response.end('private'));
  site = await serveSite((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site.test');
    const [, hops, at] = /^\/hop\/(\d+)\/(\d+)$/.exec(pathname)?.map(Number) ?? [];
    if (pathname === '/search') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ results: found.map((url) => ({ url, title: 'A page', content: 'words' })) }));
    } else if (pathname === '/list.txt') response.setHeader('content-type', 'text/plain').end(found.join('\n'));
    else if (hops === undefined || at === undefined) response.writeHead(404).end();
    else {
      const next = hops > 0 ? `/hop/${hops - 1}/${at}` : targets[at]!;
      // UTF-8 as servers send it: a header is bytes.
      const location = Buffer.from(next).toString('latin1');
      redirects += 1;
      response.writeHead([301, 302, 303, 307, 308][at % 5]!, { location }).end();
    }
  });
  model = await startModelServer();
  allowed = `127.0.0.1:${site.port}`;
  targets = hostileHosts.map((host, at) => `http://${host}:${closed.port}/${at}`);
  app = await startTestApp({
    FETCH_ALLOW_HOSTS: allowed,
    SEARXNG_URL: site.base,
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    MEDIAWIKI_URL: 'off',
  });
  dials = watchConnections();
});

afterAll(async () => {
  setAnswers(asked.four, asked.six);
  dials.stop();
  await app[Symbol.asyncDispose]();
  await Promise.all([site.close(), closed.close(), model.close()]);
});

/** All of it: hosts as they are, behind one and behind three redirects, and names. */
const attacks = () => [
  ...targets,
  ...targets.flatMap((_, at) => [0, 2].map((hops) => `${site.base}/hop/${hops}/${at}`)),
  ...Object.keys(names).map((name) => `http://${name}/`),
];

const newKey = async () => ({
  'x-api-key': (await app.accounts.createKey({ plan: 'pro', name: 'test' })).plaintext,
});

function batches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Ways in; each checks that every address it was given was tried and refused. */
const doors: Record<string, (urls: readonly string[]) => Promise<void>> = {
  async contents(urls) {
    for (const batch of batches(urls, 80)) {
      const key = await newKey();
      const answers = await Promise.all(batch.map((url) => app.post('/v1/contents', { url }, key)));
      for (const [at, answer] of answers.entries()) {
        const { error } = (await answer.json()) as HTTPValidationError;
        const isUnanswered = URL.canParse(batch[at]!) && unanswered.test(new URL(batch[at]!).hostname);
        expect(answer.status, batch[at]).toSatisfy((status) => (isUnanswered ? status >= 400 : status === 422));
        if (!isUnanswered) expect(error.code, batch[at]).toMatch(/^(blocked_address|validation_error)$/);
      }
    }
  },

  async index(urls) {
    found = urls.filter((url) => URL.canParse(url));
    const lines: string[] = [];
    const writes = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((line) => lines.push(String(line)) > 0),
    );
    const settings = { DATA_DIR: app.dataDir, FETCH_ALLOW_HOSTS: allowed };
    const code = await indexSource(`${site.base}/list.txt`, {}, readConfig(settings));
    for (const write of writes) write.mockRestore();
    expect(code).toBe(1);
    // The first are named, the others counted.
    const counts = [...lines.join('').matchAll(/^failed: (?:(\d+) more|\S+): ./gm)].map(([, count]) =>
      Number(count ?? 1),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(new Set(found.map((url) => new URL(url).href)).size);
    expect(lines.join('')).toContain('0 added, 0 updated');
  },

  async image(urls) {
    for (const batch of batches(urls, 80)) {
      const key = await newKey();
      const ask = (image: string) => app.post('/v1/search', { prompt: 'What is this?', image, effort: 'fast' }, key);
      for (const image of batch) {
        const answer = await ask(image);
        if (answer.status === 200) expect(new URL(image).hostname, image).toMatch(unanswered);
        else expect(((await answer.json()) as HTTPValidationError).detail[0]!.loc, image).toEqual(['body', 'image']);
      }
    }
  },

  async 'pages of a search'(urls) {
    for (const batch of batches(
      urls.filter((url) => URL.canParse(url)),
      10,
    )) {
      found = batch;
      const body = { prompt: `What is there? ${batch.length}`, effort: 'balanced' };
      const frames = await readEvents(
        await app.post('/v1/search', body, { accept: 'text/event-stream', ...(await newKey()) }),
      );
      const refused = frames.flatMap((frame) =>
        frame.type === 'warning' && frame.code === 'source_unreachable' ? [frame.message] : [],
      );
      expect(refused, batch.join(' ')).toHaveLength(batch.length);
    }
  },
};

/** Names that may not resolve, or resolve to nothing that answers: no refusal of the image, and no connection either. */
const unanswered = /^(empty|rebind-\d)\.test$|^(ip6-)?localhost\.?$/;

/** What was dialled since, apart from the servers of this test: `address:port`. */
function dialledSince(start: number): string[] {
  const own = [app.url, site.base, model.url].map((url) => new URL(url).host);
  return dials.addresses.slice(start).filter((each) => !own.includes(each));
}

const isPublic = (dialled: string) => isPublicAddress(dialled.slice(0, dialled.lastIndexOf(':')));

describe.each(Object.keys(doors))('the entry point "%s"', (door) => {
  it('never connects to an address that is not public, however it is written, resolved or redirected to', async () => {
    const start = dials.addresses.length;
    const before = redirects;
    await doors[door]!(attacks());
    // The site may be asked over connections that earlier tests left open, so its dial is somewhere in the whole list.
    expect(redirects).toBeGreaterThan(before);
    expect(dials.addresses).toContain(allowed);
    expect(dialledSince(start).filter((each) => !isPublic(each))).toEqual([]);
    expect(closed.connections()).toBe(0);
  });

  it('never connects to a name that first resolves to a public address and then to a private one', async () => {
    const name = `rebind-${Object.keys(doors).indexOf(door)}.test`;
    names[name] = [['93.184.215.14'], ['127.0.0.1']];
    const start = dials.addresses.length;
    for (let turn = 0; turn < 3; turn += 1) await doors[door]!([`http://${name}/${turn}`]);
    expect(new Set(dialledSince(start))).toEqual(new Set(['93.184.215.14:80']));
  });
});
