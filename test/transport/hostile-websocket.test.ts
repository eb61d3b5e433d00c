/** Hostile and broken upgrades, frames and clients of the WebSocket. Whatever comes, the process lives and logs no internal error. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type KeyUsage, type SearchFrame, sessionLimits } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import {
  connectRaw,
  connectRawSocket,
  encodeFrame,
  handshake,
  opcodes,
  statusesIn,
} from '../support/clients/raw-client.ts';
import { connect, type Frame, Refused } from '../support/clients/ws-client.ts';
import { largeImage } from '../support/image.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { isNative } from '../support/transport.ts';

const page = 'https://chat.example.org';
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const ping = (ref: string) => JSON.stringify({ type: 'ping', ref });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: page });
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  expect(app.faults).toEqual([]);
});

/** A key of an account of its own, so that no test meets another's limits. */
async function newKey(plan: 'starter' | 'pro' = 'pro'): Promise<string> {
  return (await app.accounts.createKey({ name: 'hostile', plan })).plaintext;
}
const open = async () => connect(app.url, { 'x-api-key': await newKey() }, ['citewire.v1']);
const openRaw = async () => connectRawSocket(app.url, { 'X-API-Key': await newKey() });
const ofType = (type: string) => (frame: Frame) => frame.type === type;
const errorOf = (frame: Frame) => frame.error as { code: string; message: string; issues?: { loc: unknown[] }[] };

