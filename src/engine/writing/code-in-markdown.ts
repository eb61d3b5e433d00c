/**
 * Which parts of a Markdown stream are code. Code is not inspected any further, so a text counts as code only if every
 * renderer treats it as code: a fence is closed only by its own kind (CommonMark 0.31, 4.5), a fence in a list may end
 * with its item, and a backtick opens nothing on a line without a second one.
 */

/** The fences that are open: read as if there were no lists, and as if an indented fence were inside a list. */
export type Fences = readonly [alone?: string | undefined, listed?: string | undefined];

/** Whether a line with these open fences is code, in both readings. */
export function isFenced([alone, listed]: Fences): boolean {
  return alone !== undefined && listed !== undefined;
}

/** The fences that are open after `line`, a whole line without its line end. */
export function fencesAfter([alone, listed]: Fences, line: string): Fences {
  return [fenceAfter(alone, line), fenceAfter(endsItem(line, listed) ? undefined : listed, line)];
}

/** Whether text between `before` and `after`, on one line, is a code span. Undefined while the rest of the line may decide. */
export function isSpan(before: string, after: string, isWhole: boolean): boolean | undefined {
  if ((before.split('`').length - 1) % 2 === 0) return false;
  return after.includes('`') || (isWhole ? false : undefined);
}

/** A fence is identified by its indent and its marks. */
function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, indent = '', marks = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === '') return open;
  if (open === undefined) return marks.startsWith('`') && rest.includes('`') ? undefined : indent + marks;
  return marks.startsWith(open.trim()) && rest.trim() === '' ? undefined : open;
}

function endsItem(line: string, open = ''): boolean {
  return line.trim() !== '' && !line.startsWith(/^ */.exec(open)![0]);
}
