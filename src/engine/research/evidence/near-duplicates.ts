/**
 * The same story on several sites is one source: a passage that another site has already said, nearly word for word, takes
 * the place of something new. Passages that differ in a name or a number are kept, because there sites disagree.
 */
import type { Passage } from '../../ports/snapshot.ts';

/** Words of a shingle, and the share of a passage's shingles that another must have; set by hand. */
const shingleWords = 4;
const minShared = 0.75;
/** Shorter texts repeat one another by chance. */
const minShingles = 8;

export interface NearDuplicates {
  /** Whether a passage of another site, added before, says all of this one. */
  has(passage: Passage): boolean;
  add(passage: Passage): void;
}

/**
 * An empty set, for one ranking. Passages are compared only once they come from two sites: in most searches of an index
 * they come from one.
 */
export function createNearDuplicates(): NearDuplicates {
  const prints = new Map<Passage, Print>();
  const added: Passage[] = [];
  const printOf = (passage: Passage) => {
    const known = prints.get(passage) ?? print(passage.text);
    prints.set(passage, known);
    return known;
  };
  return {
    has(passage) {
      const site = siteOf(passage);
      const others = added.filter((other) => siteOf(other) !== site);
      if (others.length === 0 || printOf(passage).shingles.length < minShingles) return false;
      return others.some((other) => saysAllOf(printOf(other), printOf(passage)));
    },
    add: (passage) => void added.push(passage),
  };
}

/** The host of the page, with its port. */
function siteOf({ url }: Passage): string {
  return url.split('/', 3)[2] ?? '';
}

interface Print {
  readonly shingles: readonly string[];
  readonly held: ReadonlySet<string>;
  /** Names and numbers: words that begin with a capital or have a digit. */
  readonly telling: ReadonlySet<string>;
}

function print(text: string): Print {
  const words = text.match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
  const folded = words.map((word) => word.toLowerCase());
  const shingles = folded.slice(shingleWords - 1).map((_, at) => folded.slice(at, at + shingleWords).join(' '));
  const telling = new Set(words.filter((word) => /^\p{Lu}|\p{N}/u.test(word)).map((word) => word.toLowerCase()));
  return { shingles, held: new Set(shingles), telling };
}

function saysAllOf(other: Print, { shingles, telling }: Print): boolean {
  for (const word of telling) if (!other.telling.has(word)) return false;
  const shared = shingles.filter((shingle) => other.held.has(shingle)).length;
  return shared >= minShared * shingles.length;
}
