/**
 * Every call of the OpenAPI document with generated bodies, paths and queries: whatever comes, the answer is one that the
 * document has, errors say what was wrong in few words, nothing of a key is repeated, and the server lives and logs no error.
 * The seed is printed; `TEST_SEED` sets it. `TEST_LONG=1` sends 100,000 bodies instead of 600 and prints counts.
 */
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createRandom } from '../../bench/support/random.ts';
import {
  ExaError,
  isIssueType,
  McpError,
  OpenAIError,
  ParallelError,
  PerplexityError,
  TavilyError,
  ValidationError,
} from '../../protocol/index.ts';
import { type BrowserSession, signInBy } from '../support/browser/browser-session.ts';
import { describeProbes, type Prober, startProber } from '../support/prober.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createBodyGenerator, type JsonSchema } from './generate-body.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly responses: Record<string, unknown>;
  readonly schema: JsonSchema | undefined;
  readonly byBrowser: boolean;
  /** The schema of its errors, if it is that of another protocol. */
  readonly errors: z.ZodType | undefined;
}

/** An operation in the document, as far as it is read here. */
interface Described {
  readonly responses: Record<string, unknown>;
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> };
  readonly security?: readonly unknown[];
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const otherErrors = { OpenAIError, PerplexityError, McpError, TavilyError, ExaError, ParallelError };
const isLong = process.env.TEST_LONG === '1';
const [bodies, keys, atOnce] = isLong ? [100_000, 300, 16] : [600, 8, 8];
const seed = Number(process.env.TEST_SEED ?? 16);
const random = createRandom(seed);
const below = (n: number) => Math.floor(random() * n);
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
const DATA_DIR = temporaryFolder();

const document = JSON.parse(readFileSync(new URL('../../protocol/openapi.json', import.meta.url), 'utf8'));
/** A stream without an end: its answer would be waited for for ever. */
const endless = '/v1/sources/events';
const operations: Operation[] = Object.entries<Record<string, Described>>(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      responses: operation.responses,
      schema: operation.requestBody?.content['application/json']?.schema,
      byBrowser: JSON.stringify(operation.security ?? []).startsWith('[{"session'),
      errors: Object.entries(otherErrors).find(([name]) => JSON.stringify(operation.responses).includes(name))?.[1],
    })),
  )
  .filter(({ path }) => path !== endless);
const generate = createBodyGenerator(document.components.schemas, below);

/** Ids that answers to an account had, so that its calls do not only meet unknown ones. */
const known = Array.from({ length: keys }, (): Record<string, string[]> => ({}));
const strange = ['none', '0', '%00', '..', '%2e%2e%2f', 'a'.repeat(300), '%F0%9F', '__proto__', 'newest', '-1', '1e9'];
const queries = [
  '',
  '?limit=1',
  '?limit=0',
  '?limit=1e3',
  '?cursor=W10',
  '?q=%25',
  '?version=x',
  '?after=-1',
  '?minutes=0',
];

const counts = new Map<string, number>();
let foreign = 0;
let server: AppProcess;
let browsers: BrowserSession[];
let prober: Prober;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

beforeAll(async () => {
  server = await startAppProcess({ DATA_DIR, TRANSPORT: process.env.TEST_TRANSPORT ?? 'auto' }, keys);
  const links = server.links.slice(0, keys / 4).map((link) => new URL(link).hash.slice(1));
  browsers = await Promise.all(links.map((link) => signInBy(server, link)));
  prober = await startProber({ url: server.url, pid: server.child.pid });
}, 300_000);
afterAll(async () => {
  agent.destroy();
  server.child.kill();
  await server.ended;
});

/** Nobody but their account may know whether these exist. */
const privateIds = ['api_id', 'search_id', 'key_id', 'response_id', 'chat_id'];

/** The path of a call of an account, at times with an id of another account. */
function fillPath(path: string, account: number): { path: string; isForeign: boolean } {
  let isForeign = false;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const own = known[account]![name] ?? [];
    const others = known[(account + 1 + below(keys - 1)) % keys]![name] ?? [];
    if (privateIds.includes(name) && others.length > 0 && below(4) === 0) {
      const id = pick(others);
      isForeign = !own.includes(id);
      return encodeURIComponent(id);
    }
    const ids = name === 'version' ? ['1', '2'] : own;
    return ids.length > 0 && below(4) > 0 ? encodeURIComponent(pick(ids)) : pick(strange);
  });
  return { path: below(4) === 0 ? filled + pick(queries) : filled, isForeign };
}

