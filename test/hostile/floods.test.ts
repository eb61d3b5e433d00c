/**
 * Floods of frames over WebSockets: a client gets no more of the server than its budget, and ordinary clients notice neither
 * the budget nor the flood. `TEST_LONG=1` floods a server of its own from many connections beside a prober, and prints what it
 * sent, how it was closed, and the prober's figures.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sessionLimits } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { connectRawSocket, encodeFrame, opcodes, type RawSocket } from '../support/clients/raw-client.ts';
import { errorOf, ofType, ping } from '../support/clients/ws-client.ts';
import { largeImage } from '../support/image.ts';
import { describeProbes, startProber } from '../support/prober.ts';
import { startAppProcess } from '../support/processes/app-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { useWatchedApp } from '../support/watched-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

const times = <Item>(count: number, make: (n: number) => Item) => Array.from({ length: count }, (_, n) => make(n));
const wide = JSON.stringify(Object.fromEntries(times(88_000, (n) => [`k${n}`, 1]))).slice(1);
/** What the client of a heavy flood sees at last: the native server cannot send a close code and read no further. */
const brokenOff = (code: number) => [code, 1006];

const watched = useWatchedApp();
const { open, openRaw } = watched;

describe('a flood', () => {
  const {
    bad_messages,
    frames_burst,
    frames_per_s,
    frames_waiting,
    protocol_pings,
    invalid_frames,
    control_frame_bytes,
  } = sessionLimits;

  it('answers a burst of 50 searches, 100 resumes and an image of 4 MB in order, and keeps the connection open', async () => {
    const client = await open();
    for (let n = 0; n < 50; n++) client.send({ type: 'search.start', ref: `start ${n}`, request: question });
    for (let n = 0; n < 100; n++)
      client.send({ type: 'search.resume', ref: `resume ${n}`, search_id: 's', after_seq: 0 });
    const image = largeImage(4 * 1024 * 1024);
    client.send({ type: 'search.start', ref: 'image', request: { ...question, image } });
    client.send(ping('last'));
    await client.next(({ ref }) => ref === 'last');
    for (let n = 0; n < 50; n++) await client.next(({ ref }) => ref === `start ${n}`);
    for (let n = 0; n < 100; n++) await client.next(({ ref }) => ref === `resume ${n}`);
    await client.next(({ ref }) => ref === 'image');
    expect(client.raw.readyState).toBe(client.raw.OPEN);
    client.close();
  });

  it('answers as many pings at once as may wait, in order, and keeps the connection open', async () => {
    const client = await open();
    for (let n = 0; n < frames_waiting; n++) client.send(ping(`${n}`));
    for (let n = 0; n < frames_waiting; n++) await client.next(ofType('pong'));
    const refs = client.received.filter(ofType('pong')).map(({ ref }) => ref);
    expect(refs).toEqual(Array.from({ length: frames_waiting }, (_, n) => `${n}`));
    client.close();
  });

  it.each<[string, (n: number) => object]>([
    ['pings', (n) => ({ type: 'ping', ref: `${n}` })],
    ['searches', (n) => ({ type: 'search.start', ref: `${n}`, request: question })],
    ['cancellations', (n) => ({ type: 'search.cancel', ref: `${n}`, search_id: 's_unknown' })],
  ])(
    'closes with 4429 a connection that sends 10,000 %s at once, of which it answers a bounded number',
    async (_, frame) => {
      const client = await open();
      const begun = performance.now();
      for (let n = 0; n < 10_000; n++) client.send(frame(n));
      expect((await client.closed).code).toBe(4429);
      const seconds = (performance.now() - begun) / 1000;
      expect(client.received.at(-1)).toMatchObject({ type: 'session.closing', code: 4429, resume: true });
      const answered = new Set(client.received.flatMap(({ ref }) => ref ?? []));
      expect(answered.size).toBeLessThanOrEqual(frames_burst + frames_per_s * Math.ceil(seconds));
      const metrics = async () => (await watched.app.get('/metrics')).text();
      await expect.poll(metrics).toMatch(/^citewire_searches_in_flight 0$/m);
    },
  );

  it('announces 4429 to a connection that sends bytes faster than its budget and breaks it off, and accepts two images of 7 MiB at once', async () => {
    const client = await open();
    const image = 'A'.repeat(7 * 1024 * 1024);
    const start = JSON.stringify({ type: 'search.start', ref: 'image', request: { ...question, image } });
    for (let n = 0; n < 2; n++) client.raw.send(start);
    for (let n = 0; n < 2; n++) await client.next(({ ref }) => ref === 'image');
    for (let n = 0; n < 12; n++) client.raw.send(start);
    expect(brokenOff(4429)).toContain((await client.closed).code);
    // A search of before may be refused after it.
    const announced = client.received.find(({ type }) => type === 'session.closing');
    expect(announced).toMatchObject({ code: 4429, resume: true });
  });

  it.each([
    ['its type first', (type: string) => `{"type":"${type}","ref":"a",`],
    ['its ref first', (type: string) => `{ "ref": "a", "type": "${type}",`],
  ])(
    'announces 4400 to a connection that sends frames other than search.start of 0.8 MB, and parses none: %s',
    async (_, startOf) => {
      for (const type of ['ping', 'search.resume', 'search.cancel', 'search.detach', 'unknown']) {
        const client = await open();
        for (let n = 0; n < bad_messages; n++) client.raw.send(startOf(type) + wide);
        expect(brokenOff(4400)).toContain((await client.closed).code);
        const answers = client.received.slice(-1 - bad_messages);
        expect(answers.map((frame) => (frame.type === 'error' ? errorOf(frame).code : frame.code))).toEqual([
          ...Array(bad_messages).fill('bad_message'),
          4400,
        ]);
      }
    },
  );

  it('answers a search of another connection while one is broken off', async () => {
    const [flooding, other] = [await open(), await open()];
    for (let n = 0; n < 20; n++) flooding.raw.send(`{"type":"ping","ref":"a",${wide}`);
    other.send({ type: 'search.start', ref: 'other', request: question });
    const { search_id } = await other.next(ofType('search.attached'));
    expectLawful(await other.search(search_id!));
    await flooding.closed;
    other.close();
  });

  it('answers pings of the WebSocket protocol up to a limit, and closes with 4429 at a flood of them', async () => {
    const socket = await openRaw();
    const many = Buffer.concat(
      Array.from({ length: protocol_pings }, () => encodeFrame('x', { opcode: opcodes.ping })),
    );
    socket.send(many, encodeFrame(ping('after')));
    const text = await socket.client.until((all) => all.includes('"after"'));
    expect(text.split('\x8a\x01x').length - 1).toBe(protocol_pings);
    for (let sent = 0; sent < 100; sent++) socket.send(many);
    expect(await socket.closed).toBe(4429);
  });

  it('closes with 4400 a connection whose frames do not match their schema again and again', async () => {
    const client = await open();
    for (let n = 0; n < invalid_frames; n++) client.send({ type: 'ping' });
    client.send(ping('still'));
    await client.next(({ ref }) => ref === 'still');
    for (let n = 0; n < invalid_frames; n++) await client.next(ofType('error'));
    for (let n = 0; n < invalid_frames; n++) client.send({ type: 'ping' });
    expect((await client.closed).code).toBe(4400);
    expect(client.received.at(-1)).toMatchObject({ type: 'session.closing', code: 4400, resume: false });
  });

  it('refuses frames other than search.start above 4 KiB, before their fields are looked at', async () => {
    const client = await open();
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`key${n}`, n]));
    for (const type of ['ping', 'search.resume', 'search.cancel', 'search.detach']) {
      client.send({ type, ref: type, ...wide });
      const error = errorOf(await client.next(({ ref }) => ref === type));
      expect(error).toMatchObject({
        code: 'payload_too_large',
        message: expect.stringContaining(`${control_frame_bytes}`),
      });
      expect(error.issues).toBeUndefined();
    }
    client.close();
  });

  it.each<[string, Buffer]>([
    ['pings of the protocol', encodeFrame('x'.repeat(120), { opcode: opcodes.ping })],
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
    for (let sent = 0; sent < 10 && !isCut; sent++) {
      await new Promise<void>((resolve) => {
        socket.client.socket.write(many, () => resolve());
      });
    }
    socket.client.socket.resume();
    expect([undefined, 4400, 4429]).toContain(await socket.closed);
  });

  it('answers each of 250 searches in one burst once, within the limits', async () => {
    const client = await open();
    for (let n = 0; n < 250; n++) client.send({ type: 'search.start', ref: `r${n}`, request: question });
    const answers = await Promise.all(Array.from({ length: 250 }, (_, n) => client.next(({ ref }) => ref === `r${n}`)));
    const codes = new Set(answers.map((frame) => (frame.type === 'error' ? errorOf(frame).code : frame.type)));
    expect([...codes].sort()).toEqual(['rate_limited', 'search.attached', 'too_many_searches']);
    const attached = answers.filter(ofType('search.attached'));
    for (const { search_id } of attached) expectLawful(await client.search(search_id!));
    expect(client.received.filter(({ ref }) => ref?.startsWith('r'))).toHaveLength(250);
    client.close();
  });
});

