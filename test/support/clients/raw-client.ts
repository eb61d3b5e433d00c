/** Bytes to a server and back, with nothing in between that would correct them. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly socket: Socket;
  send(...parts: (string | Uint8Array)[]): void;
  /** Everything received so far, one character per byte. */
  text(): string;
  /** Resolves with everything received once it matches; rejects if the connection ends before. */
  until(fits: (text: string) => boolean): Promise<string>;
  /** Resolves with everything received, when the server has closed the connection. */
  readonly ended: Promise<string>;
  /** Destroys the socket. */
  leave(): void;
}

export async function connectRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const wakes = new Set<() => void>();
  let text = '';
  let isOver = false;
  const wake = () => {
    for (const each of [...wakes]) each();
  };
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    wake();
  });
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      isOver = true;
      wake();
      resolve(text);
    });
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    ended,
    text: () => text,
    send(...parts) {
      for (const part of parts) socket.write(part);
    },
    async until(fits) {
      while (!fits(text)) {
        if (isOver) throw new Error(`the connection closed after ${JSON.stringify(text.slice(-200))}`);
        await new Promise<void>((resolve) => {
          const again = () => {
            wakes.delete(again);
            resolve();
          };
          wakes.add(again);
        });
      }
      return text;
    },
    leave: () => socket.destroy(),
  };
}

/** The status codes of all answers in some bytes. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameForm {
  readonly opcode?: number;
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  /** The three reserved bits. */
  readonly reserved?: number;
}

/** A WebSocket frame in any form, valid or not. */
export function encodeFrame(content: string | Uint8Array, form: FrameForm = {}): Buffer {
  const { opcode = opcodes.text, isLast = true, isMasked = true, reserved = 0 } = form;
  const payload = Buffer.from(content);
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const head = Buffer.concat([Buffer.from([first]), lengthBytes(payload.length, isMasked)]);
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = randomBytes(4);
  for (let at = 0; at < payload.length; at++) payload[at]! ^= mask[at % 4]!;
  return Buffer.concat([head, mask, payload]);
}

/** The server's complete frames in the bytes after its 101. */
export function decodeFrames(text: string): { opcode: number; payload: Buffer }[] {
  const bytes = Buffer.from(text, 'latin1');
  const frames: { opcode: number; payload: Buffer }[] = [];
  for (let at = bytes.indexOf('\r\n\r\n') + 4; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1]! & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + head > bytes.length) break;
    const size =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    if (at + head + size > bytes.length) break;
    frames.push({ opcode: bytes[at]! & 0x0f, payload: bytes.subarray(at + head, at + head + size) });
    at += head + size;
  }
  return frames;
}

/** A correct handshake; `headers` replace its lines, or remove them where undefined. */
export function handshake(headers: Record<string, string | undefined> = {}): string {
  const all: Record<string, string | undefined> = {
    Host: 'citewire.test',
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Version': '13',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `GET /v1/ws/search HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function lengthBytes(length: number, isMasked: boolean): Buffer {
  const bit = isMasked ? 0x80 : 0;
  if (length < 126) return Buffer.from([bit | length]);
  if (length < 65_536) return Buffer.from([bit | 126, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(9);
  bytes[0] = bit | 127;
  bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}

export interface RawSocket {
  readonly client: RawClient;
  send(...frames: Uint8Array[]): void;
  /** The objects in the text frames received so far. */
  received(): Record<string, unknown>[];
  /** Resolves with the object in the first text frame that matches. */
  next(fits: (frame: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Resolves when the server has closed, with the code of its close frame; undefined if it sent none. */
  readonly closed: Promise<number | undefined>;
}

/** A WebSocket whose frames are written by hand. Throws unless the server accepts the handshake. */
export async function connectRawSocket(url: string, headers: Record<string, string>): Promise<RawSocket> {
  const client = await connectRaw(url);
  client.send(handshake(headers));
  await client.until((text) => text.includes('\r\n\r\n'));
  if (!client.text().startsWith('HTTP/1.1 101 ')) throw new Error(`the upgrade was refused: ${client.text()}`);
  const received = () =>
    decodeFrames(client.text())
      .filter(({ opcode }) => opcode === opcodes.text)
      .map(({ payload }) => JSON.parse(payload.toString()) as Record<string, unknown>);
  return {
    client,
    received,
    send: (...frames) => client.send(...frames),
    async next(fits) {
      await client.until(() => received().some(fits));
      return received().find(fits)!;
    },
    closed: client.ended.then((text) => {
      const close = decodeFrames(text).find(({ opcode }) => opcode === opcodes.close);
      return close === undefined || close.payload.length < 2 ? undefined : close.payload.readUInt16BE(0);
    }),
  };
}
