/**
 * Lists of the largest things that are stored: a published API whose versions have a megabyte each, drafts of the same size, and
 * searches with the longest prompts. Many readers at the same time do not keep the server from answering others.
 * `TEST_LONG=1` reads as often as a key may and prints how long /healthz waited meanwhile.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { designLimits, requestLimits } from '../../protocol/index.ts';
import { describeProbes, type Prober, probeAtRest, startProber } from '../support/prober.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const isLong = process.env.TEST_LONG === '1';
const [versions, readers, rounds] = isLong ? [30, 12, 20] : [3, 4, 2];
const maxPageBytes = 3 * requestLimits.body_bytes;
const DATA_DIR = temporaryFolder();

let server: AppProcess;
let prober: Prober;
let api_id: string;
let search_id: string;
const figures: string[] = [];

beforeAll(async () => {
  server = await startAppProcess({ DATA_DIR }, 4);
  ({ api_id } = (await call('POST', '/v1/design-api', largeDesign('large', 0))) as { api_id: string });
  for (let version = 1; version <= versions; version += 1) {
    await call('PATCH', `/v1/design-api/${api_id}`, { inputs: largeDesign('large', version).inputs });
    await call('POST', `/v1/design-api/${api_id}/publish`);
    await call('POST', '/v1/design-api', largeDesign(`draft-${version}`, version));
  }
  let previous_search_id: string | undefined;
  for (let search = 0; search < versions; search += 1) {
    const prompt = 'Who designed the Heron Point Lighthouse?'.padEnd(requestLimits.prompt_characters, ` ${search}`);
    const answer = await call('POST', '/v1/search', { prompt, previous_search_id });
    previous_search_id = (answer as { search_id: string }).search_id;
    search_id = previous_search_id;
  }
  prober = await startProber({ url: server.url, pid: server.child.pid });
  if (isLong) figures.push(await probeAtRest(prober));
}, 600_000);
afterAll(async () => {
  const whole = await prober.stop();
  if (isLong) console.log(`${figures.join('\n')}\nWhole: ${describeProbes(whole)}`);
  server.child.kill();
  await server.ended;
});

/** A design of nearly a megabyte, most of it the allowed values of an input. */
function largeDesign(api_stub: string, version: number) {
  const text = (n: number) => `${version}-${n}-`.padEnd(designLimits.input_characters / 2, 'x');
  const values = Array.from({ length: designLimits.enum_values }, (_, n) => text(n));
  return { name: 'Large', api_stub, prompt: '{{a}}', inputs: { a: { type: 'string', enum: values } } };
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const { status, text } = await ask(0, path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(status, text.slice(0, 500)).toBeLessThan(300);
  return JSON.parse(text);
}

async function ask(key: number, path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const headers = { 'x-api-key': server.keys[key]!, 'content-type': 'application/json' };
  const response = await fetch(server.url + path, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

it.each<[string, number, () => string]>([
  ['the versions of a published API', 1, () => '/v1/published-service/large?limit=100'],
  ['the document of a published API', 1, () => '/v1/published-service/large/openapi.json'],
  ['the published APIs', 2, () => '/v1/published-service?limit=100'],
  ['the versions of an own design', 0, () => `/v1/design-api/${api_id}/versions?limit=100`],
  ['the own designs', 0, () => '/v1/design-api?limit=100'],
  ['an own design', 0, () => `/v1/design-api/${api_id}`],
  ['an own search', 0, () => `/v1/search/${search_id}`],
  ['the own searches', 0, () => '/v1/search?limit=100'],
  ['the usage', 0, () => '/v1/usage'],
])(
  'lists %s in pages of few megabytes, for many readers at the same time',
  async (what, key, path) => {
    await prober.restart();
    let largest = 0;
    const begun = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(Array.from({ length: readers }, () => ask(key, path())));
      for (const { status, text } of answers) {
        expect([200, 429]).toContain(status);
        largest = Math.max(largest, text.length);
      }
    }
    const report = await prober.restart();
    expect(report.failures).toBe(0);
    expect(largest).toBeLessThan(maxPageBytes);
    const each = (performance.now() - begun) / (rounds * readers);
    figures.push(`${what}: up to ${largest} bytes, ${each.toFixed(1)} ms each; ${describeProbes(report)}`);
  },
  600_000,
);
