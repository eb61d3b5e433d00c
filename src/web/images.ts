/**
 * The image of a request: base64, or a URL that is fetched through the same guard as pages. Content that is not an image,
 * or is too large, is refused with the field's name. If the URL merely cannot be reached, the search continues without it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, invalid } from '../base/errors.ts';
import type { Image, ImageReader } from '../engine/ports/images.ts';
import { createGuard } from './fetch/guard.ts';
import { readImageFormat } from './image-format.ts';
import { PageError } from './page-error.ts';
import type { Reader } from './reader.ts';

export interface ImageReaderOptions {
  readonly reader: Pick<Reader, 'readBytes'>;
  readonly allowHosts: readonly string[];
  /** Whether a model with vision is configured; without one, no URL is fetched. */
  readonly hasModel: boolean;
}

/** Set by hand: larger than any screenshot or photo that a model can use. */
const maxBytes = 10 * 1024 * 1024;
const maxPixels = 40_000_000;
const fetchMs = 10_000;

/** Opens images. Everything that is wrong with one is reported as `validation_error` at `body.image`. */
export function createImageReader({ reader, allowHosts, hasModel }: ImageReaderOptions): ImageReader {
  const guard = createGuard({ allowHosts });

  async function download(url: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      guard.check(url);
      if (!hasModel) return undefined;
      const either = AbortSignal.any([signal, AbortSignal.timeout(fetchMs)]);
      return (await reader.readBytes(url, { maxBytes }, either)).body;
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof PageError || error instanceof AppError ? error.code : undefined;
      if (code === 'blocked_address') throw invalidImage('expected a URL on a public address');
      if (code === 'too_large') throw tooLarge();
      return undefined;
    }
  }

  return {
    async open(image, signal) {
      const isUrl = /^https?:\/\//i.test(image);
      const bytes = isUrl ? await download(image, signal) : await decode(image);
      return bytes === undefined ? undefined : checkImage(bytes);
    },
  };
}

async function decode(image: string): Promise<Buffer> {
  await nextTurn();
  const base64 = image.replace(/^data:image\/[a-z+.-]{1,20};base64,/i, '');
  if (base64.length > Math.ceil(maxBytes / 3) * 4 + 1_000) throw tooLarge();
  const bytes = Buffer.from(base64, 'base64');
  if (isComplete(base64, bytes.length)) return bytes;
  // Whitespace can match in only one way: with two, megabytes of it would backtrack endlessly.
  if (!/^[A-Za-z0-9+/_\s-]+(?:={1,2}\s*)?$/.test(base64)) throw invalidImage('expected base64 or an http(s) URL');
  return bytes;
}

/** Whether each digit has become six bits, so that none was something else. Quicker than to look at megabytes of them. */
function isComplete(base64: string, bytes: number): boolean {
  const digits = base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
  // A single last digit adds no byte, so it would be missed.
  return digits % 4 !== 1 && bytes === Math.floor((3 * digits) / 4);
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

function tooLarge(): AppError {
  return invalidImage('expected an image of at most 10 MB');
}

function invalidImage(message: string): AppError {
  return invalid(['body', 'image'], message, 'value_error');
}
