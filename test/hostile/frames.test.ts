/** Hostile and broken frames over a WebSocket. Whatever comes, the process lives and logs no internal error. */
import { describe, expect, it } from 'vitest';
import { sessionLimits } from '../../protocol/index.ts';
import { connectRawSocket, encodeFrame, opcodes } from '../support/clients/raw-client.ts';
import { connect, errorOf, ofType, ping } from '../support/clients/ws-client.ts';
import { largeImage } from '../support/image.ts';
import { isNative } from '../support/transport.ts';
import { useWatchedApp } from '../support/watched-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

const watched = useWatchedApp();
const { open, openRaw } = watched;

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

  it.each(['search.begin', '', 'constructor', '__proto__', 'toString', 'x'.repeat(40_000), 'session.ready'])(
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

  it('protects prototypes from the fields of a frame', async () => {
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

  it('counts the keys of a frame before it parses them, and keeps the connection open', async () => {
    const client = await open();
    client.raw.send(`{"type": "search.start", "ref": "a", "x": {${'"a":1,'.repeat(100_000)}`);
    const { code, issues } = errorOf(await client.next(ofType('error')));
    expect(code).toBe('validation_error');
    const msg = 'expected at most 2000 keys in total; got more';
    expect(issues).toEqual([{ loc: ['body', 'x'], msg, type: 'too_long' }]);
    client.send(ping('still'));
    await client.next(({ ref }) => ref === 'still');
    client.close();
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

  it.each<[string, Buffer, number?]>([
    ['is not UTF-8', encodeFrame(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 1007],
    [
      'is not UTF-8, in pieces',
      Buffer.concat([encodeFrame(Buffer.from([0xc3]), { isLast: false }), encodeFrame('x', { opcode: 0 })]),
      1007,
    ],
    ['has a surrogate in it', encodeFrame(Buffer.from([0xed, 0xa0, 0x80])), 1007],
    ['uses the bit of compression', encodeFrame(ping('a'), { reserved: 1 })],
    ['uses a reserved bit', encodeFrame(ping('a'), { reserved: 4 })],
    ['has a reserved opcode', encodeFrame(ping('a'), { opcode: 3 })],
    ['has a reserved control opcode', encodeFrame('', { opcode: 11 })],
    ['goes on with nothing', encodeFrame(ping('a'), { opcode: opcodes.continuation })],
    ['begins within another', Buffer.concat([encodeFrame('{', { isLast: false }), encodeFrame('}')])],
    ['is a ping in pieces', encodeFrame('x', { opcode: opcodes.ping, isLast: false })],
    ['is a ping of 126 bytes', encodeFrame('x'.repeat(126), { opcode: opcodes.ping })],
    ['is a pong of 200 bytes', encodeFrame('x'.repeat(200), { opcode: opcodes.pong })],
    ['says it has 2^63 - 1 bytes', Buffer.from('81ff7fffffffffffffff00000000', 'hex'), 1009],
    ['says it has 2^64 - 1 bytes', Buffer.from('81ffffffffffffffffff00000000', 'hex'), 1009],
  ])('closes the connection at a frame that %s, the native server without a code', async (_, bytes, code = 1002) => {
    const socket = await openRaw();
    socket.send(bytes);
    expect(await socket.closed).toBe(isNative ? undefined : code);
    expect(socket.received().map(({ type }) => type)).toEqual(['session.ready']);
  });

  it('answers no unmasked frame, which only the portable server recognizes and closes the connection at', async () => {
    const socket = await openRaw();
    socket.send(encodeFrame(ping('unmasked'), { isMasked: false }));
    socket.client.socket.end();
    expect(await socket.closed).toBe(isNative ? undefined : 1002);
    expect(socket.received().map(({ type }) => type)).not.toContain('pong');
  });

  /** The code that the server closes with. The native one answers what is invalid, or new to it, without a code. */
  it.each<[string, Buffer, { native?: number; portable?: number }]>([
    ['no code', Buffer.alloc(0), {}],
    ...[1000, 1001, 1007, 1011, 4000, 4999].map(codeRow((code) => ({ native: code, portable: code }))),
    ...[1012, 3000].map(codeRow((code) => ({ portable: code }))),
    ...[0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535].map(codeRow(() => ({ portable: 1002 }))),
    ['half a code', Buffer.from([3]), { portable: 1002 }],
    ['a reason that is not UTF-8', Buffer.from([3, 232, 255]), { portable: 1007 }],
    ['126 bytes', Buffer.concat([Buffer.from([3, 232]), Buffer.alloc(124, 'a')]), { portable: 1002 }],
  ])('closes the connection at a close frame with %s', async (_, payload, { native, portable }) => {
    const socket = await openRaw();
    socket.send(encodeFrame(payload, { opcode: opcodes.close }));
    expect(await socket.closed).toBe(isNative ? native : portable);
  });

  it('forgets a connection that is cut within a frame, whatever had come of it', async () => {
    const key = await watched.newKey();
    const frame = encodeFrame(ping('x'.repeat(100)));
    const starts = [1, 2, 5, 20, frame.length - 1].map((length) => frame.subarray(0, length));
    // As many as the key may have open, in pieces: those that are gone must not count.
    for (const start of [...starts, encodeFrame('{', { isLast: false }), Buffer.from('81ffff', 'hex'), ...starts]) {
      const socket = await connectRawSocket(watched.app.url, { 'X-API-Key': key });
      socket.send(start);
      await new Promise((resolve) => setImmediate(resolve));
      socket.client.socket.resetAndDestroy();
    }
    const next = await connect(watched.app.url, { 'x-api-key': key });
    next.send(ping('still'));
    await next.next(({ ref }) => ref === 'still');
    next.close();
  });

  it('accepts a frame in 10,000 fragments, most of them empty', async () => {
    const socket = await openRaw();
    const text = ping('fragments');
    const fragments = [encodeFrame('', { isLast: false })];
    for (let n = 0; n < 10_000; n++) {
      fragments.push(encodeFrame(text[n] ?? '', { opcode: opcodes.continuation, isLast: false }));
    }
    socket.send(...fragments, encodeFrame('', { opcode: opcodes.continuation }));
    await socket.next(({ ref }) => ref === 'fragments');
    socket.client.leave();
  });
});

function codeRow<Codes>(codes: (code: number) => Codes): (code: number) => [string, Buffer, Codes] {
  return (code) => [`code ${code}`, Buffer.from([code >> 8, code & 0xff]), codes(code)];
}
