/**
 * Which parts of a Markdown stream are code. Code is not inspected any further, so a text counts as code only if every
 * renderer treats it as code: a fence is closed only by its own kind (CommonMark 0.31, 4.5), a fence in a list may end
 * with its item, a block of HTML contains no fences (4.6), and a backtick opens nothing on a line without a second one, or
 * where it may be escaped, part of a longer run (6.1) or inside a tag.
 */

import { fenceAfter } from '../../base/text/lines/fences.ts';

/** The fences that are open, in three readings. Each is identified by its indent and its marks. */
export interface Fences {
  /** As if there were no lists. */
  readonly alone?: string | undefined;
  /** As if an indented fence were inside a list. */
  readonly listed?: string | undefined;
  /** As if a block of HTML began at every line that looks like a tag. */
  readonly besideHtml?: string | undefined;
  /** The text that ends the block of HTML that is open in that reading; empty for one that ends at a blank line. */
  readonly htmlEnd?: string | undefined;
}

/** The fences at the start of a text. */
export const noFences: Fences = {};

/** Whether a line with these open fences is code, in all readings. */
export function isFenced({ alone, listed, besideHtml }: Fences): boolean {
  return alone !== undefined && listed !== undefined && besideHtml !== undefined;
}

/** A fence that is open in a reading without HTML. */
export function openFence({ alone, listed }: Fences): string | undefined {
  return alone ?? listed;
}

/** The fences that are open after `line`, a whole line without its line end. */
export function fencesAfter({ alone, listed, besideHtml, htmlEnd }: Fences, line: string): Fences {
  const end = besideHtml === undefined ? (htmlEnd ?? endOfHtml(line)) : undefined;
  return {
    alone: fenceAfter(alone, line),
    listed: fenceAfter(endsItem(line, listed) ? undefined : listed, line),
    besideHtml: end === undefined ? fenceAfter(besideHtml, line) : undefined,
    htmlEnd:
      end === undefined || (end === '' ? line.trim() === '' : line.toLowerCase().includes(end)) ? undefined : end,
  };
}

/** Whether text between `before` and `after`, on one line, is a code span. Undefined while the rest of the line may decide. */
export function isSpan(before: string, after: string, isWhole: boolean): boolean | undefined {
  if (before.includes('``') || (before.split('`').length - 1) % 2 === 0) return false;
  if (before.includes('\\`') || isInTag(before.replace(closedSpan, ''))) return false;
  const [run] = /`+/.exec(after) ?? [];
  if (run === undefined || (run === '`' && after.endsWith(run) && after.indexOf(run) === after.length - 1))
    return isWhole ? run !== undefined : undefined;
  return run === '`';
}

const closedSpan = /`[^`]*`/g;

/** Whether the backtick of a text may be inside a tag. */
function isInTag(text: string): boolean {
  const before = text.slice(0, text.indexOf('`'));
  return /<[a-z/!?]/i.test(before.slice(before.lastIndexOf('>') + 1));
}

function endsItem(line: string, open = ''): boolean {
  return line.trim() !== '' && !line.startsWith(/^ */.exec(open)![0]);
}

/** The tags that a block of HTML may begin with, whatever follows them (CommonMark 0.31, 4.6, type 6). */
const blockTags =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

/** A line that a block of HTML may begin with, also in a quote or a list; any other tag only if it is alone on its line. */
const htmlStart = new RegExp(
  [
    String.raw`^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +)*<(?:(?<comment>!--)|(?<cdata>!\[CDATA\[)|(?<declaration>![a-z])|(?<instruction>\?)`,
    String.raw`(?<raw>pre|script|style|textarea)(?=[\s>]|$)`,
    String.raw`\/?(?:${blockTags})(?=[\s/>]|$)`,
    String.raw`\/?[a-z][^<>]*>\s*$)`,
  ].join('|'),
  'i',
);

/** The text that ends the block of HTML which begins with this line; empty if that is a blank line, undefined if none begins. */
function endOfHtml(line: string): string | undefined {
  const start = htmlStart.exec(line)?.groups;
  if (start === undefined) return undefined;
  if (start.comment !== undefined) return '-->';
  if (start.cdata !== undefined) return ']]>';
  if (start.declaration !== undefined) return '>';
  if (start.instruction !== undefined) return '?>';
  return start.raw === undefined ? '' : `</${start.raw.toLowerCase()}>`;
}
