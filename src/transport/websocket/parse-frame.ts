/** Parses a client's frame as far as every frame is alike: one JSON object with a `type`, within the size limits. */
import { clientFrames, jsonLimits, sessionLimits } from '../../../protocol/index.ts';
import { AppError, invalidAt } from '../../base/errors.ts';
import { checkJsonLimits, type JsonLimits } from '../json-limits.ts';
import { parseJson } from '../parse-json.ts';

export type ClientFrame = Record<string, unknown> & { readonly type: string };

/**
 * `text` is undefined for a frame that is not text; `bytes` is its size. Throws `bad_message`, `payload_too_large` or, for a
 * frame that holds more than any may, `validation_error`.
 */
export function parseFrame(text: string | undefined, bytes: number): ClientFrame {
  if (text === undefined) throw new AppError('bad_message', `${expected}; got a binary one.`);
  const exceeded = checkJsonLimits(text, bytes, limits);
  if (exceeded?.what === 'count') throw invalidAt([exceeded.issue]);
  if (exceeded?.what === 'depth') throw new AppError('bad_message', `${expected}; got one nested too deep.`);
  if (exceeded?.what === 'size') {
    const message = `Expected a frame of at most ${limits.bytes} bytes, ${limits.with_image} with an image; got more.`;
    throw new AppError('payload_too_large', message);
  }
  const frame = parseObject(text);
  if (frame === undefined) throw new AppError('bad_message', `${expected}; got something else.`);
  return frame;
}

/** Throws `payload_too_large` for a frame of few, short fields that is larger than it can be. */
export function checkFrameSize({ type }: ClientFrame, bytes: number): void {
  if (bytes <= controlBytes || type === 'search.start' || !Object.hasOwn(clientFrames, type)) return;
  throw new AppError('payload_too_large', `Expected a ${type} of at most ${controlBytes} bytes; got ${bytes}.`);
}

/**
 * Throws `bad_message` for a frame of few, short fields that is far larger than it can be, by its first bytes: nobody reads
 * the rest. Frames whose type is not at their start are parsed.
 */
export function checkFrameStart(content: Uint8Array, isText: boolean): void {
  const { buffer, byteOffset, byteLength } = content;
  if (!isText || byteLength <= absurdBytes) return;
  const start = Buffer.from(buffer, byteOffset, 256).toString('latin1');
  const type = /^\s*\{\s*(?:"ref"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([a-z.]*)"/.exec(start)?.[1];
  if (type === undefined || type === 'search.start') return;
  const message = `Expected a frame of the type ${type} to have at most ${controlBytes} bytes; got ${byteLength}.`;
  throw new AppError('bad_message', message);
}

/** The ref of a frame that was not parsed; undefined unless it is at its start, where clients usually write it. */
export function refAtStart(text = ''): string | undefined {
  const start = text.slice(0, 512);
  return /^\s*\{\s*(?:"type"\s*:\s*"[a-z.]*"\s*,\s*)?"ref"\s*:\s*"([^"\\]{1,128})"/.exec(start)?.[1];
}

const expected = 'Expected one JSON object with a "type" in a text frame';
const limits: JsonLimits = {
  bytes: sessionLimits.frame_bytes,
  with_image: sessionLimits.frame_with_image_bytes,
  keys: jsonLimits.keys,
  values: jsonLimits.values,
};
const controlBytes = sessionLimits.control_frame_bytes;
/** No mistake makes such a frame this large; set by hand. */
const absurdBytes = 64 * 1024;

function parseObject(text: string): ClientFrame | undefined {
  try {
    const frame: unknown = parseJson(text);
    return isFrame(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

function isFrame(value: unknown): value is ClientFrame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
