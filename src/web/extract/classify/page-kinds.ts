/**
 * How likely each kind of page is, by the words with which a page describes itself: class names of `body` and `html`, types in its
 * metadata, its path and its title. Learned from labelled pages (naive Bayes); a feature of all blocks of the page.
 */
import type { Block } from '../html/blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import type { Metadata } from '../metadata.ts';
import { namesOf, wordsIn } from './lexicon.ts';

/** The kinds, as in the labels of the training data. */
export const pageKinds = ['article', 'service', 'forum', 'documentation', 'listing', 'collection', 'product'] as const;
export const kindFeatureNames = pageKinds.map((kind) => `page_is_${kind}`);

/** For each word the tenths of log-odds that it adds to each kind, in the order of `pageKinds`. */
export type KindWords = Readonly<Record<string, readonly number[]>>;

export interface KindScores {
  get(word: string): readonly number[] | undefined;
}

/** Words of a page are not independent, so their sum is too sure; set by hand. */
const trust = 0.5;

/** The distinct words with which a page describes itself, prefixed by where they are. */
export function selfDescription(blocks: readonly Block[], metadata: Metadata): string[] {
  const outermost: HtmlElement[] = [];
  for (let at = blocks[0]?.element; at !== undefined; at = at.parent)
    if (at.name === 'body' || at.name === 'html') outermost.push(at);
  const path = URL.canParse(metadata.canonical_url ?? '') ? new URL(metadata.canonical_url!).pathname : '';
  const prefixed = (prefix: string, text: string) => wordsIn(text).map((word) => `${prefix}:${word}`);
  return [
    ...new Set([
      ...outermost.flatMap((element) => prefixed('body', namesOf(element))),
      ...[...metadata.types].map((type) => `type:${type.slice(0, 40)}`),
      `og:${metadata.og_type.slice(0, 40)}`,
      ...prefixed('path', path),
      ...prefixed('title', metadata.title),
    ]),
  ];
}

/** The log-probability of each kind, given the words of `selfDescription`. */
export function kindFeaturesOf(words: readonly string[], scores: KindScores): number[] {
  const sums = pageKinds.map(() => 0);
  for (const word of words) {
    const each = scores.get(word);
    if (each !== undefined) for (const [kind, tenths] of each.entries()) sums[kind]! += (trust * tenths) / 10;
  }
  const top = Math.max(...sums);
  const all = Math.log(sums.reduce((sum, score) => sum + Math.exp(score - top), 0));
  return sums.map((score) => score - top - all);
}
