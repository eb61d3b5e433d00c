/** Parses a client's frame as far as every frame is alike: one JSON object with a `type`, within the size limits. */
import { sessionLimits } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { checkJsonLimits } from '../http/json-limits.ts';

export type ClientFrame = Record<string, unknown> & { readonly type: string };

/** `text` is undefined for a frame that is not text. Throws `bad_message` or `payload_too_large`. */
export function parseFrame(text: string | undefined): ClientFrame {
  if (text === undefined) throw new AppError('bad_message', `${expected}; got a binary one.`);
  const exceeded = checkJsonLimits(text, Buffer.byteLength(text), limits);
  if (exceeded === 'too_deep') throw new AppError('bad_message', `${expected}; got one nested too deep.`);
  if (exceeded === 'too_large') {
    const { bytes, with_image } = limits;
    const message = `Expected a frame of at most ${bytes} bytes, ${with_image} with an image; got more.`;
    throw new AppError('payload_too_large', message);
  }
  const frame = parseObject(text);
  if (frame === undefined) throw new AppError('bad_message', `${expected}; got something else.`);
  return frame;
}

const expected = 'Expected one JSON object with a "type" in a text frame';
const limits = { bytes: sessionLimits.frame_bytes, with_image: sessionLimits.frame_with_image_bytes };

function parseObject(text: string): ClientFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return isFrame(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

function isFrame(value: unknown): value is ClientFrame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
