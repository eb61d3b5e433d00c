/** Reads the JSON of a request and checks its media type, size, encoding and syntax, with a separate error for each. */
import { isAscii } from 'node:buffer';
import { jsonLimits, requestLimits } from '../../../protocol/index.ts';
import { AppError, invalid, invalidAt } from '../../base/errors.ts';
import type { Exchange } from '../exchange.ts';
import { checkJsonLimits, type JsonLimits } from '../json-limits.ts';
import { parseJson } from '../parse-json.ts';
import { inDedicatedTick } from '../tick-queue.ts';

type JsonRequest = Pick<Exchange, 'headers' | 'body'>;

/** Reads a JSON body. Rejects with 413, 415 or 422. */
export async function readJson(request: JsonRequest, limits: JsonLimits): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const got = type === '' ? 'none' : JSON.stringify(type.slice(0, 100));
    throw new AppError('unsupported_media_type', `Expected Content-Type application/json; got ${got}.`);
  }
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const message = `Expected a body without Content-Encoding; got ${JSON.stringify(coding.slice(0, 60))}.`;
    throw new AppError('unsupported_media_type', message);
  }
  const bytes = await request.body(limits.with_image);
  const size = bytes.byteLength;
  if (size <= requestLimits.body_bytes) return parseWithin(decode(bytes), size, limits);
  // Decoding megabytes takes as long as the rest, and other bodies may arrive at the same time.
  const text = await inDedicatedTick(() => decode(bytes));
  return inDedicatedTick(() => parseWithin(text, size, limits));
}

/** The same, with `{}` for a missing or empty body. */
export async function readJsonIfAny(request: JsonRequest, limits: JsonLimits): Promise<unknown> {
  return (await request.body(limits.with_image)).byteLength === 0 ? {} : readJson(request, limits);
}

function decode(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw invalid(['body'], 'expected a JSON object; got an empty body', 'missing');
  // The same text, in half of the time.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(['body'], 'expected UTF-8; got bytes that are not', 'json_invalid');
  }
}

/** `size` is that of the text in bytes. Only a body with an image may exceed the ordinary size. */
function parseWithin(text: string, size: number, limits: JsonLimits): unknown {
  const exceeded = checkJsonLimits(text, size, limits);
  if (exceeded?.what === 'count') throw invalidAt([exceeded.issue]);
  if (exceeded?.what === 'depth') {
    throw invalid(['body'], `expected at most ${jsonLimits.depth} levels; got more`, 'too_deep');
  }
  if (exceeded?.what === 'size') {
    const message = `Expected a body of at most ${limits.bytes} bytes, ${limits.with_image} with an image; got more.`;
    throw new AppError('payload_too_large', message);
  }
  try {
    return parseJson(text, limits.images);
  } catch (error) {
    throw invalid(['body'], `expected JSON; ${syntaxFault(error)}`, 'json_invalid');
  }
}

/** The parser's message without the excerpt of the body that it quotes: it names a position, or only the character that it did not expect. */
function syntaxFault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (position !== undefined) return `it breaks ${position}`;
  const character = /^Unexpected token '(.)'/su.exec(message)?.[1];
  if (character !== undefined) return `it breaks at ${JSON.stringify(character)}`;
  // "[object Object]" and "undefined", which it names as a whole.
  if (message.endsWith('is not valid JSON')) return 'it has no JSON value';
  return 'it ends too early';
}
