/** A frame as it came over the socket: one JSON object with a `type`, of a size its kind may have. */
import { sessionLimits } from '../../protocol/index.ts';
import { AppError } from '../errors.ts';

export type ClientFrame = Record<string, unknown> & { readonly type: string };

/** `text` is undefined for a frame that is not text. Throws `bad_message`, or `payload_too_large` before reading it. */
export function readFrame(text: string | undefined): ClientFrame {
  if (text === undefined) throw new AppError('bad_message', `${expected}; got a binary one.`);
  const limit = limitOf(text);
  const size = text.length > limit / 3 ? Buffer.byteLength(text) : text.length;
  if (size > limit) {
    throw new AppError('payload_too_large', `Expected a frame of at most ${limit} bytes; got ${size}.`);
  }
  const frame = parseFrame(text);
  if (frame === undefined) throw new AppError('bad_message', `${expected}; got something else.`);
  return frame;
}

const expected = 'Expected one JSON object with a "type" in a text frame';

/** Only a request with an image may be large. */
function limitOf(text: string): number {
  const { frame_bytes, frame_with_image_bytes } = sessionLimits;
  return text.length > frame_bytes / 3 && text.includes('"image"') ? frame_with_image_bytes : frame_bytes;
}

function parseFrame(text: string): ClientFrame | undefined {
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
