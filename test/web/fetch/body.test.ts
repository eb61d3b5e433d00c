/** Bodies as servers really send them: whole, cut anywhere, in several members, shorter or longer than they say. */
import { once } from 'node:events';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher, type Fetcher } from '../../../src/web/fetch/fetch.ts';
import { PageError } from '../../../src/web/page-error.ts';
import { serveSocket, type TestSite } from '../serve.ts';

interface Sent {
  readonly encoding?: string;
  readonly body: Buffer;
  /** The Content-Length; without one, the end of the connection is the end of the body. */
  readonly length?: number;
  /** Bytes in one write; everything by default. */
  readonly piece?: number;
}

const text = 'The tide comes in twice a day; the tide goes out twice a day.';
const plain = Buffer.from(text);
const codings: Record<string, { readonly encoding: string; readonly body: Buffer }> = {
  gzip: { encoding: 'gzip', body: gzipSync(text) },
  brotli: { encoding: 'br', body: brotliCompressSync(text) },
  deflate: { encoding: 'deflate', body: deflateSync(text) },
  'deflate without its header': { encoding: 'deflate', body: deflateRawSync(text) },
  'gzip in gzip': { encoding: 'gzip, gzip', body: gzipSync(gzipSync(text)) },
};

let site: TestSite;
let fetcher: Fetcher;
const pages: Sent[] = [];

beforeAll(async () => {
  site = await serveSocket(async (socket) => {
    const [request] = await once(socket, 'data');
    const { encoding, body, length, piece = body.length } = pages[Number(/^GET \/(\d+)/.exec(String(request))![1])]!;
    socket.setNoDelay(true);
    socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n');
    if (encoding !== undefined) socket.write(`Content-Encoding: ${encoding}\r\n`);
    socket.write(length === undefined ? '\r\n' : `Content-Length: ${length}\r\n\r\n`);
    for (let at = 0; at < body.length; at += piece) {
      socket.write(body.subarray(at, at + piece));
      if (piece < body.length) await new Promise((resolve) => setImmediate(resolve));
    }
    socket.end();
  });
  fetcher = createFetcher({ allowHosts: ['127.0.0.1'] });
});

afterAll(async () => {
  await Promise.all([fetcher.close(), site.close()]);
});

/** The text that was read, or the code of the PageError. */
async function read(sent: Sent): Promise<string> {
  const url = `${site.base}/${pages.push(sent) - 1}`;
  try {
    return (await fetcher.fetch({ url }, AbortSignal.timeout(20_000))).body.toString();
  } catch (error) {
    expect(error).toBeInstanceOf(PageError);
    return (error as PageError).code;
  }
}

/** Every beginning of the bytes, from none to all but the last. */
const beginnings = (body: Buffer) => Array.from({ length: body.length }, (_, length) => body.subarray(0, length));

describe('a body with a content coding', () => {
  it.each(Object.keys(codings))('reads %s whole, in one piece and byte by byte', async (name) => {
    const { encoding, body } = codings[name]!;
    expect(await read({ encoding, body, length: body.length })).toBe(text);
    expect(await read({ encoding, body, length: body.length, piece: 1 })).toBe(text);
    expect(await read({ encoding, body })).toBe(text);
  });

  it.each(['none', 'UTF-8', 'binary', 'aws-chunked', ' ,identity'])(
    'reads what is called %s and has none',
    async (encoding) => {
      expect(await read({ encoding, body: plain, length: plain.length })).toBe(text);
    },
  );

  it('undoes the coding beside a name that is none', async () => {
    const body = gzipSync(text);
    expect(await read({ encoding: 'gzip, utf-8', body, length: body.length })).toBe(text);
  });

  it('refuses a coding that it does not know', async () => {
    expect(await read({ encoding: 'zstd', body: plain, length: plain.length })).toBe('unsupported_type');
  });

  it.each(Object.keys(codings))('refuses %s that is cut at any byte', async (name) => {
    const { encoding, body } = codings[name]!;
    const [nothing, ...cut] = await Promise.all(
      beginnings(body).map((start) => read({ encoding, body: start, length: start.length })),
    );
    expect(nothing).toBe('');
    expect(cut).toEqual(cut.map(() => 'unreachable'));
  });

  it('refuses a longer gzip that is cut in half, whatever the cut has unpacked to', async () => {
    const body = gzipSync(Array.from({ length: 20_000 }, (_, n) => `Line ${n * 7919}.`).join('\n'));
    const half = body.subarray(0, body.length / 2);
    expect(await read({ encoding: 'gzip', body: half, length: half.length })).toBe('unreachable');
    expect(await read({ encoding: 'gzip', body: half })).toBe('unreachable');
  });

  it('reads a gzip of several members, and refuses it when the last one is cut at any byte', async () => {
    const first = gzipSync(text.slice(0, 20));
    const rest = gzipSync(text.slice(20));
    expect(await read({ encoding: 'gzip', body: Buffer.concat([first, rest]) })).toBe(text);
    const [whole, ...cut] = await Promise.all(
      beginnings(rest).map((start) => read({ encoding: 'gzip', body: Buffer.concat([first, start]) })),
    );
    // Nothing says that another member was to follow.
    expect(whole).toBe(text.slice(0, 20));
    expect(cut).toEqual(cut.map(() => 'unreachable'));
  });

  it.each([
    ['gzip', 'zeros', Buffer.alloc(20), text],
    ['gzip', 'text', Buffer.from('garbage'), 'parse_failed'],
    ['deflate', 'text', Buffer.from('garbage'), text],
    ['brotli', 'text', Buffer.from('garbage'), text],
  ])('ends as documented when %s is followed by %s', async (name, _, garbage, ends) => {
    const { encoding, body } = codings[name]!;
    expect(await read({ encoding, body: Buffer.concat([body, garbage]) })).toBe(ends);
  });

  it('refuses a gzip whose checksum is wrong', async () => {
    const body = gzipSync(text);
    body[body.length - 6]! ^= 1;
    expect(await read({ encoding: 'gzip', body })).toBe('parse_failed');
  });
});

describe('a body whose Content-Length is wrong', () => {
  it('reads only as much as it says when more is sent, and refuses a coding cut that way', async () => {
    expect(await read({ body: plain, length: 20 })).toBe(text.slice(0, 20));
    const { encoding, body } = codings.gzip!;
    expect(await read({ encoding, body, length: 20 })).toBe('unreachable');
  });

  it('refuses a body that is shorter than it says', async () => {
    expect(await read({ body: plain, length: 200 })).toBe('unreachable');
    expect(await read({ ...codings.gzip!, length: 200 })).toBe('unreachable');
    expect(await read({ body: Buffer.alloc(0), length: 200 })).toBe('unreachable');
  });
});
