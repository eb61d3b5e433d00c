/**
 * Pages that consist of comments. On most pages comments are below the content and not part of it, so the forests rate them
 * unlikely; where a page has hardly any other text and nothing is likely, the comments are its content.
 */

import { type HtmlElement, nameOf } from '../html/html-tree.ts';
import type { Weighed } from './expected-f1.ts';
import { nameHints } from './hints.ts';

/** Elements above a block whose names are read. */
const levels = 6;
/** Shares of the page's words: in comments, and in the likeliest blocks, which must be unlikely; set by hand. */
const shares = { comments: 0.6, likeliest: 0.05 };
const unlikely = -0.5;

/** Raises the log-odds of such a page's comments so far that the likeliest blocks have even odds. */
export function liftComments(weighed: readonly Weighed[]): readonly Weighed[] {
  const words = wordsIn(weighed);
  const comments = new Set(weighed.filter(({ block }) => isComment(block.element)));
  if (wordsIn([...comments]) <= shares.comments * words) return weighed;
  const top = likeliest(weighed, shares.likeliest * words);
  if (top >= unlikely) return weighed;
  return weighed.map((each) => (comments.has(each) ? { ...each, logOdds: each.logOdds - top } : each));
}

/** The log-odds of the last of the likeliest blocks that have so many words together. */
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
