/**
 * Limits of JSON that keep its parsing from blocking the event loop. Only an image may be large, as one long string costs
 * the parser little; everything else has the ordinary size, and nothing is nested deeper than any request could be.
 */

export interface JsonLimits {
  /** Bytes of everything except the image. */
  readonly bytes: number;
  /** Bytes in total. */
  readonly with_image: number;
}

/** Deeper than any request, shallow enough for any parser; set by hand. */
const maxDepth = 64;

/** Returns which limit the text exceeds, undefined if none. `size` is its size in bytes. */
export function checkJsonLimits(text: string, size: number, limits: JsonLimits): 'too_large' | 'too_deep' | undefined {
  if (size > limits.with_image) return 'too_large';
  const image = size > limits.bytes ? longestImage(text) : { start: 0, end: 0 };
  if (size - (image.end - image.start) > limits.bytes) return 'too_large';
  return isDeep(text, image) ? 'too_deep' : undefined;
}

/** The range of the longest string that is the value of a field "image". Base64 and URLs need no escapes. */
function longestImage(text: string): { start: number; end: number } {
  let longest = { start: 0, end: 0 };
  const field = /"image"\s*:\s*"/g;
  for (let found = field.exec(text); found !== null; found = field.exec(text)) {
    const start = found.index + found[0].length;
    const end = text.indexOf('"', start);
    if (end === -1) break;
    if (end - start > longest.end - longest.start) longest = { start, end };
    field.lastIndex = end;
  }
  return longest;
}

function isDeep(text: string, image: { start: number; end: number }): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = at + 1 === image.start ? image.end : endOfString(text, at + 1);
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** The index of the quote that closes the string from `from`; the text's length if none does. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [...'"\\{}[]'].map((c) => c.charCodeAt(0));
