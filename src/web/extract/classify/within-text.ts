/**
 * What belongs to the text because of where it stands: headings, and the entries of definition lists. Both are so short that their own
 * odds are vague, and without them a reference is of little use: sections about nothing, and descriptions of options that have no name.
 */
import type { Block } from '../html/blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import { headingLevel } from '../html/markdown.ts';
import type { Weighed } from './expected-f1.ts';

/** Min. log-odds of such a heading and such an entry; set by hand on the manuals of Debian, and without effect on labelled pages. */
const headingLogOdds = -3;
const entryLogOdds = -2.5;

/** Adds the headings and entries within the kept blocks. */
export function withinText(weighed: readonly Weighed[], kept: Set<Block>): Set<Block> {
  addEntries(weighed, kept);
  addHeadings(weighed, kept);
  return kept;
}

/** Runs of entries between two kept blocks, perhaps with headings among them: all of a run, or nothing. */
function addEntries(weighed: readonly Weighed[], kept: Set<Block>): void {
  const fits = ({ block, logOdds }: Weighed) =>
    logOdds >= entryLogOdds && (headingLevel(block.element) > 0 || isInDefinitionList(block.element));
  let before = -1;
  for (const [at, { block }] of weighed.entries()) {
    if (!kept.has(block)) continue;
    const run = before === -1 ? [] : weighed.slice(before + 1, at);
    if (run.every(fits)) for (const each of run) kept.add(each.block);
    before = at;
  }
}

function isInDefinitionList(element: HtmlElement): boolean {
  for (let each: HtmlElement | undefined = element; each !== undefined; each = each.parent)
    if (each.name === 'dl') return true;
  return false;
}

/** Headings below the first kept text, with kept text or the heading of a kept subsection directly after them. */
function addHeadings(weighed: readonly Weighed[], kept: Set<Block>): void {
  const first = weighed.findIndex(({ block }) => kept.has(block) && headingLevel(block.element) === 0);
  if (first === -1) return;
  for (let at = weighed.length - 2; at > first; at -= 1) {
    const { block, logOdds } = weighed[at]!;
    const level = headingLevel(block.element);
    if (level === 0 || logOdds < headingLogOdds) continue;
    const next = weighed[at + 1]!.block;
    const below = headingLevel(next.element);
    if (kept.has(next) && (below === 0 || below > level)) kept.add(block);
  }
}