/** What one connection sends, and over how many connections. `pieces` are written one after the other. */
interface Flood {
  readonly what: string;
  readonly connections: number;
  readonly pieces: () => Iterable<Buffer>;
}

const deep = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`;
const image = 'A'.repeat(13 * 1024 * 1024);
const start = (request: object) => JSON.stringify({ type: 'search.start', ref: 'a', request });
/** In pieces of about 64 KiB, as clients write them. */
function* repeated(count: number, frame: Buffer): Generator<Buffer> {
  const perPiece = Math.max(1, Math.floor(65_536 / frame.length));
  const piece = Buffer.concat(times(perPiece, () => frame));
  for (let sent = 0; sent < count; sent += perPiece) yield piece;
}

const floods: readonly Flood[] = [
  {
    what: '100 pings of 0.8 MB with 88,000 keys',
    connections: 20,
    pieces: () => repeated(100, encodeFrame(`{"type":"ping","ref":"a",${wide}`)),
  },
  {
    what: '100 starts of 0.8 MB with 88,000 keys and their type last',
    connections: 20,
    pieces: () => repeated(100, encodeFrame(`{"ref":"a","request":{${wide},"type":"search.start"}`)),
  },
  { what: '10,000 small pings', connections: 100, pieces: () => repeated(10_000, encodeFrame(ping('a'))) },
  { what: '10,000 starts', connections: 100, pieces: () => repeated(10_000, encodeFrame(start(question))) },
  {
    what: '10,000 starts that do not match their schema',
    connections: 100,
    pieces: () => repeated(10_000, encodeFrame(start({ prompt: '', output_format: JSON.parse(deep) }))),
  },
  {
    what: '10,000 resumes',
    connections: 100,
    pieces: () =>
      repeated(10_000, encodeFrame('{"type":"search.resume","ref":"a","search_id":"s_unknown","after_seq":0}')),
  },
  {
    what: '10,000 frames of an unknown type',
    connections: 100,
    pieces: () => repeated(10_000, encodeFrame('{"type":"x"}')),
  },
  { what: '10,000 frames that are no JSON', connections: 100, pieces: () => repeated(10_000, encodeFrame('{"type":')) },
  {
    what: '100,000 pings of the WebSocket protocol',
    connections: 100,
    pieces: () => repeated(100_000, encodeFrame('x', { opcode: opcodes.ping })),
  },
  {
    what: '100,000 pongs of the WebSocket protocol',
    connections: 100,
    pieces: () => repeated(100_000, encodeFrame('x', { opcode: opcodes.pong })),
  },
  {
    what: 'a frame in 500,000 fragments of a byte',
    connections: 20,
    pieces: function* () {
      yield encodeFrame('x', { isLast: false });
      yield* repeated(500_000, encodeFrame('x', { opcode: opcodes.continuation, isLast: false }));
    },
  },
  {
    what: 'a frame in 500,000 empty fragments',
    connections: 20,
    pieces: function* () {
      yield encodeFrame('x', { isLast: false });
      yield* repeated(500_000, encodeFrame('', { opcode: opcodes.continuation, isLast: false }));
    },
  },
  {
    what: 'most of a frame of 14 MiB, then nothing',
    connections: 10,
    pieces: () => [encodeFrame(start({ ...question, image })).subarray(0, -1)],
  },
  {
    what: '8 images of 13 MiB',
    connections: 10,
    pieces: () => repeated(8, encodeFrame(start({ ...question, image }))),
  },
  { what: '64 KiB of random bytes', connections: 100, pieces: () => [randomBytes(65_536)] },
];

describe.runIf(process.env.TEST_LONG === '1')('floods over many connections', { timeout: 900_000 }, () => {
  const DATA_DIR = temporaryFolder();

  it('keep no other caller waiting', async () => {
    const env = { DATA_DIR, TRANSPORT: process.env.TEST_TRANSPORT ?? 'auto' };
    const server = await startAppProcess(env, floods.length * 10);
    const prober = await startProber({ url: server.url, pid: server.child.pid });
    await sleep(2_000);
    const lines = [`before: ${describeProbes(await prober.restart())}`];
    let failures = 0;
    for (const [at, { what, connections, pieces }] of floods.entries()) {
      const keys = server.keys.slice(10 * at, 10 * at + 10);
      const begun = performance.now();
      const ends = await Promise.all(times(connections, (n) => flood(server.url, keys[n % 10]!, pieces())));
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const report = await prober.restart();
      failures += report.failures;
      lines.push(`${connections} × ${what}: ${tally(ends)} in ${seconds} s; ${describeProbes(report)}`);
    }
    console.log(`floods over ${env.TRANSPORT}\n${lines.join('\n')}`);
    await prober.stop();
    server.child.kill('SIGTERM');
    await server.ended;
    expect(failures).toBe(0);
    expect(server.log()).toBe('');
  });
});

/** Sends everything, as fast as the server takes it; resolves with how the connection ended, or that it did not. */
async function flood(url: string, key: string, pieces: Iterable<Buffer>): Promise<string> {
  let socket: RawSocket;
  try {
    socket = await connectRawSocket(url, { 'X-API-Key': key });
  } catch {
    return 'refused';
  }
  const closed = socket.closed.then((code) => `closed ${code ?? 'without a code'}`);
  for (const piece of pieces) {
    if (socket.client.socket.destroyed) break;
    const written = new Promise((resolve) => socket.client.socket.write(piece, resolve));
    await Promise.race([written, closed]);
  }
  const end = await Promise.race([closed, sleep(3_000).then(() => 'open after it')]);
  socket.client.leave();
  return end;
}

function tally(ends: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].map(([end, count]) => `${count} ${end}`).join(', ');
}
