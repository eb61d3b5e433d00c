/** Some models get stuck and repeat the same words until they are cut off. */

/** Characters; set by hand, like the numbers below. */
const window = 2_000;
const checkEvery = 400;
const minText = 800;
const tailLength = 40;
const maxRepeats = 6;

/**
 * Takes the pieces of a stream. Returns true once the stream repeats itself: its last 40 characters occur at least six
 * times in its last 2,000.
 */
export function createRepetitionGuard(): (piece: string) => boolean {
  let recent = '';
  let unchecked = 0;
  return (piece) => {
    recent += piece;
    unchecked += piece.length;
    if (unchecked < checkEvery) return false;
    unchecked = 0;
    recent = recent.slice(-window);
    const tail = recent.slice(-tailLength);
    return tail.trim().length > 10 && recent.length >= minText && recent.split(tail).length - 1 >= maxRepeats;
  };
}
