/**
 * The image of a request: base64, or an address, opened through the same guard as pages. What is no picture, or one too
 * large, is refused with the field's name; one that merely cannot be reached now is not, and the search goes on without it.
 */

import { AppError, invalid } from '../base/errors.ts';
import type { Picture, Pictures } from '../engine/ports.ts';
import { createGuard } from './fetch/guard.ts';
import { pictureFormat } from './image-format.ts';
import { PageError } from './page-error.ts';
import type { Reader } from './reader.ts';

export interface PicturesOptions {
  readonly reader: Pick<Reader, 'readBytes'>;
  readonly allowHosts: readonly string[];
  /** Whether a model is there that looks at them; without one no address is opened. */
  readonly areSeen: boolean;
}

const mostBytes = 10 * 1024 * 1024;
const mostPixels = 40_000_000;
const fetchMs = 10_000;

export function createPictures({ reader, allowHosts, areSeen }: PicturesOptions): Pictures {
  const guard = createGuard({ allowHosts });

  async function download(url: string, signal: AbortSignal): Promise<Buffer | undefined> {
    try {
      guard.check(url);
      if (!areSeen) return undefined;
      const either = AbortSignal.any([signal, AbortSignal.timeout(fetchMs)]);
      return (await reader.readBytes(url, { maxBytes: mostBytes }, either)).body;
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof PageError || error instanceof AppError ? error.code : undefined;
      if (code === 'blocked_address') throw notAPicture('expected an address that may be opened');
      if (code === 'too_large') throw tooLarge();
      return undefined;
    }
  }

  return {
    async open(image, signal) {
      const isUrl = /^https?:\/\//i.test(image);
      const bytes = isUrl ? await download(image, signal) : decode(image);
      return bytes === undefined ? undefined : checked(bytes);
    },
  };
}

function decode(image: string): Buffer {
  const base64 = image.replace(/^data:image\/[a-z+.-]{1,20};base64,/i, '');
  if (base64.length > Math.ceil(mostBytes / 3) * 4 + 1_000) throw tooLarge();
  // Blanks are read in one way alone: two would try all ways to share megabytes of them.
  if (!/^[A-Za-z0-9+/_\s-]+(?:={1,2}\s*)?$/.test(base64)) throw notAPicture('expected base64 or an http(s) URL');
  return Buffer.from(base64, 'base64');
}

function checked(bytes: Buffer): Picture {
  if (bytes.length > mostBytes) throw tooLarge();
  const format = pictureFormat(bytes);
  if (format === undefined) throw notAPicture('expected a PNG, JPEG, GIF or WebP image');
  const { type, width, height } = format;
  if (width * height > mostPixels) {
    throw notAPicture(`expected an image of at most 40 megapixels; got ${width} × ${height}`);
  }
  return { type, bytes };
}

function tooLarge(): AppError {
  return notAPicture('expected an image of at most 10 MB');
}

function notAPicture(message: string): AppError {
  return invalid(['body', 'image'], message, 'value_error');
}
