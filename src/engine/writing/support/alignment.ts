/**
 * Which word of a claim is which word of its source. First the longest common sequence of equal words, then equal words in another
 * place, then words that mean the same, then words that contradict each other. What no word of the source stands for is missing;
 * where the source says something else in its place, that is a substitution.
 */
import type { Reading } from './reading/reading.ts';
import { type Relation, relate } from './reading/word-relations.ts';

export interface Match {
  /** Index of the source's token. */
  readonly at: number;
  readonly relation: Relation;
  /** Whether it is part of the common sequence. */
  readonly inOrder: boolean;
}

export interface Substitution {
  /** Indices of tokens: the claim says one, the source the other in its place. */
  readonly said: number;
  readonly found: number;
}

export interface Alignment {
  /** By index of the claim's token. */
  readonly matches: ReadonlyMap<number, Match>;
  /** By index of the source's token, the claim's. */
  readonly reverse: ReadonlyMap<number, number>;
  readonly substitutions: readonly Substitution[];
}

/** Weights of words in the common sequence: names may be anywhere in a sentence, verbs hold it together. Set by hand. */
const weight = { content: 1, light: 0.4, name: 0.35 };
/** Words of one sentence that are compared; a longer "sentence" is a list, or not prose at all. */
const maxWords = 120;

/** Aligns a claim with its source. Words of `headings` need no counterpart: what the page is about is often a pronoun there. */
export function align(claim: Reading, source: Reading, headings: ReadonlySet<string>): Alignment {
  const said = claim.words.slice(0, maxWords);
  const found = source.words.slice(0, 2 * maxWords);
  const matches = new Map<number, Match>();
  const reverse = new Map<number, number>();
  const match = (at: number, to: number, relation: Relation, inOrder: boolean) => {
    matches.set(at, { at: to, relation, inOrder });
    reverse.set(to, at);
  };

  for (const [at, to] of commonSequence(claim, source, said, found)) match(at, to, 'same', true);
  for (const wanted of ['equal', 'related', 'opposed'] as const) {
    for (const at of said) {
      if (matches.has(at) || (wanted === 'related' && headings.has(claim.tokens[at]!.stem))) continue;
      const to = nearest(at, wanted);
      if (to !== undefined) match(at, to.at, to.relation, false);
    }
  }
  return { matches, reverse, substitutions: substitutions(claim, source, said, found, matches, reverse) };

  /** The free token of the source that fits, nearest to where the words around it lead. */
  function nearest(
    at: number,
    wanted: 'equal' | 'related' | 'opposed',
  ): { at: number; relation: Relation } | undefined {
    const token = claim.tokens[at]!;
    const expected = expectedPlace(at);
    let best: { at: number; relation: Relation; distance: number } | undefined;
    for (const to of found) {
      if (reverse.has(to)) continue;
      const other = source.tokens[to]!;
      const isEqual = token.stem === other.stem;
      if (isEqual !== (wanted === 'equal')) continue;
      const relation = isEqual ? 'same' : relationOf(at, to);
      if (relation === undefined) continue;
      const isOpposed = relation === 'opposite' || relation === 'rival' || relation === 'converse';
      if (!isEqual && isOpposed !== (wanted === 'opposed')) continue;
      const distance = Math.abs(to - expected);
      if (best === undefined || distance < best.distance) best = { at: to, relation, distance };
    }
    return best;
  }

  function relationOf(at: number, to: number): Relation | undefined {
    const [token, other] = [claim.tokens[at]!, source.tokens[to]!];
    if (token.superlativeOf !== undefined && other.superlativeOf !== undefined) {
      return relate(token.stem, other.stem) ?? relate(token.superlativeOf, other.superlativeOf);
    }
    if (other.superlativeOf !== undefined && relate(token.stem, other.superlativeOf) === 'same') return 'wider';
    // A name matches only itself: "Green" is not "Labour", and names have no synonyms.
    if (claim.isName[at] && source.isName[to]) return demonym(token.stem, other.stem) ? 'same' : undefined;
    return relate(token.stem, other.stem) ?? (claim.isName[at] && demonym(token.stem, other.stem) ? 'same' : undefined);
  }

  function expectedPlace(at: number): number {
    for (let step = 1; step < claim.tokens.length; step += 1) {
      const [before, after] = [matches.get(at - step), matches.get(at + step)];
      if (before !== undefined) return before.at + step;
      if (after !== undefined) return after.at - step;
    }
    return at;
  }
}

