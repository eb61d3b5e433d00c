/**
 * Regular expressions that callers write, run by RE2, whose time grows with the length of the text and never exponentially: no caller
 * holds the process with one. They are small, too: a counted repetition is a copy each time.
 */

/** Whether a text has what a pattern describes, anywhere in it. */
export type TextTest = (text: string) => boolean;

// Set by hand.
/** Characters of a pattern, and what it may be expanded to. With the largest, a text of 500 characters takes some 20 ms. */
const maxPattern = 500;
const maxSteps = 2_000;

/** Compiles a pattern as JavaScript writes it. Rejects with a `SyntaxError` for one that RE2 does not know, or that is too large. */
export async function compilePattern(pattern: string): Promise<TextTest> {
  if (pattern.length > maxPattern) throw new SyntaxError(`it is longer than ${maxPattern} characters`);
  if (sizeOf(pattern) > maxSteps) throw new SyntaxError('its repetitions are too long');
  // It is rarely needed, and not small.
  const { RE2JS } = await import('re2js');
  let compiled: ReturnType<typeof RE2JS.compile>;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new SyntaxError((error as Error).message);
  }
  return (text) => compiled.matcher(text).find();
}

/** At least what a pattern is expanded to: repetitions of one character add to it, those of groups multiply it. */
function sizeOf(pattern: string): number {
  let factor = 1;
  let size = pattern.length;
  for (const [, before, least, most] of pattern.matchAll(/(.)\{(\d+)(?:,(\d*))?\}/gsu)) {
    const times = Math.max(1, Number(least), Number(most ?? 0));
    if (before === ')') factor *= times;
    else size += times;
  }
  return size * factor;
}
