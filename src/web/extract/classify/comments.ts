/**
 * Pages that consist of comments. On most pages comments come after the content and are not part of it, so the forests rate
 * them unlikely; when a page has hardly any other text and nothing is likely, the comments are its content.
 */

import { type HtmlElement, nameOf } from '../html/html-tree.ts';
import type { Weighed } from './expected-f1.ts';
import { nameHints } from './hints.ts';

/** Elements from a block upwards whose names are read; set by hand. */
const levels = 6;
/** Min. share of words in comments, and the share in the likeliest blocks, whose log-odds must be below `unlikely`; set by hand. */
const shares = { comments: 0.6, likeliest: 0.05 };
const unlikely = -0.5;

/** On such a page, raises the log-odds of comments until the likeliest have even odds; else returns `weighed` unchanged. */
export function liftComments(weighed: readonly Weighed[]): readonly Weighed[] {
  const words = wordsIn(weighed);
  const comments = new Set(weighed.filter(({ block }) => isComment(block.element)));
  if (wordsIn([...comments]) <= shares.comments * words) return weighed;
  const top = likeliest(weighed, shares.likeliest * words);
  if (top >= unlikely) return weighed;
  return weighed.map((each) => (comments.has(each) ? { ...each, logOdds: each.logOdds - top } : each));
}

/** The log-odds of the last of the likeliest blocks that together have `words` words. */
function likeliest(weighed: readonly Weighed[], words: number): number {
  let left = words;
  const sorted = [...weighed].sort((a, b) => b.logOdds - a.logOdds);
  return sorted.find((each) => (left -= each.words) <= 0)?.logOdds ?? 0;
}

function isComment(element: HtmlElement): boolean {
  let at: HtmlElement | undefined = element;
  for (let up = 0; up < levels && at !== undefined && at.name !== 'body'; up += 1, at = at.parent) {
    const name = nameOf(at).toLowerCase();
    if (nameHints.comment.test(name) || nameHints.thread.test(name)) return true;
  }
  return false;
}

function wordsIn(weighed: readonly Weighed[]): number {
  return weighed.reduce((sum, { words }) => sum + words, 0);
}
