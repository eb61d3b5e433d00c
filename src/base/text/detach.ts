/**
 * A copy of a slice of a text, to be kept longer than the text. V8 makes slices of 13 characters or more, and what a regular
 * expression matches, as references to the whole: one long word in a cache holds all of the page that it was read in.
 */
export function detach(slice: string): string {
  // Slicing what was joined copies it first.
  return ` ${slice}`.slice(1);
}
