/**
 * JSON.parse for texts that may hold an image of megabytes: it would look at each character of the image and copy it, which
 * holds the event loop longer than all the rest of a request. The image is cut out before and put back as a part of the text.
 */
import { randomUUID } from 'node:crypto';
import { findLongestImage } from './json-limits.ts';

/** Below this size the detour costs more than it saves; set by hand. */
const largeCharacters = 1024 * 1024;

/** Searched for one by one, which is ten times as fast as an expression for all. */
const notInImages = ['\\', '\n', '\r', '\t'];

/** The same value as `JSON.parse(text)`, and the same error. `imageFields` are the names that images have, as in JsonLimits. */
export function parseJson(text: string, imageFields?: readonly string[]): unknown {
  if (text.length < largeCharacters) return JSON.parse(text);
  const { start, end } = findLongestImage(text, imageFields);
  const image = text.slice(start, end);
  // Only what stands for itself in JSON can be taken as it is. Other control characters are neither base64 nor part of a URL.
  if (image.length < largeCharacters || notInImages.some((each) => image.includes(each))) return JSON.parse(text);
  const mark = randomUUID();
  try {
    return JSON.parse(`${text.slice(0, start)}${mark}${text.slice(end)}`, (_, value) =>
      value === mark ? image : value,
    );
  } catch {
    // Its error names a place.
    return JSON.parse(text);
  }
}
