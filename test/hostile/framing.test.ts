/**
 * Malicious requests. Whatever comes, the process survives, logs no error, answers the next request, and never runs a request
 * that is smuggled inside another: the smuggled one asks for /asyncapi.json, so that an answer to it cannot be overlooked.
 * `TEST_LONG=1` cuts every row at every byte, and sends 20,000 requests with changed bytes.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/support/random.ts';
import type { KeyUsage } from '../../protocol/index.ts';
import { countAnswers, handledIn, outcomeOf } from '../support/clients/answers.ts';
import { chunk, chunked, last, length, question, useRawApp } from '../support/clients/raw-app.ts';
import { connectRaw, statusesIn } from '../support/clients/raw-client.ts';
import { describeProbes, startProber } from '../support/prober.ts';
import { startAppProcess } from '../support/processes/app-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeNative, isNative, itNative } from '../support/transport.ts';
import { framingRows, hidden } from './framing-rows.ts';

const isLong = process.env.TEST_LONG === '1';

const raw = useRawApp();
const { post, sendAll } = raw;

/** That the last key has started no search, nor spent anything on one. */
async function expectNoSearch(): Promise<void> {
  const usage = (await (await raw.app.get('/v1/usage', { 'x-api-key': raw.lastKey() })).json()) as KeyUsage;
  expect(usage.days.reduce((sum, { searches }) => sum + searches, 0)).toBe(0);
}

function expectNotRun(text: string): void {
  expect(text).not.toContain('asyncapi');
}

