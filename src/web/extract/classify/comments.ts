/**
 * A page that is nothing but replies: on most pages comments stand below what they are about and are not the content, so the
 * forests call them unlikely; where hardly anything else is said and nothing is likely, they are what the page is for.
 */

import { type HtmlElement, nameOf } from '../html/html-tree.ts';
import type { Weighed } from './expected-f1.ts';
import { nameHints } from './hints.ts';

const levels = 6;
/** Of the page's words: what replies must hold, and how much of the likeliest must be unlikely. */
const shares = { replies: 0.6, likeliest: 0.05 };
const unlikely = -0.5;

/** With the replies of such a page lifted, so far that the likeliest of the page are even odds. */
export function liftComments(weighed: readonly Weighed[]): readonly Weighed[] {
  const words = wordsIn(weighed);
  const replies = new Set(weighed.filter(({ block }) => isReply(block.element)));
  if (wordsIn([...replies]) <= shares.replies * words) return weighed;
  const top = likeliest(weighed, shares.likeliest * words);
  if (top >= unlikely) return weighed;
  return weighed.map((each) => (replies.has(each) ? { ...each, logOdds: each.logOdds - top } : each));
}

/** The log-odds of the last of the likeliest blocks that have so many words together. */
function likeliest(weighed: readonly Weighed[], words: number): number {
  let left = words;
  const sorted = [...weighed].sort((a, b) => b.logOdds - a.logOdds);
  return sorted.find((each) => (left -= each.words) <= 0)?.logOdds ?? 0;
}

function isReply(element: HtmlElement): boolean {
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
