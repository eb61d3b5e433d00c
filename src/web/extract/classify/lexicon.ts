/**
 * Scores of words, learned from labelled pages: positive for words around content, negative for the rest, in tenths of log-odds.
 * The words are those of the names that authors give elements, of the text of short blocks, and of the heading above a block.
 * They complement the hand-written hints with what is actually used.
 */
import { splitCamelCase } from '../../../base/text/names/camel-case.ts';
import { type HtmlElement, nameOf } from '../html/html-tree.ts';
import type { LabelWords } from './label-words.ts';

/** Scores by word, as they are stored. Words of short blocks begin with `own:`, those of headings with `under:`. */
export type Lexicon = Readonly<Record<string, number>>;

/** Looks a word up; training leaves out the votes of the page's own host. */
export interface WordScores {
  get(word: string): number | undefined;
}

export const lexiconFeatureNames: readonly string[] = [
  ...['class_own_min', 'class_own_max', 'class_min', 'class_max', 'class_mean'],
  ...['label_own_min', 'label_own_max', 'label_own_mean', 'label_under_min', 'label_under_max', 'label_under_mean'],
];

/** Elements from a block upwards whose names count as its own, and whose names are read at all; set by hand. */
const ownLevels = 2;
const nameLevels = 8;
/** Attributes that name an element where class names are generated. */
const namingAttributes = ['data-testid', 'data-component', 'data-module', 'data-qa', 'itemprop', 'itemtype', 'role'];

/** A function that returns the features of a block; it remembers the scores of each element and of each name. */
export function lexiconReader(lexicon: WordScores): (element: HtmlElement, labels: LabelWords) => number[] {
  const byElement = new Map<HtmlElement, readonly number[]>();
  const byName = new Map<string, readonly number[]>();
  const scoresOf = (words: readonly string[]) => words.flatMap((word) => lexicon.get(word) ?? []).map((n) => n / 10);
  function namedScores(element: HtmlElement): readonly number[] {
    let found = byElement.get(element);
    if (found !== undefined) return found;
    const name = namesOf(element);
    found = byName.get(name) ?? scoresOf(wordsIn(name));
    byName.set(name, found);
    byElement.set(element, found);
    return found;
  }
  return (element, { own: ownWords, under }) => {
    const named = namedAncestors(element).map(namedScores);
    const own = named.slice(0, ownLevels).flat();
    const all = named.flat();
    const label = scoresOf(ownWords);
    const heading = scoresOf(under);
    return [
      ...bounds(own),
      ...bounds(all),
      mean(all),
      ...bounds(label),
      mean(label),
      ...bounds(heading),
      mean(heading),
    ];
  };
}

/** The element and its ancestors whose names are read, without the outermost, whose names are settings of the whole page. */
export function namedAncestors(element: HtmlElement): HtmlElement[] {
  const found: HtmlElement[] = [];
  let at: HtmlElement | undefined = element;
  for (; found.length < nameLevels && at !== undefined && at.name !== 'body' && at.name !== 'html'; at = at.parent)
    found.push(at);
  return found;
}

/** The names of an element, from its classes, its id and the other attributes that name it. */
export function namesOf(element: HtmlElement): string {
  let names = nameOf(element);
  for (const attribute of namingAttributes) {
    const value = element.attribs[attribute];
    if (value !== undefined) names += ` ${value.slice(0, 100)}`;
  }
  return names;
}

/** The distinct words of a name, lower case, camelCase split. */
export function wordsIn(name: string): string[] {
  const lower = splitCamelCase(name.slice(0, 800)).toLowerCase();
  return [...new Set(lower.split(/[^a-z]+/).filter((word) => word.length > 2 && word.length < 20))];
}

function bounds(scores: readonly number[]): [number, number] {
  return scores.length === 0 ? [0, 0] : [Math.min(...scores), Math.max(...scores)];
}

/** 0 for no scores. */
function mean(scores: readonly number[]): number {
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
