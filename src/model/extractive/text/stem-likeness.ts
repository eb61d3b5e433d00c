/** Whether two stems that differ are of the same word, or of one that has the other in it: typos, compounds, endings. */

/** Characters; shorter stems match only exactly. Set by hand, as are the other numbers of this file. */
export const minPrefix = 5;

/** Characters that both of two stems have after their common prefix if they are of two words. */
const minOtherTail = 3;

/** Characters of the longer of two stems that may differ by a typo. */
const minTypoLength = 7;

/**
 * Whether what two stems have after their common beginning makes two words of them, "studi" and "studio", "interest" and
 * "internet": an ending is of one of them, or short.
 */
export function areApart(one: string, other: string): boolean {
  if (one === 'o' || other === 'o') return true;
  return one.length >= minOtherTail && other.length >= minOtherTail;
}

/** Whether two German stems are of one word for a man and for a woman. */
export function isFeminine(a: string, b: string): boolean {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return short.length >= minPrefix && long.startsWith(short) && /^(?:er){0,2}inn?$/.test(long.slice(short.length));
}

/** Whether one of two stems is the end of the other, of which at least three letters are left. */
export function endsCompound(a: string, b: string): boolean {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return short.length >= minPrefix && long.length - short.length >= 3 && long.endsWith(short);
}

/** Whether a stem of the text begins with one of the question, after which a word can follow. */
export function beginsCompound(said: string, asked: string): boolean {
  return asked.length >= minPrefix && said.length - asked.length >= minPrefix && said.startsWith(asked);
}

/** Whether two stems, not both empty, differ by one letter inserted, left out or replaced, or by two that are swapped. */
export function isTypo(a: string, b: string): boolean {
  const longer = a.length - b.length;
  if (longer > 1 || longer < -1 || (a.length < minTypoLength && b.length < minTypoLength)) return false;
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  const from = sharedPrefix(a, b);
  const restA = a.slice(from);
  const restB = b.slice(from);
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}

/** How many characters two stems begin with in common. */
export function sharedPrefix(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  return i;
}
