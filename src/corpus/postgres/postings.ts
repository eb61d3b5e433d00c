/**
 * Which passages have which terms. A posting is eight bytes: the number of the passage, how often it has the term (twice for
 * each time in the title, as with FTS5 over SQLite), and how many words it has. The postings of a chunk and a term are one
 * value, in the order of the passages, so that values of chunks can be joined, and their length counts them.
 */

import { initialsIn } from '../../base/text/initials.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { withoutMarks } from '../../base/text/stems/fold.ts';
import { stem } from '../../base/text/stems/stemmer.ts';
import { isUnspaced, wordsToIndex } from '../index/words.ts';
import { stemOf } from '../search/locate-terms.ts';

/** What is indexed of a passage. */
export interface IndexedText {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** Two numbers for each passage: its number, and its frequency and length packed into one; see `frequencyOf`, `lengthOf`. */
export type Postings = Uint32Array<ArrayBuffer>;

/** Bytes of a posting. */
export const postingBytes = 8;

const maxPacked = 0xffff;
/** Characters of a term; longer words are cut, for pages and queries alike, to fit into an index of Postgres. Set by hand. */
const maxTermChars = 200;

/** The term of a word in any case, with or without accents. */
export function termOf(word: string): string {
  return stemOf(word).slice(0, maxTermChars).toWellFormed();
}

/** The term that a word had before letters that Unicode does not decompose were folded. */
export function unfoldedTermOf(word: string): string {
  return (isUnspaced(word) ? word : stem(withoutMarks(word))).slice(0, maxTermChars).toWellFormed();
}

/** The number of times that a passage has the term, those in its title twice. */
export function frequencyOf(packed: number): number {
  return packed & maxPacked;
}

/** The number of words of a passage. */
export function lengthOf(packed: number): number {
  return packed >>> 16;
}

/** The terms of the passages added to it, which must be added in the order of their numbers. */
export interface PostingsBuilder {
  /** Returns the number of words of the passage. */
  add(passage: number, text: IndexedText): number;
  /** Adds the passages of another builder, whose numbers began at 0, with numbers that begin at `first`. */
  append(first: number, other: PostingsBuilder): void;
  /** For each term the numbers of a posting one after the other: that of the passage, and frequency and length. */
  readonly lists: ReadonlyMap<string, readonly number[]>;
  /** The terms, and the bytes of their postings. */
  finish(): { readonly terms: string[]; readonly data: Buffer[] };
}

/** Builds the postings of one chunk. */
export function createPostingsBuilder(): PostingsBuilder {
  const postings = new Map<string, number[]>();
  const listOf = (term: string) => {
    const list = postings.get(term) ?? [];
    postings.set(term, list);
    return list;
  };
  return {
    lists: postings,
    append(first, { lists }) {
      for (const [term, list] of lists) {
        const joined = listOf(term);
        for (let at = 0; at < list.length; at += 2) joined.push(first + list[at]!, list[at + 1]!);
      }
    },
    add(passage, { title, headings, text }) {
      const counts = new Map<string, number>();
      const count = (words: readonly string[], weight: number) => {
        for (const word of words) {
          const term = termOf(word);
          counts.set(term, (counts.get(term) ?? 0) + weight);
        }
        return words.length;
      };
      const inTitle = count(indexedWords([wordsToIndex(title), ...initialsIn(title)].join(' ')), 2);
      const length =
        inTitle + count(indexedWords(wordsToIndex(headings)), 1) + count(indexedWords(wordsToIndex(text)), 1);
      const packedLength = Math.min(length, maxPacked) * (maxPacked + 1);
      for (const [term, frequency] of counts) listOf(term).push(passage, packedLength + Math.min(frequency, maxPacked));
      return length;
    },
    finish() {
      const data = [...postings.values()].map((list) => toBytes(Uint32Array.from(list)));
      return { terms: [...postings.keys()], data };
    },
  };
}

/** Reads the bytes of postings. */
export function readPostings(data: Uint8Array): Postings {
  const copy = new Uint8Array(data.byteLength);
  copy.set(data);
  if (!isLittleEndian) Buffer.from(copy.buffer).swap32();
  return new Uint32Array(copy.buffer);
}

/**
 * The postings of any of several terms, as of one term: a passage with several of them has it as often as all of them
 * together.
 */
export function mergePostings(lists: readonly Postings[]): Postings {
  const packed = new Map<number, number>();
  for (const list of lists) {
    for (let at = 0; at < list.length; at += 2) {
      const known = packed.get(list[at]!);
      const next = list[at + 1]!;
      const frequency = known === undefined ? 0 : frequencyOf(known);
      packed.set(list[at]!, next - frequencyOf(next) + Math.min(frequency + frequencyOf(next), maxPacked));
    }
  }
  return Uint32Array.from([...packed].sort(([a], [b]) => a - b).flat());
}

/** The bytes of the postings of the passages for which `isKept` is true. */
export function withoutPassages(data: Uint8Array, isKept: (passage: number) => boolean): Buffer {
  const all = readPostings(data);
  const kept = new Uint32Array(all.length);
  let length = 0;
  for (let at = 0; at < all.length; at += 2) {
    if (!isKept(all[at]!)) continue;
    kept[length] = all[at]!;
    kept[length + 1] = all[at + 1]!;
    length += 2;
  }
  return toBytes(kept.slice(0, length));
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Little-endian on every machine. */
function toBytes(postings: Postings): Buffer {
  const bytes = Buffer.from(postings.buffer, postings.byteOffset, postings.byteLength);
  return isLittleEndian ? bytes : bytes.swap32();
}

function indexedWords(text: string): readonly string[] {
  return plainWordsIn(text.toWellFormed());
}
