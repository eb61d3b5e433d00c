/**
 * Where a text of Markdown is code, as it comes in. What is taken for code here is not looked at, so a text is code only
 * where every reader sees it so: a fence is closed by its own kind alone (CommonMark 0.31, 4.5), one in a list may end
 * with its item, and a backtick opens nothing on a line that has none to close it.
 */

/** The fences that are open, read as if there were no lists, and as if an indented one stood in a list. */
export type Fences = readonly [alone?: string | undefined, listed?: string | undefined];

export function isFenced([alone, listed]: Fences): boolean {
  return alone !== undefined && listed !== undefined;
}

/** `line` is whole, without its end. */
export function fencesAfter([alone, listed]: Fences, line: string): Fences {
  return [fenceAfter(alone, line), fenceAfter(endsItem(line, listed) ? undefined : listed, line)];
}

/** Whether what stands between these, on one line, is code; undefined while its line may still show it. */
export function isSpan(before: string, after: string, isWhole: boolean): boolean | undefined {
  if ((before.split('`').length - 1) % 2 === 0) return false;
  return after.includes('`') || (isWhole ? false : undefined);
}

/** A fence is known by its indent and its marks. */
function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, indent = '', marks = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === '') return open;
  if (open === undefined) return marks.startsWith('`') && rest.includes('`') ? undefined : indent + marks;
  return marks.startsWith(open.trim()) && rest.trim() === '' ? undefined : open;
}

function endsItem(line: string, open = ''): boolean {
  return line.trim() !== '' && !line.startsWith(/^ */.exec(open)![0]);
}