/** "Belgian" and "Belgium". */
function demonym(one: string, other: string): boolean {
  return one.length >= 5 && other.length >= 5 && one.slice(0, 5) === other.slice(0, 5);
}

function commonSequence(
  claim: Reading,
  source: Reading,
  said: readonly number[],
  found: readonly number[],
): [number, number][] {
  const columns = found.length + 1;
  const best = new Float32Array((said.length + 1) * columns);
  const weightOf = (at: number) =>
    claim.isName[at] ? weight.name : claim.tokens[at]!.kind === 'light' ? weight.light : weight.content;
  for (let i = said.length - 1; i >= 0; i -= 1) {
    const { stem } = claim.tokens[said[i]!]!;
    const gain = weightOf(said[i]!);
    for (let j = found.length - 1; j >= 0; j -= 1) {
      const skip = Math.max(best[(i + 1) * columns + j]!, best[i * columns + j + 1]!);
      const take = stem === source.tokens[found[j]!]!.stem ? gain + best[(i + 1) * columns + j + 1]! : -1;
      best[i * columns + j] = Math.max(skip, take);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < said.length && j < found.length; ) {
    const here = best[i * columns + j]!;
    const isEqual = claim.tokens[said[i]!]!.stem === source.tokens[found[j]!]!.stem;
    if (
      isEqual &&
      here > best[i * columns + j + 1]! - 1e-6 &&
      here > best[(i + 1) * columns + j]! - 1e-6 &&
      Math.abs(here - weightOf(said[i]!) - best[(i + 1) * columns + j + 1]!) < 1e-4
    ) {
      pairs.push([said[i]!, found[j]!]);
      i += 1;
      j += 1;
    } else if (best[(i + 1) * columns + j]! >= best[i * columns + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** A missing word between two matched ones, where the source has another that the claim does not repeat. */
function substitutions(
  claim: Reading,
  source: Reading,
  said: readonly number[],
  found: readonly number[],
  matches: ReadonlyMap<number, Match>,
  reverse: ReadonlyMap<number, number>,
): Substitution[] {
  const result: Substitution[] = [];
  const isOpen = (at: number) => !matches.has(at) && (claim.tokens[at]!.kind === 'content' || claim.isName[at]);
  for (const [i, at] of said.entries()) {
    if (!isOpen(at)) continue;
    const before = findMatch(i, -1);
    const after = findMatch(i, 1);
    // Between two neighbours that are neighbours in the source, too; or next to one at the end of both.
    const from = before === undefined ? undefined : found.indexOf(before.at);
    const to = after === undefined ? undefined : found.indexOf(after.at);
    const free: number[] = [];
    if (from !== undefined && to !== undefined && to > from && to - from <= 3) free.push(...found.slice(from + 1, to));
    else if (from !== undefined && (to === undefined || to < from)) free.push(...found.slice(from + 1, from + 2));
    else if (to !== undefined && to > 0) free.push(...found.slice(to - 1, to));
    const other = free.find(
      (index) => !reverse.has(index) && (source.tokens[index]!.kind === 'content' || source.isName[index]),
    );
    if (other !== undefined) result.push({ said: at, found: other });
  }
  return result;

  /** The match of the nearest word on that side, not more than two words away. */
  function findMatch(i: number, step: -1 | 1): Match | undefined {
    for (let index = i + step, count = 0; count < 2; index += step, count += 1) {
      const at = said[index];
      if (at === undefined) return undefined;
      const found = matches.get(at);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