describe('the upgrade', () => {
  async function answerTo(headers: Record<string, string | undefined>): Promise<[number | undefined, string]> {
    const client = await connectRaw(app.url);
    client.send(handshake({ 'X-API-Key': await newKey(), ...headers }));
    const text = await client.until((each) => each.includes('\r\n\r\n'));
    client.leave();
    return [statusesIn(text)[0], text];
  }

  it('accepts an upgrade with nothing but a key', async () => {
    expect((await answerTo({}))[0]).toBe(101);
  });

  it.each<[number, Record<string, string | undefined>]>([
    [426, { 'Sec-WebSocket-Version': '12' }],
    [426, { 'Sec-WebSocket-Version': undefined }],
    [426, { Upgrade: undefined }],
    [426, { Upgrade: 'h2c' }],
    [426, { Connection: undefined }],
    [426, { Connection: 'keep-alive' }],
    [426, { 'Sec-WebSocket-Key': undefined }],
    [426, { 'Sec-WebSocket-Key': 'abc' }],
    [422, { 'Sec-WebSocket-Key': '!'.repeat(24) }],
    [422, { 'Sec-WebSocket-Protocol': 'graphql-ws' }],
    [422, { 'Sec-WebSocket-Protocol': 'CITEWIRE.V1' }],
    [401, { 'X-API-Key': undefined }],
    [401, { 'X-API-Key': 'cw_nobody' }],
    [403, { Origin: 'https://evil.example' }],
    [403, { Origin: 'null' }],
    [403, { Origin: `https://${'e'.repeat(3_000)}.example` }],
  ])('answers an invalid upgrade with %i over HTTP (%#)', async (status, headers) => {
    const [got, text] = await answerTo(headers);
    expect(got).toBe(status);
    if (status === 426) expect(text).toContain('sec-websocket-version: 13');
  });

  it('refuses an upgrade with two Sec-WebSocket-Keys', async () => {
    const client = await connectRaw(app.url);
    client.send(handshake({ 'X-API-Key': app.key, Cookie: 'a\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' }));
    expect(statusesIn(await client.until((text) => text.includes('\r\n\r\n')))).toEqual([422]);
    client.leave();
  });

  it('answers 405 to an upgrade by another method than GET, which takes no connection of its key', async () => {
    const headers = { 'X-API-Key': await newKey() };
    for (let n = 0; n <= plans.pro.connections_per_key; n++) {
      const client = await connectRaw(app.url);
      client.send(handshake(headers).replace('GET', 'POST'));
      expect(statusesIn(await client.until((text) => text.includes('\r\n\r\n')))).toEqual([405]);
      client.leave();
    }
    expect((await answerTo(headers))[0]).toBe(101);
  });

  it('cuts off an upgrade with a body', async () => {
    for (const headers of [{ 'Transfer-Encoding': 'chunked' }, { 'Content-Length': '5' }] as Record<string, string>[]) {
      const client = await connectRaw(app.url);
      client.send(`${handshake({ 'X-API-Key': app.key, ...headers })}0\r\n\r\n`);
      expect(await client.ended).toBe('');
    }
  });

  it('handles no other request that comes with an upgrade', async () => {
    const client = await connectRaw(app.url);
    client.send(`${handshake({ 'X-API-Key': app.key })}GET /asyncapi.json HTTP/1.1\r\nHost: a\r\n\r\n`);
    client.socket.end();
    expect(await client.ended).not.toContain('asyncapi');
  });

  it('accepts or cuts off an upgrade that also says "Connection: close", nothing in between', async () => {
    for (const Connection of ['close\r\nConnection: Upgrade', 'Upgrade\r\nConnection: close', 'close, Upgrade']) {
      const client = await connectRaw(app.url);
      client.send(handshake({ 'X-API-Key': await newKey(), Connection }));
      client.socket.end();
      const [status] = statusesIn(await client.ended);
      expect([undefined, 101]).toContain(status);
    }
  });

  it('opens sockets that stay open, for keys that were never used before', async () => {
    for (let n = 0; n < 30; n++) {
      const client = await open();
      client.send(ping('open'));
      await client.next(({ ref }) => ref === 'open');
      client.close();
    }
  });

  it('answers with the subprotocol if it was offered, and never with a ticket', async () => {
    const mine = (await answerTo({ 'Sec-WebSocket-Protocol': `ticket.${'a'.repeat(43)}, citewire.v1` }))[1];
    expect(mine.toLowerCase()).toContain('sec-websocket-protocol: citewire.v1\r\n');
    expect(mine).not.toContain('ticket');
    expect((await answerTo({}))[1].toLowerCase()).not.toContain('sec-websocket-protocol');
  });

  it('charges a unit for an upgrade, and answers 429 when none is left', async () => {
    const key = await newKey('starter');
    for (let used = 0; used < 10; used++) (await connect(app.url, { 'x-api-key': key })).close();
    await expect(connect(app.url, { 'x-api-key': key })).rejects.toEqual(new Refused(429));
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['from an unknown origin', { origin: 'https://evil.example' }, 4403, 'forbidden'],
    ['from an origin of many bytes', { origin: `https://${'ü'.repeat(200)}.example` }, 4403, 'forbidden'],
    ['without a ticket', { origin: page }, 4401, 'unauthorized'],
  ])('accepts the upgrade of a page %s, sends it the error, and closes', async (_, headers, close, code) => {
    const client = await connect(app.url, headers, ['citewire.v1']);
    const error = await client.next(ofType('error'));
    expect(errorOf(error).code).toBe(code);
    expect((await client.closed).code).toBe(close);
    expect(client.received).toHaveLength(1);
  });

  it('ignores the frames of a page whose upgrade is refused', async () => {
    const client = await connect(app.url, { origin: 'https://evil.example' });
    client.send({ type: 'search.start', ref: 'a', request: question });
    expect((await client.closed).code).toBe(4403);
    expect(client.received).toHaveLength(1);
  });
});

