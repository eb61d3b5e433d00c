/** The format and size of an image, read from its first bytes: PNG, JPEG, GIF, WebP. Nothing is decoded. */
import type { Image } from '../engine/ports/images.ts';

export interface ImageFormat {
  readonly type: Image['type'];
  readonly width: number;
  readonly height: number;
}

/** Type, and width and height in pixels. Undefined if the bytes are in none of these formats, or end before the size. */
export function readImageFormat(bytes: Buffer): ImageFormat | undefined {
  const found = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
  return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
}

function png(bytes: Buffer): ImageFormat | undefined {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gif(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webp(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < 30 || !/^RIFF[\s\S]{4}WEBPVP8[ LX]$/.test(bytes.toString('latin1', 0, 16))) return undefined;
  const type = 'image/webp';
  const kind = bytes.toString('latin1', 15, 16);
  if (kind === 'X') return { type, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (kind === 'L') {
    const bits = bytes.readUInt32LE(21);
    return { type, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** The size is in the start-of-frame segment, after any number of others. */
function jpeg(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
