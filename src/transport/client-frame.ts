/** A frame as it came over the socket: one JSON object with a `type`, of a size its kind may have. */
import { sessionLimits } from '../../protocol/index.ts';
import { AppError } from '../errors.ts';

export type ClientFrame = Record<string, unknown> & { readonly type: string };

/** Undefined for whatever is no message at all. */
export function readFrame(text: string): ClientFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return isFrame(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `payload_too_large`. Only a request with an image may be large. */
export function checkSize(text: string, frame: ClientFrame): void {
  const { frame_bytes, frame_with_image_bytes } = sessionLimits;
  const request = frame.request;
  const withImage = typeof request === 'object' && request !== null && 'image' in request;
  const limit = withImage ? frame_with_image_bytes : frame_bytes;
  const size = text.length > limit / 3 ? Buffer.byteLength(text) : text.length;
  if (size > limit) {
    throw new AppError('payload_too_large', `Expected a frame of at most ${limit} bytes; got ${size}.`);
  }
}

function isFrame(value: unknown): value is ClientFrame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