describe('the law of framing', () => {
  it.each(framingRows)(
    'does with $name what is documented, whole and cut in two, and no more',
    { timeout: 300_000 },
    async (row) => {
      const { request, native, portable, nativeInTwo } = row;
      const expected = isNative ? native : portable;
      const before = await countAnswers(raw.app, 'asyncapi');
      // An answer may be ready before its body turns out to be malformed.
      const handled = [handledIn(expected), Math.max(1, handledIn(expected))];
      let counted = Number.NaN;
      // A late answer to a connection that was cut before may be counted here: a request too many comes every time.
      for (let attempt = 0; attempt < 4 && !handled.includes(counted); attempt += 1) {
        const { all } = await countAnswers(raw.app, 'asyncapi');
        expect(await outcomeOf(raw.app, [request], [expected])).toBe(expected);
        // One is the request that `outcomeOf` makes afterwards.
        counted = (await countAnswers(raw.app, 'asyncapi')).all - all - 1;
      }
      expect(handled).toContain(counted);

      const allowed = isNative ? [native, nativeInTwo] : [portable];
      const cuts = cutsOf(request);
      const others: string[] = [];
      const check = async () => {
        for (let at = cuts.pop(); at !== undefined; at = cuts.pop()) {
          const outcome = await outcomeOf(raw.app, [request.slice(0, at), request.slice(at)], allowed);
          if (!allowed.includes(outcome)) others.push(`cut at ${at}: ${outcome}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, check));
      expect(others).toEqual([]);
      expect((await countAnswers(raw.app, 'asyncapi')).hidden).toBe(before.hidden);
    },
  );
});

describe('changed bytes', () => {
  const count = isLong ? 20_000 : 200;

  it(`survives ${count} requests with changed bytes, and serves others meanwhile`, { timeout: 600_000 }, async () => {
    const server = await startAppProcess({ DATA_DIR: temporaryFolder(), TRANSPORT: isNative ? 'auto' : 'node' });
    await using prober = await startProber({ url: server.url, pid: server.child.pid });
    const seen = new Map<string, number>();
    const random = createRandom(1);
    const requests = Array.from({ length: count }, (_, n) =>
      change(framingRows[n % framingRows.length]!.request, random),
    );
    const sendRest = async () => {
      for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
        const client = await connectRaw(server.url);
        client.socket.end(Buffer.from(request, 'latin1'));
        await Promise.race([client.ended, new Promise((resolve) => setTimeout(resolve, 100))]);
        const [status = 'no answer'] = statusesIn(client.text());
        seen.set(String(status), (seen.get(String(status)) ?? 0) + 1);
        client.leave();
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendRest));
    const report = await prober.stop();
    if (isLong)
      console.log(`${count} changed requests: ${JSON.stringify(Object.fromEntries(seen))}; ${describeProbes(report)}`);
    expect([...seen.keys()].filter((status) => status.startsWith('5') && status !== '505')).toEqual([]);
    expect(report.failures).toBe(0);
    expect(server.log()).toBe('');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

/** One to three bytes of it replaced, removed or doubled. */
function change(request: string, random: () => number): string {
  let changed = request.slice(0, 2_000);
  for (let times = Math.ceil(3 * random()); times > 0; times -= 1) {
    const at = Math.floor(random() * changed.length);
    const kept = Math.floor(random() * 3);
    const byte = [String.fromCharCode(Math.floor(random() * 256)), '', changed[at]! + changed[at]!][kept]!;
    changed = changed.slice(0, at) + byte + changed.slice(at + 1);
  }
  return changed;
}

/** Where to cut a request: after its first byte and between its head and its body; in the long form, everywhere. */
function cutsOf(request: string): number[] {
  const all = Array.from({ length: request.length - 1 }, (_, at) => at + 1);
  const few = [1, request.indexOf('\r\n\r\n') + 4];
  return all.filter((at) => few.includes(at) || (isLong && (at < 400 || at % 997 === 0)));
}

describe('a body with an ambiguous end', () => {
  const hiddenAfterChunks = `0\r\n\r\n${hidden}`;
  it.each<readonly [string, string, string]>([
    ['two lengths, the same', length(5) + length(5), `12345${hidden}`],
    ['two lengths, the first shorter', length(0) + length(hidden.length), hidden],
    ['two lengths, the second shorter', length(hidden.length) + length(0), hidden],
    ['a list of lengths', 'Content-Length: 5, 5\r\n', `12345${hidden}`],
    ['a length and chunks', length(hiddenAfterChunks.length) + chunked, hiddenAfterChunks],
    ['chunks and a length', chunked + length(hiddenAfterChunks.length), hiddenAfterChunks],
    ['chunks twice', chunked + chunked, hiddenAfterChunks],
    ['chunks, then not', `${chunked}Transfer-Encoding: identity\r\n`, hiddenAfterChunks],
    ...['identity', 'gzip', 'gzip, chunked', 'chunked, identity', 'xchunked', 'chunked;a=b', '"chunked"', ',', ''].map(
      (coding) =>
        [`the coding ${JSON.stringify(coding)}`, `Transfer-Encoding: ${coding}\r\n`, hiddenAfterChunks] as const,
    ),
    ['an empty coding and a length', `Transfer-Encoding:\r\n${length(hiddenAfterChunks.length)}`, hiddenAfterChunks],
    ['a vertical tab before the coding', 'Transfer-Encoding: \x0bchunked\r\n', hiddenAfterChunks],
    ...['+5', '-5', '0x5', '5abc', '1e1', '5.0', '', '\u0665', '9'.repeat(20), '18446744073709551621', '5\0'].map(
      (value) => [`the length ${JSON.stringify(value)}`, `Content-Length: ${value}\r\n`, `12345${hidden}`] as const,
    ),
    ...['Content-Length ', 'Content-Length\t', '\0Content-Length', 'Content-Length\x0b', 'Content-\0Length'].map(
      (name) => [`the header ${JSON.stringify(name)}`, `${name}: ${hidden.length}\r\n`, hidden] as const,
    ),
    ...['Transfer-Encoding ', ' Transfer-Encoding', 'Transfer-Encoding\t', 'Transfer\0-Encoding'].map(
      (name) =>
        [
          `the header ${JSON.stringify(name)}`,
          `${length(hiddenAfterChunks.length)}${name}: chunked\r\n`,
          hiddenAfterChunks,
        ] as const,
    ),
    ['a folded coding', `Transfer-Encoding:\r\n chunked\r\n`, hiddenAfterChunks],
    ['a folded length', `X-A: a\r\n Content-Length: 5\r\n`, `12345${hidden}`],
    ['a length after a bare line feed', `X-A: a\nContent-Length: 5\r\n`, `12345${hidden}`],
  ])('runs no request hidden after a body with %s', async (_, lines, body) => {
    const text = await sendAll(await post(lines, body));
    expectNotRun(text);
    expect([[], [400]]).toContainEqual(statusesIn(text));
  });

  itNative(
    'waits for the end of the headers after a bare carriage return, which the native server does not take for one',
    async () => {
      const client = await connectRaw(raw.app.url);
      client.send(await post('X-A: a\rContent-Length: 5\r\n', `12345${hidden}`));
      expect((await fetch(`${raw.app.url}/healthz`)).status).toBe(200);
      expect(client.text()).toBe('');
      client.leave();
    },
  );
});

describe('an upgrade to what this server does not speak', () => {
  const toHttp2 = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
  const lines = `${toHttp2}${length(question.length)}`;

  it('ignores an unsupported upgrade: answers the request, and the next one on the connection', async () => {
    const request = await post(lines, question);
    const client = await connectRaw(raw.app.url);
    client.send(request.slice(0, -9));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.send(request.slice(-9));
    await client.until((text) => text.includes('Heron'));
    client.send(last);
    expect(statusesIn(await client.ended)).toEqual([200, 200]);
  });

  it('ignores an unsupported upgrade of a request for events', async () => {
    const text = await sendAll(await post(`Accept: text/event-stream\r\nConnection: close\r\n${lines}`, question));
    expect(text).toContain('event: search.completed');
  });

  it('runs no request hidden after an unsupported upgrade', async () => {
    expectNotRun(await sendAll(await post(`${toHttp2}${length(0)}${length(hidden.length)}`, hidden)));
  });
});

describeNative('requests after chunks', () => {
  it('answers a chunked request, and closes', async () => {
    const text = await sendAll(
      await post(chunked, `${chunk(question.slice(0, 9))}${chunk(question.slice(9))}0\r\n\r\n`),
    );
    expect(statusesIn(text)).toEqual([200]);
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  it('ends the events that answer a chunked request with a last chunk, runs nothing after it, and closes', async () => {
    const client = await connectRaw(raw.app.url);
    client.send(await post(`${chunked}Accept: text/event-stream\r\n`, `${chunk(question)}0\r\n\r\n`));
    const text = await client.until((so) => so.includes('event: search.completed') && so.endsWith('\r\n0\r\n\r\n'));
    const [head, ...events] = text.split('\r\n\r\n');
    expect(head!.toLowerCase()).toContain('\r\nconnection: close');
    expect(events.join().toLowerCase()).not.toContain('connection:');
    client.send(hidden);
    expectNotRun((await client.ended).slice(text.length));
  });

  it.each([
    ['a second request', `${chunk('{}')}0\r\n\r\n${hidden}`],
    ['a request after a trailer that has the form of one', `${chunk('{}')}0\r\nX:${hidden}`],
    ['a request in place of a trailer', `${chunk('{}')}0\r\n${hidden}`],
    ['a request after a chunk that ends wrongly', `2\r\n{}XX0\r\nYY${hidden}`],
    ['a request after bare line feeds', `2\n{}\n0\n\n${hidden}`],
  ])('runs no request hidden in or after chunks: %s', async (_, body) => {
    for (const path of ['/v1/search', '/nothing', '/healthz']) {
      const request = (await post(chunked, body)).replace('/v1/search', path);
      expectNotRun(await sendAll(request));
      const client = await connectRaw(raw.app.url);
      const at = request.length - hidden.length;
      client.send(request.slice(0, at));
      await new Promise((resolve) => setImmediate(resolve));
      client.send(request.slice(at));
      expectNotRun(await client.ended);
    }
  });

  it.each([
    ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a size with a sign', '+2\r\n{}\r\n0\r\n\r\n'],
    ['a size in words', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a size with 0x', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a size of 68 bits', 'fffffffffffffffff\r\n{}'],
    ['no size', '\r\n{}\r\n0\r\n\r\n'],
    ['an extension of 1,000 characters', `2;${'a'.repeat(1_000)}\r\n{}\r\n0\r\n\r\n`],
    ['a trailer, which the native server does not know', `${chunk(question)}0\r\nX-A: b\r\n\r\n`],
  ])('runs no search for chunks with %s', async (_, body) => {
    const [status] = statusesIn(await sendAll(await post(chunked, body)));
    expect([400, 422, 505]).toContain(status);
    await expectNoSearch();
  });

  it.each([
    ['a size of 2 GB', '7fffffff\r\n{}'],
    ['an extension, which the native server does not know', `2;a=b\r\n{}\r\n0\r\n\r\n`],
  ])('runs no search and waits for the rest of chunks with %s', async (_, body) => {
    const client = await connectRaw(raw.app.url);
    client.send(await post(chunked, body));
    expect((await fetch(`${raw.app.url}/healthz`)).status).toBe(200);
    await expectNoSearch();
    expect(client.text()).toBe('');
    client.leave();
  });
});

describe('headers', () => {
  const flood = (count: number, name: string, value: string) =>
    Array.from({ length: count }, (_, n) => `${name}${n}: ${value}\r\n`).join('');

  it('accepts 90 headers of 12 KiB together', async () => {
    const many = `GET /healthz HTTP/1.1\r\nHost: a\r\n${flood(90, 'X-', 'a'.repeat(100))}Connection: close\r\n\r\n`;
    expect(statusesIn(await sendAll(many))).toEqual([200]);
  });

  it.each([
    ['200 headers', flood(200, 'X-', 'a')],
    ['20,000 headers', flood(20_000, 'X-', 'a')],
    ['one of 17 KiB', `X: ${'a'.repeat(17 * 1024)}\r\n`],
    ['one of 4 MiB', `X: ${'a'.repeat(4 * 1024 * 1024)}\r\n`],
    ['2,000 cookies', flood(2_000, 'Cookie', 'a=b')],
    ['a name of 20 KiB', `${'X'.repeat(20 * 1024)}: a\r\n`],
  ])('answers 431 to %s', async (_, lines) => {
    const text = await sendAll(`GET /healthz HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
    // More of them than the server reads: its answer may be lost to the reset that follows.
    expect([[431], [400], []]).toContainEqual(statusesIn(text));
    if (lines.length < 100_000) expect(statusesIn(text)).not.toEqual([]);
  });

  it('never lets bytes of a header value into its own headers', async () => {
    const lines = 'Accept: text/event-stream\r\nOrigin: http://a\xff\xfeb\r\nX-Request-Id: 1\r\nCookie: \xf0\x9f\r\n';
    const text = await sendAll(
      Buffer.from(`GET /nothing HTTP/1.1\r\nHost: a\r\n${lines}Connection: close\r\n\r\n`, 'latin1'),
    );
    expect(statusesIn(text)).toEqual([404]);
    expect(text).not.toContain('access-control');
  });
});