describe('a frame', () => {
  it.each<[string, string | Buffer]>([
    ['no JSON', '{"type":'],
    ['one byte', 'x'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a list with a type', '["type"]'],
    ['null', 'null'],
    ['a number', '1'],
    ['no type', '{"ref":"a"}'],
    ['a type that is no string', '{"type":1}'],
    ['an inherited type', '{"__proto__":{"type":"ping"}}'],
    ['a binary frame', Buffer.from(ping('a'))],
    ['a binary frame of one byte', Buffer.from([0])],
    ['a binary frame of nothing', Buffer.alloc(0)],
    ['100,000 open brackets', '['.repeat(100_000)],
  ])('answers two invalid frames with errors and closes the connection at the third: %s', async (_, content) => {
    const client = await open();
    for (let strike = 0; strike < 5; strike++) client.raw.send(content, { binary: Buffer.isBuffer(content) });
    expect((await client.closed).code).toBe(4400);
    expect(client.received.map(({ type }) => type)).toEqual([
      'session.ready',
      'error',
      'error',
      'error',
      'session.closing',
    ]);
    expect(client.received.at(-1)).toMatchObject({ code: 4400, resume: false });
  });

  it.each(['search.begin', '', 'constructor', '__proto__', 'toString', 'x'.repeat(900_000), 'session.ready'])(
    'answers a frame of unknown type with its ref, and keeps the connection open (%#)',
    async (type) => {
      const client = await open();
      for (let sent = 0; sent < 5; sent++) client.send({ type, ref: 'mine' });
      client.send(ping('still'));
      expect(errorOf(await client.next(({ ref }) => ref === 'mine'))).toMatchObject({ code: 'unknown_type' });
      await client.next(({ ref }) => ref === 'still');
      client.close();
    },
  );

  it.each<[unknown, unknown[]]>([
    [{ type: 'ping' }, ['body', 'ref']],
    [{ type: 'ping', ref: '' }, ['body', 'ref']],
    [{ type: 'ping', ref: 'r'.repeat(129) }, ['body', 'ref']],
    [{ type: 'ping', ref: 'a', more: 1 }, ['body', 'more']],
    [{ type: 'search.start', ref: 'a' }, ['body', 'request']],
    [{ type: 'search.start', ref: 'a', request: 'text' }, ['body']],
    [{ type: 'search.start', ref: 'a', request: null }, ['body']],
    [{ type: 'search.start', ref: 'a', request: [] }, ['body']],
    [{ type: 'search.start', ref: 'a', request: {} }, ['body', 'prompt']],
    [{ type: 'search.start', ref: 'a', request: { ...question, colour: 1 } }, ['body', 'colour']],
    [{ type: 'search.start', ref: 'a', request: question, on_disconnect: 'never' }, ['body', 'on_disconnect']],
    [{ type: 'search.start', ref: 'a', request: { prompt: ['a'] } }, ['body', 'prompt']],
    [{ type: 'search.resume', ref: 'a', search_id: 's', after_seq: -1 }, ['body', 'after_seq']],
    [{ type: 'search.resume', ref: 'a', search_id: 's', after_seq: 1.5 }, ['body', 'after_seq']],
    [{ type: 'search.resume', ref: 'a', search_id: 's', after_seq: 1e300 }, ['body', 'after_seq']],
    [{ type: 'search.resume', ref: 'a', search_id: 's' }, ['body', 'after_seq']],
    [{ type: 'search.cancel', ref: 'a', search_id: 7 }, ['body', 'search_id']],
    [{ type: 'search.cancel', ref: 'a', search_id: 's'.repeat(65) }, ['body', 'search_id']],
    [{ type: 'search.detach', ref: 'a' }, ['body', 'search_id']],
  ])('answers a frame with an invalid field with its location: %j', async (frame, loc) => {
    const client = await open();
    client.send(frame);
    const { code, issues } = errorOf(await client.next(ofType('error')));
    expect(code).toBe('validation_error');
    expect(issues?.map((issue) => issue.loc)).toContainEqual(loc);
    client.close();
  });

  it('cannot reach a prototype', async () => {
    const client = await open();
    client.raw.send('{"type":"ping","ref":"a","__proto__":{"polluted":1}}');
    client.raw.send('{"type":"search.start","ref":"b","request":{"prompt":"x","__proto__":{"polluted":1}}}');
    client.raw.send(
      '{"type":"search.start","ref":"c","request":{"prompt":"x","constructor":{"prototype":{"polluted":1}}}}',
    );
    for (const ref of ['a', 'b', 'c']) {
      const { code } = errorOf(await client.next((frame) => frame.ref === ref));
      expect(code).toBe('validation_error');
    }
    expect({}).not.toHaveProperty('polluted');
    client.close();
  });

  it('refuses frames that are nested 50,000 deep', async () => {
    const client = await open();
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    client.raw.send(`{"type":"search.start","ref":"a","request":${deep}}`);
    client.raw.send(`{"type":"search.start","ref":"b","request":{"prompt":"x","output_format":${deep}}}`);
    client.raw.send(`{"type":"ping","ref":"c","x":${deep}}`);
    for (const _ of ['a', 'b', 'c']) {
      expect(errorOf(await client.next(({ type }) => type === 'error')).code).toBe('bad_message');
    }
    expect((await client.closed).code).toBe(4400);
  });

  it('answers a frame above the limit with payload_too_large, and keeps the connection open', async () => {
    const client = await open();
    const { frame_bytes, frame_with_image_bytes } = sessionLimits;
    const start = (request: object) => JSON.stringify({ type: 'search.start', ref: 'a', request });
    client.raw.send(start({ prompt: 'x'.repeat(frame_bytes) }));
    client.raw.send(start({ prompt: 'é'.repeat(frame_bytes / 2) }));
    client.raw.send(start({ ...question, image: 'A'.repeat(frame_with_image_bytes) }));
    client.raw.send('x'.repeat(frame_bytes + 1));
    for (let sent = 0; sent < 4; sent++) {
      expect(errorOf(await client.next(ofType('error'))).code).toBe('payload_too_large');
    }
    const image = largeImage(frame_bytes * 2);
    const taken = start({ ...question, image });
    client.raw.send(taken);
    await client.next(ofType('search.completed'));
    client.close();
  });

  it('cuts off a connection that sends a frame over 16 MiB, the native server without a close code', async () => {
    const client = await open();
    client.raw.send('x'.repeat(17 * 1024 * 1024));
    expect((await client.closed).code).toBe(isNative ? 1006 : 1009);
  });

  it('accepts a frame in fragments with control frames between them', async () => {
    const socket = await openRaw();
    const text = ping('pieces');
    socket.send(encodeFrame(text.slice(0, 1), { isLast: false }));
    for (const byte of text.slice(1, -1)) {
      socket.send(encodeFrame(byte, { opcode: opcodes.continuation, isLast: false }));
      socket.send(encodeFrame('', { opcode: opcodes.ping }));
    }
    socket.send(encodeFrame(text.slice(-1), { opcode: opcodes.continuation }));
    expect(await socket.next(({ type }) => type === 'pong')).toMatchObject({ ref: 'pieces' });
    socket.client.leave();
  });

  it('accepts a frame that arrives byte by byte', async () => {
    const socket = await openRaw();
    socket.client.socket.setNoDelay(true);
    for (const byte of encodeFrame(ping('bytes'))) {
      socket.send(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await socket.next(({ ref }) => ref === 'bytes');
    socket.client.leave();
  });

  it.each<[string, Buffer]>([
    ['is not UTF-8', encodeFrame(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
    [
      'is not UTF-8, in pieces',
      Buffer.concat([encodeFrame(Buffer.from([0xc3]), { isLast: false }), encodeFrame('x', { opcode: 0 })]),
    ],
    ['has a surrogate in it', encodeFrame(Buffer.from([0xed, 0xa0, 0x80]))],
    ['uses a reserved bit', encodeFrame(ping('a'), { reserved: 4 })],
    ['has a reserved opcode', encodeFrame(ping('a'), { opcode: 3 })],
    ['has a reserved control opcode', encodeFrame('', { opcode: 11 })],
    ['goes on with nothing', encodeFrame(ping('a'), { opcode: opcodes.continuation })],
    ['begins within another', Buffer.concat([encodeFrame('{', { isLast: false }), encodeFrame('}')])],
    ['is a ping in pieces', encodeFrame('x', { opcode: opcodes.ping, isLast: false })],
    ['is a ping of 200 bytes', encodeFrame('x'.repeat(200), { opcode: opcodes.ping })],
    ['says it has 2^63 - 1 bytes', Buffer.from('81ff7fffffffffffffff00000000', 'hex')],
    ['says it has 2^64 - 1 bytes', Buffer.from('81ffffffffffffffffff00000000', 'hex')],
  ])('closes the connection at a frame that %s', async (_, bytes) => {
    const socket = await openRaw();
    socket.send(bytes);
    await socket.closed;
    expect(socket.received().map(({ type }) => type)).toEqual(['session.ready']);
  });

  it('answers no unmasked frame, which the native server reads as if it were masked', async () => {
    const socket = await openRaw();
    socket.send(encodeFrame(ping('unmasked'), { isMasked: false }));
    socket.client.socket.end();
    await socket.closed;
    expect(socket.received().map(({ type }) => type)).not.toContain('pong');
  });

  it.each<[string, Buffer]>([
    ['no code', Buffer.alloc(0)],
    ['1000', Buffer.from([3, 232])],
    ['half a code', Buffer.from([3])],
    ['999', Buffer.from([3, 231])],
    ['1005', Buffer.from([3, 237])],
    ['1006', Buffer.from([3, 238])],
    ['65535', Buffer.from([255, 255])],
    ['a reason that is not UTF-8', Buffer.from([3, 232, 255])],
  ])('closes the connection at a close frame with %s', async (_, payload) => {
    const socket = await openRaw();
    socket.send(encodeFrame(payload, { opcode: opcodes.close }));
    await socket.closed;
  });
});

describe('a flood', () => {
  it('answers 100,000 protocol pings with as many pongs', async () => {
    const socket = await openRaw();
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => encodeFrame('x', { opcode: opcodes.ping })));
    for (let sent = 0; sent < 100; sent++) socket.send(many);
    socket.send(encodeFrame(ping('after')));
    const text = await socket.client.until((all) => all.includes('"after"'));
    expect(text.split('\x8a\x01x').length - 1).toBe(100_000);
    socket.client.leave();
  });

  it.each<[string, Buffer]>([
    ['pings', encodeFrame('x'.repeat(120), { opcode: opcodes.ping })],
    ['messages', encodeFrame(ping('x'.repeat(100)))],
    ['bad frames', encodeFrame(JSON.stringify({ type: 'nothing', ref: 'x'.repeat(100) }))],
  ])('cuts off a client that floods it with %s and never reads the answers', async (_, frame) => {
    const socket = await openRaw();
    socket.client.socket.pause();
    const many = Buffer.concat(Array.from({ length: 5_000 }, () => frame));
    let isCut = false;
    socket.client.socket.once('error', () => {
      isCut = true;
    });
    // 64 MB of frames; what stands against it is 4 MiB of answers and what two kernels hold.
    for (let sent = 0; sent < 120 && !isCut; sent++) {
      await new Promise<void>((resolve) => {
        socket.client.socket.write(many, () => resolve());
      });
    }
    socket.client.socket.resume();
    expect(await socket.closed).toBeUndefined();
  });

  it('answers each of 1,000 searches in one burst once, within the limits', async () => {
    const client = await open();
    for (let n = 0; n < 1_000; n++) client.send({ type: 'search.start', ref: `r${n}`, request: question });
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => client.next(({ ref }) => ref === `r${n}`)),
    );
    const codes = new Set(answers.map((frame) => (frame.type === 'error' ? errorOf(frame).code : frame.type)));
    expect([...codes].sort()).toEqual(['rate_limited', 'search.attached', 'too_many_searches']);
    const attached = answers.filter(ofType('search.attached'));
    for (const { search_id } of attached) expectLawful(await client.search(search_id!));
    expect(client.received.filter(({ ref }) => ref?.startsWith('r'))).toHaveLength(1_000);
    client.close();
  });
});

describe('a search', () => {
  it('starts several searches under the same ref', async () => {
    const client = await open();
    for (let n = 0; n < 3; n++) client.send({ type: 'search.start', ref: 'same', request: question });
    const attached = [];
    for (let n = 0; n < 3; n++) attached.push(await client.next(ofType('search.attached')));
    const ids = attached.map(({ search_id }) => search_id!);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expectLawful(await client.search(id));
    client.close();
  });

  it('answers not_found to resuming, cancelling or detaching a search that is unknown or of another account', async () => {
    const owner = await open();
    const theirs = await owner.start(question);
    const client = await open();
    for (const search_id of [theirs, 's_unknown', '__proto__', 'constructor', 's\0', '']) {
      client.send({ type: 'search.resume', ref: `resume ${search_id}`, search_id, after_seq: 0 });
      client.send({ type: 'search.cancel', ref: `cancel ${search_id}`, search_id });
      client.send({ type: 'search.detach', ref: `detach ${search_id}`, search_id });
      const resumed = await client.next(({ ref }) => ref === `resume ${search_id}`);
      expect(resumed.type === 'error' ? errorOf(resumed).code : resumed.reason).toBe(
        search_id === '' ? 'validation_error' : 'not_found',
      );
      for (const act of ['cancel', 'detach']) {
        const { code } = errorOf(await client.next(({ ref }) => ref === `${act} ${search_id}`));
        expect(code).toBe(search_id === '' ? 'validation_error' : 'not_found');
      }
    }
    expect((await owner.search(theirs)).at(-1)?.type).toBe('search.completed');
    owner.close();
    client.close();
  });

  it('answers seq_ahead to resuming a search after its end', async () => {
    const client = await open();
    const search_id = await client.start(question);
    await client.search(search_id);
    client.send({ type: 'search.resume', ref: 'ahead', search_id, after_seq: 1e9 });
    expect(await client.next(({ ref }) => ref === 'ahead')).toMatchObject({ reason: 'seq_ahead' });
    client.close();
  });

  it('sends a second reader of a search the same as the first', async () => {
    const key = await newKey();
    const first = await connect(app.url, { 'x-api-key': key });
    const search_id = await first.start(question);
    const second = await connect(app.url, { 'x-api-key': key });
    second.send({ type: 'search.resume', ref: 'second', search_id, after_seq: 0 });
    expectLawful(await second.search(search_id));
    expectLawful(await first.search(search_id));
    first.close();
    second.close();
  });

  it('replaces the subscription of a connection that resumes a search it reads, without sending anything twice', async () => {
    const client = await open();
    const search_id = await client.start(question);
    const { seq: head = 0 } = (await client.search(search_id)).at(-1) ?? {};
    const before = client.received.length;
    for (let n = 0; n < 3; n++) client.send({ type: 'search.resume', ref: `again ${n}`, search_id, after_seq: 0 });
    await client.next(({ ref }) => ref === 'again 2');
    const seqsByReading = () => {
      const readings: number[][] = [];
      for (const { type, seq } of client.received.slice(before)) {
        if (type === 'search.attached') readings.push([]);
        if (typeof seq === 'number') readings.at(-1)!.push(seq);
      }
      return readings;
    };
    await expect.poll(() => seqsByReading().at(-1)).toContain(head);
    expect(seqsByReading()).toHaveLength(3);
    for (const seqs of seqsByReading()) expect(new Set(seqs).size).toBe(seqs.length);
    client.close();
  });

  it('sends the terminal event of a search that its client cancels twice, and nothing after it', async () => {
    const client = await open();
    const search_id = await client.start(question);
    client.send({ type: 'search.cancel', ref: 'stop', search_id });
    client.send({ type: 'search.cancel', ref: 'stop', search_id });
    const frames = await client.search(search_id);
    expect(['search.cancelled', 'search.completed']).toContain(frames.at(-1)?.type);
    client.send(ping('after'));
    await client.next(({ ref }) => ref === 'after');
    expect(client.received.filter(({ seq }) => typeof seq === 'number')).toHaveLength(frames.length);
    client.close();
  });

  it('sends nothing of a search after it was detached, and lets it run on', async () => {
    const client = await open();
    client.send({ type: 'search.start', ref: 'a', request: question, on_disconnect: 'continue' });
    const { search_id } = await client.next(ofType('search.attached'));
    client.send({ type: 'search.detach', ref: 'off', search_id });
    client.send(ping('after'));
    const pong = await client.next(({ ref }) => ref === 'after');
    client.send({ type: 'search.resume', ref: 'on', search_id, after_seq: 0 });
    const attached = await client.next(({ ref }) => ref === 'on');
    const at = (frame: Frame) => client.received.indexOf(frame);
    const completed = await client.next((frame) => frame.type === 'search.completed' && at(frame) > at(attached));
    const between = (from: Frame, to: Frame) =>
      client.received.slice(at(from) + 1, at(to)).filter(({ seq }) => typeof seq === 'number');
    expect(between(pong, attached)).toEqual([]);
    expectLawful([...between(attached, completed), completed] as unknown as SearchFrame[]);
    client.close();
  });

  it('cancels a search with on_disconnect `cancel` when its only reader leaves, after whichever event', async () => {
    const key = await newKey();
    for (let at = 1; at < 12; at += 2) {
      const leaving = await connect(app.url, { 'x-api-key': key });
      leaving.send({ type: 'search.start', ref: 'a', request: question, on_disconnect: 'cancel' });
      const { search_id } = await leaving.next(ofType('search.attached'));
      await leaving.next(({ seq }) => typeof seq === 'number' && seq >= at);
      leaving.raw.terminate();
      await leaving.closed;
      const back = await connect(app.url, { 'x-api-key': key });
      back.send({ type: 'search.resume', ref: 'b', search_id, after_seq: 0 });
      const frames = await back.search(search_id!);
      expectLawful(frames);
      const ending = frames.at(-1)!;
      if (ending.type === 'search.cancelled') expect(ending.by).toBe('disconnect');
      else expect(ending.type).toBe('search.completed');
      back.close();
    }
  });

  it('limits resumes together with upgrades, says when to resume again, and stays open', async () => {
    const client = await connect(app.url, { 'x-api-key': await newKey() });
    const search_id = await client.start(question);
    const resume = async (ref: string) => {
      client.send({ type: 'search.resume', ref, search_id, after_seq: 0 });
      return client.next((frame) => frame.ref === ref);
    };
    for (let n = 1; n < plans.pro.resumes.limit; n += 1) {
      expect((await resume(`${n}`)).type).toBe('search.attached');
    }
    const refused = await resume('too many');
    expect(refused).toMatchObject({ error: { code: 'rate_limited', retry_after_ms: expect.any(Number) } });
    client.send({ type: 'ping', ref: 'here' });
    await client.next(({ ref }) => ref === 'here');
    client.close();
  });

  it('runs nothing for long whose clients left right after they had asked', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, open));
    for (const client of clients) {
      client.send({ type: 'search.start', ref: 'a', request: question, on_disconnect: 'cancel' });
      client.raw.terminate();
    }
    await Promise.all(clients.map(({ closed }) => closed));
    const metrics = async () => (await app.get('/metrics')).text();
    await expect.poll(metrics).toMatch(/^citewire_sockets_open 0$/m);
    await expect.poll(metrics).toMatch(/^citewire_searches_in_flight 0$/m);
  });

  it('starts no search for a client that left before it was admitted', async () => {
    await using web = await startStallingServer();
    const env = { MODEL: 'scripted', OPENAI_BASE_URL: web.url, FETCH_ALLOW_HOSTS: new URL(web.url).host };
    await using server = await startTestApp(env);
    const client = await connect(server.url, { 'x-api-key': server.key });
    client.send({ type: 'search.start', ref: 'a', request: { ...question, image: `${web.url}/image.png` } });
    await expect.poll(() => web.open()).toBe(1);
    client.raw.terminate();
    // The image that the search was waiting for is given up.
    await expect.poll(() => web.open()).toBe(0);
    const { days } = (await (await server.get('/v1/usage')).json()) as KeyUsage;
    expect(days.filter(({ searches }) => searches > 0)).toEqual([]);
    expect(await (await server.get('/metrics')).text()).toMatch(/^citewire_searches_in_flight 0$/m);
  });
});

/** Accepts requests and never answers; `open` counts those whose client still waits. */
async function startStallingServer() {
  let open = 0;
  const server = createServer((_, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
