/** The JSON of a request: its media type, its size, its encoding and its syntax, each with an error that says so. */
import { requestLimits } from '../../../protocol/index.ts';
import { AppError, invalid } from '../../base/errors.ts';
import type { Exchange } from '../exchange.ts';
import { checkJsonLimits } from './json-limits.ts';

/** Rejects with 415, 413 or 422. */
export async function readJson(exchange: Exchange): Promise<unknown> {
  const type = exchange.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const got = type === '' ? 'none' : JSON.stringify(type.slice(0, 100));
    throw new AppError('unsupported_media_type', `Expected Content-Type application/json; got ${got}.`);
  }
  const coding = exchange.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    const message = `Expected a body without Content-Encoding; got ${JSON.stringify(coding.slice(0, 60))}.`;
    throw new AppError('unsupported_media_type', message);
  }
  return parseJson(await exchange.body());
}

/** The same; a body that is not there, or empty, is no inputs at all. */
export async function readJsonIfAny(exchange: Exchange): Promise<unknown> {
  return (await exchange.body()).byteLength === 0 ? {} : readJson(exchange);
}

const bounds = { bytes: requestLimits.body_bytes, with_image: requestLimits.body_with_image_bytes };

/** JSON in UTF-8. More than the ordinary size is for bodies that carry an image. */
function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw invalid(['body'], 'expected a JSON object; got an empty body', 'missing');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(['body'], 'expected UTF-8; got bytes that are not', 'json_invalid');
  }
  const unfit = checkJsonLimits(text, bytes.byteLength, bounds);
  if (unfit === 'too_deep') throw invalid(['body'], 'expected a JSON object; got one nested too deep', 'json_invalid');
  if (unfit === 'too_large') {
    const message = `Expected a body of at most ${bounds.bytes} bytes, ${bounds.with_image} with an image; got more.`;
    throw new AppError('payload_too_large', message);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(['body'], `expected JSON; ${syntaxFault(error)}`, 'json_invalid');
  }
}

/** What the parser says, without the piece of the body it likes to quote. */
function syntaxFault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return (
    /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0].replace(/^/, 'it breaks ') ?? 'it ends too early'
  );
}
