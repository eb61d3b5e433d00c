/**
 * Reads a response's body into memory, undoing its content codings as it streams. Decoded bytes are counted, so a
 * small body that expands to gigabytes stops at the same cap as a large plain one, and nothing past it is held in memory.
 */
import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { PageError } from '../page-error.ts';

export interface BodyOptions {
  readonly encoding: string | undefined;
  readonly maxBytes: number;
  /** What to do with a body past the cap: fail with `too_large`, or keep what fits. */
  readonly over: 'fail' | 'cut';
}

/** Sent as `Accept-Encoding`. */
export const acceptedCodings = 'gzip, deflate, br';

/** Codings applied one after another; set by hand. */
const maxCodings = 2;

/** The decoded bytes of a body. Rejects with a PageError `too_large`, `unsupported_type` or `parse_failed`, or the signal's reason. */
export async function readBody(body: Readable, options: BodyOptions, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  signal.throwIfAborted();
  const decoded = await decode(body, options.encoding, signal);
  const stop = () => decoded.destroy(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      const room = options.maxBytes - size;
      if (chunk.length > room) {
        if (options.over === 'fail') throw tooLarge(options.maxBytes);
        chunks.push(chunk.subarray(0, room));
        break;
      }
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!isZlibError(error)) throw error;
    throw new PageError('parse_failed', 'The body does not match its Content-Encoding.', { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    decoded.destroy();
    body.destroy();
  }
  return Buffer.concat(chunks);
}

/** The PageError for a body of more than `maxBytes` decoded bytes. */
export function tooLarge(maxBytes: number): PageError {
  return new PageError('too_large', `The page is larger than ${Math.round(maxBytes / 1024 / 1024)} MB once unpacked.`);
}

async function decode(body: Readable, encoding: string | undefined, signal: AbortSignal): Promise<Readable> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > maxCodings)
    throw new PageError('unsupported_type', `Expected at most ${maxCodings} content codings; got ${codings.length}.`);
  const bare = codings[0] === 'deflate' && (await isBareDeflate(body, signal));
  const steps = codings.map((coding) => decoder(coding, bare));
  if (steps.length === 0) return body;
  // The pipeline destroys every step when one fails; the reader gets the error from the last one.
  return pipeline([body, ...steps], () => {}) as unknown as Readable;
}

function decoder(coding: string, bareDeflate: boolean): Transform {
  // A truncated body still yields what arrived, as in browsers.
  const lenient = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  if (coding === 'gzip' || coding === 'x-gzip') return zlib.createGunzip(lenient);
  if (coding === 'deflate') return bareDeflate ? zlib.createInflateRaw(lenient) : zlib.createInflate(lenient);
  if (coding === 'br') {
    const flush = zlib.constants.BROTLI_OPERATION_FLUSH;
    return zlib.createBrotliDecompress({ flush, finishFlush: flush });
  }
  throw new PageError(
    'unsupported_type',
    `Expected one of ${acceptedCodings} as Content-Encoding; got ${coding.slice(0, 40)}.`,
  );
}

/** Servers send deflate with and without the zlib header under the same name; the first byte distinguishes them. */
async function isBareDeflate(body: Readable, signal: AbortSignal): Promise<boolean> {
  if (body.readableLength === 0 && !body.readableEnded) await once(body, 'readable', { signal });
  const chunk: Buffer | null = body.read();
  if (chunk === null) return false;
  body.unshift(chunk);
  return (chunk[0]! & 0x0f) !== 8;
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code);
}
