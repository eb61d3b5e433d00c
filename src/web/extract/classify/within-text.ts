/**
 * Blocks kept because of their position: headings, and the entries of definition lists. Both are so short that their own odds are
 * vague, and without them a reference is of little use: sections about nothing, and descriptions of options that have no name.
 */
import type { Block } from '../html/blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import { headingLevel } from '../html/markdown.ts';
import type { Weighed } from './expected-f1.ts';

// Set by hand on the manuals of Debian; without effect on the labelled pages.
/** Min. log-odds of such a heading directly above kept text, of one above another heading, and of an entry. */
const headingLogOdds = -3;
const outerLogOdds = -1;
const entryLogOdds = -2.5;
/** Mean words of the blocks of a definition list whose entries are prose; the "Joined: 2019" of a member of a forum has two. */
const minEntryWords = 5;

/** Adds the headings and entries within the kept blocks. */
export function withinText(weighed: readonly Weighed[], kept: Set<Block>): Set<Block> {
  addEntries(weighed, kept);
  addHeadings(weighed, kept);
  return kept;
}

/** Runs of entries between two kept blocks, perhaps with headings among them: all of a run, or nothing. */
function addEntries(weighed: readonly Weighed[], kept: Set<Block>): void {
  const prose = listsOfProse(weighed);
  const isEntry = ({ block }: Weighed) => prose.has(definitionList(block.element));
  const fits = (each: Weighed) =>
    each.logOdds >= entryLogOdds && (isEntry(each) || headingLevel(each.block.element) > 0);
  let before = -1;
  for (const [at, { block }] of weighed.entries()) {
    if (!kept.has(block)) continue;
    const run = before === -1 ? [] : weighed.slice(before + 1, at);
    if (run.some(isEntry) && run.every(fits)) for (const each of run) kept.add(each.block);
    before = at;
  }
}

function listsOfProse(weighed: readonly Weighed[]): ReadonlySet<HtmlElement | undefined> {
  const lists = new Map<HtmlElement, { words: number; blocks: number }>();
  for (const { block, words } of weighed) {
    const list = definitionList(block.element);
    if (list === undefined) continue;
    const known = lists.get(list) ?? { words: 0, blocks: 0 };
    lists.set(list, { words: known.words + words, blocks: known.blocks + 1 });
  }
  return new Set([...lists].flatMap(([list, { words, blocks }]) => (words >= minEntryWords * blocks ? [list] : [])));
}

/** The outermost definition list around an element: an entry may have a list of its own. */
function definitionList(element: HtmlElement): HtmlElement | undefined {
  let list: HtmlElement | undefined;
  for (let each: HtmlElement | undefined = element; each !== undefined; each = each.parent)
    if (each.name === 'dl') list = each;
  return list;
}

/** Headings below the first kept text, with kept text or the heading of a kept subsection directly after them. */
function addHeadings(weighed: readonly Weighed[], kept: Set<Block>): void {
  const first = weighed.findIndex(({ block }) => kept.has(block) && headingLevel(block.element) === 0);
  if (first === -1) return;
  for (let at = weighed.length - 2; at > first; at -= 1) {
    const { block, logOdds } = weighed[at]!;
    const level = headingLevel(block.element);
    const next = weighed[at + 1]!.block;
    const below = headingLevel(next.element);
    const isAbove = below === 0 || (below > level && logOdds >= outerLogOdds);
    if (level > 0 && logOdds >= headingLogOdds && isAbove && kept.has(next)) kept.add(block);
  }
}
