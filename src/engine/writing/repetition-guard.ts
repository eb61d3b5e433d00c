/** Some models get stuck and repeat the same words until they are cut off. */

/** Characters; set by hand, like the numbers below. */
const window = 8_000;
const checkEvery = 400;
const minText = 800;
/** White space in a row. */
const maxBlank = 600;
/** Characters at the end whose earlier occurrences suggest a period. */
const tailLength = 40;
/** Repetitions in a row, and characters of all of them together: a few equal cells of a table are not enough. */
const minRepeats = 3;
const minRepeated = 600;
/** From this length on, nobody writes a text twice in a row. */
const longText = 700;

/**
 * Takes the pieces of a stream. Returns true once the stream repeats itself: its end is the same text over and over, at least three times
 * and 600 characters, or twice if it is long. Rows of a table that differ in one cell are not repetitions.
 */
export function createRepetitionGuard(): (piece: string) => boolean {
  let recent = '';
  let unchecked = 0;
  let blank = 0;
  return (piece) => {
    const said = piece.trimEnd().length;
    blank = (said === 0 ? blank : 0) + piece.length - said;
    if (blank > maxBlank) return true;
    recent += piece;
    unchecked += piece.length;
    if (unchecked < checkEvery) return false;
    unchecked = 0;
    recent = recent.slice(-window);
    return recent.length >= minText && repeatsItself(recent);
  };
}

function repeatsItself(text: string): boolean {
  const tail = text.slice(-tailLength);
  if (tail.trim().length <= 10) return false;
  for (let at = text.lastIndexOf(tail, text.length - tailLength - 1); at !== -1; at = text.lastIndexOf(tail, at - 1)) {
    const period = text.length - tailLength - at;
    const length = Math.max(minRepeated, (period < longText ? minRepeats : 2) * period);
    // A periodic text equals itself shifted by its period.
    if (length <= text.length && text.slice(-length, -period) === text.slice(period - length)) return true;
    if (at === 0) break;
  }
  return false;
}
