/**
 * Reads a response's body into memory, undoing its content codings as it streams. Decoded bytes are counted, so a
 * small body that expands to gigabytes stops at the same cap as a large plain one, and nothing past it is held in memory. A
 * body that ends within its coding fails, as one that is shorter than its Content-Length does: half a page, sitemap or
 * robots.txt must not pass for a whole one.
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
  /** Called with the number of bytes before each piece is kept; what it throws ends the reading. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/** Sent as `Accept-Encoding`. */
export const acceptedCodings = 'gzip, deflate, br';

/** Codings applied one after another; set by hand. */
const maxCodings = 2;

/**
 * The decoded bytes of a body. Rejects with a PageError `too_large`, `unsupported_type`, `parse_failed` or, for a body that is
 * cut off, `unreachable`; with the signal's reason; or as the body does.
 */
export async function readBody(body: Readable, options: BodyOptions, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  signal.throwIfAborted();
  let decoded = body;
  const stop = () => decoded.destroy(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const codings = readCodings(options.encoding);
    // An empty body was not coded.
    const first = codings.length === 0 ? undefined : await peek(body);
    if (first !== undefined) decoded = decode(body, codings, first);
    signal.throwIfAborted();
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      const room = options.maxBytes - size;
      if (chunk.length > room) {
        if (options.over === 'fail') throw tooLarge(options.maxBytes);
        options.take?.(room);
        chunks.push(chunk.subarray(0, room));
        break;
      }
      options.take?.(chunk.length);
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!isZlibError(error)) throw error;
    // As for a connection that closes too early.
    if (isCut(error)) {
      const message = 'The page is incomplete: its body ends before its Content-Encoding does.';
      throw new PageError('unreachable', message, { cause: error });
    }
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

/** What servers name where there is no coding: words for none, charsets and codings of the transfer. Browsers ignore them as well. */
const noCoding =
  /^(?:identity|none|null|utf-?8|(?:us-)?ascii|iso-8859-\d{1,2}|windows-125\d|binary|[78]bit|(?:aws-)?chunked)$/;

/** The codings to undo, in that order. */
function readCodings(encoding: string | undefined): string[] {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && !noCoding.test(coding))
    .reverse();
  if (codings.length > maxCodings)
    throw new PageError('unsupported_type', `Expected at most ${maxCodings} content codings; got ${codings.length}.`);
  return codings;
}

function decode(body: Readable, codings: readonly string[], first: Buffer): Readable {
  const steps = codings.map((coding) => decoder(coding, first));
  // The pipeline destroys every step when one fails; the reader gets the error from the last one.
  return pipeline([body, ...steps], () => {}) as unknown as Readable;
}

function decoder(coding: string, first: Buffer): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return zlib.createGunzip();
  // Servers send deflate with and without the zlib header under the same name; the first byte distinguishes them.
  if (coding === 'deflate') return (first[0]! & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
  if (coding === 'br') return zlib.createBrotliDecompress();
  throw new PageError(
    'unsupported_type',
    `Expected one of ${acceptedCodings} as Content-Encoding; got ${coding.slice(0, 40)}.`,
  );
}

/** The first bytes of a body, which stay in it; undefined for an empty one. Rejects as the body does. */
async function peek(body: Readable): Promise<Buffer | undefined> {
  const settled = new AbortController();
  try {
    while (!body.readableEnded) {
      if (body.errored !== null) throw body.errored;
      const chunk: Buffer | null = body.read();
      if (chunk !== null) {
        body.unshift(chunk);
        return chunk;
      }
      // A body that is empty from the start may end without becoming readable.
      await Promise.race(['readable', 'end'].map((event) => once(body, event, settled)));
    }
    return undefined;
  } finally {
    settled.abort();
  }
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code);
}

function isCut(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'Z_BUF_ERROR';
}
