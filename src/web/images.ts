/**
 * The image of a request: base64, or a URL that is fetched through the same guard as pages. Content that is not an image,
 * or is too large, is refused with the field's name. If the URL merely cannot be reached, the search continues without it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { timeLimit } from '../base/abort.ts';
import { AppError, invalid } from '../base/errors.ts';
import type { HeldImage, Image, ImageReader } from '../engine/ports/images.ts';
import { type BodyMemoryOptions, createBodyMemory, type HeldBody } from './fetch/body-memory.ts';
import { createGuard } from './fetch/guard.ts';
import { readImageFormat } from './image-format.ts';
import { PageError } from './page-error.ts';
import type { Reader } from './reader.ts';

export interface ImageReaderOptions {
  readonly reader: Pick<Reader, 'readBytes'>;
  readonly allowHosts: readonly string[];
  /** Whether a model with vision is configured; without one, no URL is fetched. */
  readonly hasModel: boolean;
  /** For images that a model has not described yet. */
  readonly memory?: BodyMemoryOptions;
}

/** Set by hand: larger than any screenshot or photo that a model can use. */
const maxBytes = 10 * 1024 * 1024;
const maxPixels = 40_000_000;
const fetchMs = 10_000;
const megabyte = 1024 * 1024;
/** A call to a model holds about five times the image: in base64, in JSON and in bytes. All set by hand. */
const usualMemory: BodyMemoryOptions = {
  maxBytes: 32 * megabyte,
  reserveBytes: 16 * megabyte,
  ownBytes: 10 * megabyte,
  what: 'images',
};
/** Digits of base64 that are decoded at a time: a multiple of four digits, about a millisecond; set by hand. */
const pieceDigits = 1024 * 1024;

/** Opens images. Everything that is wrong with one is reported as `validation_error` at `body.image`. */
export function createImageReader(options: ImageReaderOptions): ImageReader {
  const { reader, allowHosts, hasModel } = options;
  const guard = createGuard({ allowHosts });
  const memory = createBodyMemory(options.memory ?? usualMemory);

  /** Its bytes are taken as they arrive: many that arrive slowly hold as much as those that are read. */
  async function download(url: string, { take }: HeldBody, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      guard.check(url);
      if (!hasModel) return undefined;
      const either = AbortSignal.any([signal, timeLimit(fetchMs)]);
      return (await reader.readBytes(url, { maxBytes, take }, either)).body;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError && error.code === 'overloaded') throw error;
      const code = error instanceof PageError || error instanceof AppError ? error.code : undefined;
      if (code === 'blocked_address') throw invalidImage('expected a URL on a public address');
      if (code === 'too_large') throw tooLarge();
      return undefined;
    }
  }

  async function decoded(image: string, { take }: HeldBody): Promise<Buffer> {
    const bytes = await decode(image);
    if (hasModel) take(bytes.byteLength);
    return bytes;
  }

  return {
    async open(image, owner, signal) {
      const held = memory.hold([owner]);
      try {
        const isUrl = /^https?:\/\//i.test(image);
        const bytes = isUrl ? await download(image, held, signal) : await decoded(image, held);
        // Without a model that looks at it, ten megabytes would be held for as long as the search takes.
        const checked = bytes && checkImage(bytes);
        if (checked !== undefined && hasModel) return hold(checked, held);
      } catch (error) {
        held.release();
        throw error;
      }
      held.release();
      return undefined;
    },
  };
}

function hold(checked: Image, held: HeldBody): HeldImage {
  let image: Image | undefined = checked;
  return {
    image: () => image,
    release() {
      image = undefined;
      held.release();
    },
  };
}

/** The bytes of base64, with or without white space, each piece in a turn of the event loop of its own. */
async function decode(image: string): Promise<Buffer> {
  const base64 = withoutPadding(image.replace(/^data:image\/[a-z+.-]{1,20};base64,/i, ''));
  if (base64 === '') throw notBase64();
  if (base64.length > Math.ceil(maxBytes / 3) * 4 + 1_000) throw tooLarge();
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((3 * base64.length) / 4));
  let size = 0;
  let rest = '';
  for (let at = 0; at < base64.length; at += pieceDigits) {
    await nextTurn();
    const piece = rest + base64.slice(at, at + pieceDigits);
    const isLast = at + pieceDigits >= base64.length;
    rest = '';
    let written = bytes.write(piece, size, 'base64');
    if (!isComplete(piece, written, isLast)) {
      if (!/^[A-Za-z0-9+/_\s-]*$/.test(piece)) throw notBase64();
      const digits = piece.replace(/\s+/g, '');
      const end = isLast ? digits.length : digits.length - (digits.length % 4);
      written = bytes.write(digits.slice(0, end), size, 'base64');
      rest = digits.slice(end);
    }
    size += written;
  }
  return bytes.subarray(0, size);
}

/** Looks only at the end: a pattern would look through megabytes. */
function withoutPadding(base64: string): string {
  const trimmed = base64.trimEnd();
  return trimmed.slice(0, trimmed.length - (trimmed.endsWith('==') ? 2 : trimmed.endsWith('=') ? 1 : 0));
}

/** Whether each digit has become six bits, so that none was something else. Quicker than looking at megabytes of them. */
function isComplete(digits: string, bytes: number, isLast: boolean): boolean {
  const left = digits.length % 4;
  // A single last digit adds no byte, so it would be missed; between pieces, none may be left.
  return (isLast ? left !== 1 : left === 0) && bytes === Math.floor((3 * digits.length) / 4);
}

function checkImage(bytes: Buffer): Image {
  if (bytes.length > maxBytes) throw tooLarge();
  const format = readImageFormat(bytes);
  if (format === undefined) throw invalidImage('expected a PNG, JPEG, GIF or WebP image');
  const { type, width, height } = format;
  if (width * height > maxPixels) {
    throw invalidImage(`expected an image of at most 40 megapixels; got ${width} × ${height}`);
  }
  return { type, bytes };
}

function notBase64(): AppError {
  return invalidImage('expected base64 or an http(s) URL');
}

function tooLarge(): AppError {
  return invalidImage('expected an image of at most 10 MB');
}

function invalidImage(message: string): AppError {
  return invalid(['body', 'image'], message, 'value_error');
}