function send(operation: Operation, path: string, headers: Record<string, string>, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 || operation.schema !== undefined ? { 'content-length': String(body.length) } : {};
    const options = { method: operation.method, agent, headers: { ...headers, ...length } };
    const sent = request(server.url + path, options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() });
    });
    sent.on('error', (error) => {
      // The server may close a connection that it answered on, while this one uses it again.
      if (sent.reusedSocket) send(operation, path, headers, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

function remember({ status, text }: Answer, account: number, operation: Operation, body: Buffer): void {
  if (status >= 300) return;
  const field = /"(api_id|api_stub|search_id|key_id|snapshot)":"([\w-]+)"/g;
  for (const [, name, id] of text.slice(0, 5_000).matchAll(field)) rememberId(account, name!, id!);
  const [, response] = /"id":"(resp_[\w-]+)"/.exec(text) ?? [];
  if (response !== undefined) rememberId(account, 'response_id', response);
  // Its callers choose the ids of chats.
  if (operation.path !== '/v1/ai/chat') return;
  const { id } = JSON.parse(body.toString()) as { id?: unknown };
  if (typeof id === 'string' && id.isWellFormed()) rememberId(account, 'chat_id', id);
}

function rememberId(account: number, name: string, id: string): void {
  known[account]![name] = [id, ...(known[account]![name] ?? []).slice(0, 20)];
}

/** What a call is allowed by: a key, or the session of a browser. */
function headersOf(operation: Operation, account: number, browser: number): Record<string, string> {
  const isSession = operation.path === '/v1/session';
  if (!operation.byBrowser && !isSession) return { 'x-api-key': server.keys[account]! };
  const page = { origin: server.url, 'sec-fetch-site': 'same-origin' };
  const { cookie, csrf } = browsers[browser]!;
  // A session that signs out is of no more use, and one that signs in again neither.
  return isSession && operation.method !== 'GET' ? page : { ...page, cookie, 'x-csrf-token': csrf };
}

/** The path with ids of the right form, which need not exist: the body is read before. */
function fillKnown(path: string): string {
  return path
    .replace('{version}', '1')
    .replace('{api_id}', 'api_0123456789abcdefghijkl')
    .replace(/\{\w+\}/g, 'heron');
}

async function sendOne(): Promise<void> {
  const operation = below(4) > 0 ? pick(operations.filter(({ schema }) => schema !== undefined)) : pick(operations);
  const isSearch = /search$|service/.test(operation.path);
  const body = generate(operation.schema, isSearch ? 30 : 5);
  const browser = below(browsers.length);
  const account = operation.byBrowser ? browser : below(keys);
  const { path, isForeign } = fillPath(operation.path, account);
  const key = server.keys[account]!;
  const { cookie } = browsers[browser]!;
  const by = headersOf(operation, account, browser);
  const hasBody = operation.schema !== undefined || below(10) === 0;
  const headers = { ...by, ...(hasBody ? body.headers : {}) };
  const answer = await send(operation, path, headers, hasBody ? body.bytes : Buffer.alloc(0));
  const name = `${operation.method} ${operation.path}`;
  const about = `${name} at ${path}, ${body.kind}: ${body.bytes.subarray(0, 300)} → ${answer.status} ${answer.text.slice(0, 500)}`;
  counts.set(`${answer.status} ${body.kind}`, (counts.get(`${answer.status} ${body.kind}`) ?? 0) + 1);
  if (isForeign) {
    foreign += 1;
    expect(answer.status, about).toBeGreaterThanOrEqual(400);
  }
  remember(answer, account, operation, hasBody ? body.bytes : Buffer.alloc(0));

  // A path that is none of this operation's after all may belong to another method or to nothing.
  if (![404, 405].includes(answer.status))
    expect(Object.keys(operation.responses), about).toContain(String(answer.status));
  // 504 is what a body that allows its search a tenth of a second asks for, 502 what one that names an unreachable page does.
  const isOfPage = answer.status === 502 && /\/tavily\/(crawl|map)$/.test(operation.path);
  if (answer.status >= 500 && !isOfPage && !answer.text.includes('"deadline_exceeded"')) {
    expect([answer.status, answer.headers['retry-after']], about).toEqual([503, expect.any(String)]);
  }
  if (answer.status === 429) expect(Number(answer.headers['retry-after']), about).toBeGreaterThan(0);
  if (answer.status >= 400) {
    expectForm(operation, answer, about);
  }
  const all = JSON.stringify(answer.headers) + answer.text;
  for (const secret of [key.slice(12), cookie.split('=')[1]!]) expect(all.includes(secret), about).toBe(false);
}

/** An error has the form of its door. */
function expectForm(operation: Operation, answer: Answer, about: string): void {
  const isOwn = operation.errors?.safeParse(JSON.parse(answer.text)).success === true;
  // A path with dots in it may be none of this operation's, nor of its door.
  const isElsewhere = answer.text.includes('Unknown path');
  const isOther = Object.values(otherErrors).some((form) => form.safeParse(JSON.parse(answer.text)).success);
  if (operation.errors && !isElsewhere) expect(isOwn, about).toBe(true);
  else if (!(isElsewhere && isOther)) expectError(answer, about);
}

function expectError({ status, text }: Answer, about: string): void {
  const { detail, error } = JSON.parse(text) as { detail: unknown; error: { code: string; message: string } };
  expect(error.code, about).toMatch(/^[a-z_]+$/);
  expect(text.length, about).toBeLessThan(30_000);
  if (status !== 422) return expect(detail, about).toEqual(expect.any(String));
  const issues = detail as ValidationError[];
  expect(issues.length, about).toBeGreaterThan(0);
  expect(issues.length, about).toBeLessThanOrEqual(20);
  for (const issue of issues) {
    expect(ValidationError.safeParse(issue).success, about).toBe(true);
    expect(issue.msg.length, about).toBeLessThan(1_000);
    expect(isIssueType(issue.type), about).toBe(true);
  }
}

/** Refused before a schema sees them, whatever the call: what each of them breaks is counted on its text. */
const tooMuch: readonly [string, string][] = [
  ['90,000 keys', `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join()}}`],
  ['100,000 values', `{"a":[${'1,'.repeat(100_000)}1]}`],
  ['500,000 levels', '['.repeat(500_000)],
  ['1.1 MB in a field', JSON.stringify({ prompt: 'x'.repeat(1_100_000) })],
  ['1.1 MB that are not JSON', 'x'.repeat(1_100_000)],
];

describe('every call that takes a body', () => {
  const taking = operations.filter(({ schema }) => schema !== undefined);

  it.each(taking.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'refuses what is too much for %s, in few words',
    async (name, operation) => {
      for (const [what, text] of tooMuch) {
        const account = (taking.indexOf(operation) + tooMuch.findIndex(([each]) => each === what)) % keys;
        const by = headersOf(operation, account, account % browsers.length);
        const headers = { ...by, 'content-type': 'application/json' };
        const answer = await send(operation, fillKnown(operation.path), headers, Buffer.from(text));
        const about = `${name}, ${what}: ${answer.status} ${answer.text.slice(0, 300)}`;
        // A call may have smaller or larger limits, but each has some. Those of administrators are closed to all of these.
        const tooLarge = ['422' in operation.responses ? 422 : 400, 413];
        expect(operation.path.startsWith('/v1/accounts') ? [403] : tooLarge, about).toContain(answer.status);
        expect(answer.text.length, about).toBeLessThan(2_000);
        expectForm(operation, answer, about);
      }
    },
  );

  it.each(
    taking
      .filter(({ byBrowser }) => !byBrowser)
      .map(({ method, path, ...rest }) => [`${method} ${path}`, { method, path, ...rest }] as const),
  )("refuses %s from a page of another site that has a visitor's cookie", async (name, operation) => {
    const { cookie } = browsers[0]!;
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie };
    for (const type of ['application/json', 'text/plain']) {
      const headers = { ...foreign, 'content-type': type };
      const answer = await send(operation, fillKnown(operation.path), headers, Buffer.from('{"prompt":"x"}'));
      const about = `${name}, ${type}: ${answer.status} ${answer.text.slice(0, 300)}`;
      // Some need the body to know the caller, and refuse its type before.
      expect([401, 403, 415], about).toContain(answer.status);
      expect(answer.headers['access-control-allow-origin'], about).toBeUndefined();
      expectForm(operation, answer, about);
    }
  });
});

it(`answers ${bodies.toLocaleString('en')} generated bodies as the OpenAPI document says`, async () => {
  console.log(`TEST_SEED=${seed}`);
  let left = bodies;
  const work = async () => {
    while (left-- > 0) await sendOne();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const report = await prober.stop();
  if (isLong)
    console.log(
      `${[...counts]
        .sort()
        .map((row) => row.join(': '))
        .join('\n')}\n${foreign} calls with an id of another account\n${describeProbes(report)}`,
    );
  expect(report.failures).toBe(0);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(server.log()).toBe('');
}, 3_600_000);
