/** Initials of names: a question about "NYC" is answered by a page on New York City that never says "NYC". */

const run = /\p{Lu}[\p{L}\p{M}]*(?:[ -](?:(?:of|the|and|for|de) ){0,2}\p{Lu}[\p{L}\p{M}]*)+/gu;
const maxLetters = 6;

/**
 * The initials of each run of capitalised words in a text and of each part of a run: two to six capitals, each once. Small
 * words between them are skipped.
 */
export function initialsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [named] of text.matchAll(run)) {
    const letters = (named.match(/(?<![\p{L}\p{M}])\p{Lu}/gu) ?? []).slice(0, 12).join('');
    for (let from = 0; from < letters.length; from += 1)
      for (let to = from + 2; to <= Math.min(letters.length, from + maxLetters); to += 1)
        found.add(letters.slice(from, to));
  }
  return [...found];
}

/** The initials if a word is written like some, `NYC` for `NYC` or `NYC's`; otherwise undefined. */
export function initialsOf(written: string): string | undefined {
  return /^(\p{Lu}{2,6})(?:['’]s)?$/u.exec(written)?.[1];
}
