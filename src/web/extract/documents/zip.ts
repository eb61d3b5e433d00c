/**
 * The files of a ZIP archive by their names, as office documents and books need them. The directory at its end is read once; a file is inflated
 * when it is asked for. An archive may come from anybody: entries, the bytes of a file and of all files are bounded, whatever the
 * archive says of its sizes, and no name is ever a path.
 */
import { constants, inflateRawSync } from 'node:zlib';

export interface ZipArchive {
  has(name: string): boolean;
  /** Undefined if there is no such file. Throws for a damaged one, and beyond the limits. */
  read(name: string): Uint8Array | undefined;
  /** `read`, but only the beginning of a file that is too large when it is unpacked. */
  readStart(name: string): { readonly content: Uint8Array; readonly isWhole: boolean } | undefined;
}

/** Set by hand: a long book has hundreds of files, and a few MB of text. */
const maxEntries = 10_000;
const maxFileBytes = 20 * 1024 * 1024;
const maxTotalBytes = 60 * 1024 * 1024;
/** The end of the directory is searched for in these last bytes, the longest that it can be (APPNOTE 4.3.16). */
const maxEndBytes = 22 + 0xffff;

interface Entry {
  readonly method: number;
  readonly size: number;
  readonly at: number;
}

/** Reads the directory of an archive. Throws if there is none, or it is damaged, encrypted or too long. */
export function openZip(bytes: Uint8Array): ZipArchive {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = view.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > view.length || end < view.length - maxEndBytes)
    throw new Error('The archive has no directory.');
  const count = view.readUInt16LE(end + 10);
  if (count > maxEntries) throw new Error(`The archive has more than ${maxEntries} files.`);
  const entries = new Map<string, Entry>();
  let at = view.readUInt32LE(end + 16);
  for (let n = 0; n < count; n += 1) {
    if (at + 46 > end || view.readUInt32LE(at) !== 0x02014b50)
      throw new Error('The directory of the archive is damaged.');
    if ((view.readUInt16LE(at + 8) & 1) === 1) throw new Error('The archive is encrypted.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.readUInt16LE(at + offset));
    const name = view.toString('utf8', at + 46, at + 46 + nameLength!);
    const entry = {
      method: view.readUInt16LE(at + 10),
      size: view.readUInt32LE(at + 20),
      at: view.readUInt32LE(at + 42),
    };
    // Of two files with one name, which programs take to be different ones, the first counts.
    if (!entries.has(name)) entries.set(name, entry);
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  let left = maxTotalBytes;
  const readWith = <Read extends { readonly content: Uint8Array }>(
    name: string,
    unpack: (packed: Packed, maxBytes: number) => Read,
  ): Read | undefined => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const read = unpack(packedBytes(view, entry), Math.min(left, maxFileBytes));
    left -= read.content.byteLength;
    return read;
  };
  return {
    has: (name) => entries.has(name),
    read: (name) => readWith(name, (packed, maxBytes) => ({ content: inflate(packed, maxBytes) }))?.content,
    readStart: (name) => readWith(name, inflateStart),
  };
}

interface Packed {
  readonly method: number;
  readonly bytes: Uint8Array;
}

function packedBytes(view: Buffer, { method, size, at }: Entry): Packed {
  if (at + 30 > view.length || view.readUInt32LE(at) !== 0x04034b50)
    throw new Error('A file of the archive is damaged.');
  const from = at + 30 + view.readUInt16LE(at + 26) + view.readUInt16LE(at + 28);
  return { method, bytes: view.subarray(from, from + size) };
}

function inflate({ method, bytes }: Packed, maxBytes: number, finishFlush = constants.Z_FINISH): Uint8Array {
  if (maxBytes <= 0 || (method === 0 && bytes.length > maxBytes)) throw new TooLarge();
  if (method === 0) return bytes;
  if (method !== 8) throw new Error('The archive is packed in a way that is not supported.');
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes, finishFlush });
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge() : error;
  }
}

/** Unpacks as much of the beginning as fits. zlib gives nothing of what is too large, so less and less is tried. */
function inflateStart({ method, bytes }: Packed, maxBytes: number): { content: Uint8Array; isWhole: boolean } {
  if (maxBytes <= 0) return { content: new Uint8Array(), isWhole: false };
  if (method === 0) return { content: bytes.subarray(0, maxBytes), isWhole: bytes.length <= maxBytes };
  // Deflate packs a thousand to one at most (zlib's technical notes), so this ends with a few bytes.
  for (let length = bytes.length; ; length = Math.floor(length / 2)) {
    const isWhole = length === bytes.length;
    try {
      const flush = isWhole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
      return { content: inflate({ method, bytes: bytes.subarray(0, length) }, maxBytes, flush), isWhole };
    } catch (error) {
      if (!(error instanceof TooLarge) || length < 2) throw error;
    }
  }
}

class TooLarge extends Error {
  constructor() {
    super('The archive is too large when it is unpacked.');
  }
}
