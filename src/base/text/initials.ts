/** What names are short for: who asks for "NYC" is answered by a page on New York City that never says it. */

const run = /\p{Lu}[\p{L}\p{M}]*(?:[ -](?:(?:of|the|and|for|de) ){0,2}\p{Lu}[\p{L}\p{M}]*)+/gu;
const longest = 6;

/**
 * The initials that each run of capitalised words spells, and each part of it: two to six letters, in capitals. Small
 * words between them are passed over.
 */
export function initialsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [named] of text.matchAll(run)) {
    const letters = (named.match(/(?<![\p{L}\p{M}])\p{Lu}/gu) ?? []).slice(0, 12).join('');
    for (let from = 0; from < letters.length; from += 1)
      for (let to = from + 2; to <= Math.min(letters.length, from + longest); to += 1)
        found.add(letters.slice(from, to));
  }
  return [...found];
}

/** What a word stands for if it is written like initials, `NYC` or `NYC's`. */
export function initialsOf(written: string): string | undefined {
  return /^(\p{Lu}{2,6})(?:['’]s)?$/u.exec(written)?.[1];
}
