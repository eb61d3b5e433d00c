/**
 * Scores of the words in class names and ids, learned from labelled pages: positive for words on elements around content,
 * negative for the rest, in tenths of log-odds. Complements the hand-written hints with the names that are actually used.
 */
import { type HtmlElement, nameOf } from '../html/html-tree.ts';

export type Lexicon = Readonly<Record<string, number>>;

export const classFeatureNames = ['class_own_min', 'class_own_max', 'class_min', 'class_max', 'class_mean'] as const;

/** Elements from a block upwards whose names count as its own, and whose names are read at all; set by hand. */
const ownLevels = 2;
const allLevels = 8;

/** A function that returns the five class features of an element; it caches the scores of each name. */
export function classReader(lexicon: Lexicon): (element: HtmlElement) => number[] {
  const words = new Map(Object.entries(lexicon));
  const seen = new Map<string, readonly number[]>();
  function scores(element: HtmlElement): readonly number[] {
    const name = nameOf(element);
    let found = seen.get(name);
    if (found === undefined) {
      found = wordsIn(name)
        .flatMap((word) => words.get(word) ?? [])
        .map((tenths) => tenths / 10);
      seen.set(name, found);
    }
    return found;
  }
  return (element) => {
    const own: number[] = [];
    const all: number[] = [];
    let at: HtmlElement | undefined = element;
    for (
      let up = 0;
      up < allLevels && at !== undefined && at.name !== 'body' && at.name !== 'html';
      up += 1, at = at.parent
    ) {
      const found = scores(at);
      if (up < ownLevels) own.push(...found);
      all.push(...found);
    }
    return [
      ...bounds(own),
      ...bounds(all),
      all.length === 0 ? 0 : all.reduce((sum, score) => sum + score, 0) / all.length,
    ];
  };
}

/** The distinct words of a name, lower case, camelCase split. */
export function wordsIn(name: string): string[] {
  const lower = name
    .slice(0, 400)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();
  return [...new Set(lower.split(/[^a-z]+/).filter((word) => word.length > 2 && word.length < 20))];
}

function bounds(scores: readonly number[]): [number, number] {
  return scores.length === 0 ? [0, 0] : [Math.min(...scores), Math.max(...scores)];
}
