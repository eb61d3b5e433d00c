/**
 * Bodies that are as heavy as can be do not keep the server from answering others. `TEST_LONG=1` sends each of them twenty
 * times and prints how long /healthz waited, per body.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInBy } from '../support/browser/browser-session.ts';
import { whoDesigned } from '../support/design.ts';
import { describeProbes, type Prober, probeAtRest, startProber } from '../support/prober.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { asHeavyAsMayBe, type HeavyBody, heavyDesigns, longPrompts, tooHeavy } from './heavy-bodies.ts';

const isLong = process.env.TEST_LONG === '1';
const rounds = isLong ? 20 : 1;
const DATA_DIR = temporaryFolder();

let server: AppProcess;
let prober: Prober;
let atRest = '';
let browser: Record<string, string>;
const figures: string[] = [];

beforeAll(async () => {
  server = await startAppProcess({ DATA_DIR, TRANSPORT: process.env.TEST_TRANSPORT ?? 'auto' }, isLong ? 60 : 5);
  const { cookie, csrf } = await signInBy(server, new URL(server.links[0]!).hash.slice(1));
  browser = { cookie, origin: server.url, 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf };
  for (const [api_stub, fields] of Object.entries({ 'who-designed': {}, ...heavyDesigns })) {
    const text = JSON.stringify({ ...whoDesigned, api_stub, ...fields });
    const design = { what: api_stub, method: 'POST', path: '/v1/design-api', text } as const;
    for (const key of server.keys) expect((await send(design, key)).status).toBe(201);
  }
  prober = await startProber({ url: server.url, pid: server.child.pid, everyMs: 2 });
  if (isLong) atRest = await probeAtRest(prober);
});
afterAll(async () => {
  const whole = await prober.stop();
  if (isLong) {
    console.log(
      `${atRest}\nWhat the event loop computed while /healthz waited, for each body: median (min–max)\n${figures.join('\n')}\n${describeProbes(whole)}`,
    );
  }
  server.child.kill();
  await server.ended;
});

let sent = 0;
function send({ method, path, text, byBrowser }: HeavyBody, key?: string): Promise<Response> {
  sent += 1;
  const by = byBrowser ? browser : { 'x-api-key': key ?? server.keys[sent % server.keys.length]! };
  const headers = { ...by, 'content-type': 'application/json', 'idempotency-key': `k${sent}` };
  return fetch(server.url + path, { method, headers, body: text });
}

/** The issues of the answer, after the body was sent as often as this form does. */
async function sendOften(body: HeavyBody, status = 422): Promise<{ loc: unknown[]; msg: string; type: string }[]> {
  const waits: number[] = [];
  let detail: { loc: unknown[]; msg: string; type: string }[] = [];
  let length = 0;
  await prober.restart();
  for (let round = 0; round < rounds; round += 1) {
    const response = await send(body);
    const answer = await response.text();
    expect(response.status, answer.slice(0, 500)).toBe(status);
    length = answer.length;
    ({ detail } = JSON.parse(answer));
    const { loop_max_ms, failures } = await prober.restart();
    expect(failures).toBe(0);
    waits.push(loop_max_ms);
  }
  waits.sort((a, b) => a - b);
  const [least, median, most] = [waits[0]!, waits[rounds >> 1]!, waits.at(-1)!].map((ms) => ms.toFixed(1));
  const kilobytes = Math.round(body.text.length / 1000);
  figures.push(`${median!.padStart(7)} ms (${least}–${most}) ${body.what}, ${kilobytes} KB, answer of ${length} bytes`);
  expect(length).toBeLessThan(50_000);
  return detail;
}

describe('a body that holds too much', () => {
  it.each(tooHeavy)('is refused by what is counted on its text: $what', async (body) => {
    const detail = await sendOften(body);
    expect(detail).toHaveLength(1);
    const { loc, type } = body.refusedBy!;
    expect(detail[0]!.type).toBe(type);
    // The first thing that is too much may be inside of the one that is named.
    expect(detail[0]!.loc.slice(0, loc.length)).toEqual(loc);
    expect(detail[0]!.msg).toMatch(/^expected at most \d+ ((keys|values) in total; got more|characters; got \d+)$/);
  });
});

describe('a body that holds as much as it may', () => {
  it.each(asHeavyAsMayBe)('is refused by its schema, with few and short issues: $what', async (body) => {
    const detail = await sendOften(body);
    expect(detail.length).toBeLessThanOrEqual(20);
    for (const { msg } of detail) expect(msg.length).toBeLessThan(500);
  });
});

describe('a prompt as long as it may be', () => {
  it.each(longPrompts)('is answered: $what', async (body) => {
    await sendOften(body, 200);
  });
});
