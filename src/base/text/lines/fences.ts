/** Fences of code in Markdown, line by line: one is closed only by its own kind, which nothing follows (CommonMark 0.31, 4.5). */

/** Characters: a longer line is read no further. Set by hand; the longest line that opens a fence is a name of a language. */
const longestLine = 200;

/**
 * The fence that is open after a line, given without its line end, as its indent and its marks; undefined for none. `open` is the one
 * that is open before it.
 */
export function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, indent = '', marks = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === '') return open;
  if (open === undefined) return marks.startsWith('`') && rest.includes('`') ? undefined : indent + marks;
  return marks.startsWith(open.trim()) && rest.trim() === '' ? undefined : open;
}

/** Follows a text, in pieces, through its fences. */
export interface FenceReader {
  push(piece: string): void;
  /** Whether a fence is open at the start of the line that the text has come to. */
  isOpen(): boolean;
}

/** A reader for a text that begins outside code. */
export function createFenceReader(): FenceReader {
  let line = '';
  let open: string | undefined;
  return {
    push(piece) {
      for (let at = 0; ; ) {
        const end = piece.indexOf('\n', at);
        line += piece.slice(at, end === -1 ? undefined : end).slice(0, longestLine - line.length);
        if (end === -1) return;
        open = fenceAfter(open, line);
        line = '';
        at = end + 1;
      }
    },
    isOpen: () => open !== undefined,
  };
}

/** Where the fenced code begins that a text ends with; undefined if its last line closes none. The text begins outside code. */
export function startOfFencedEnd(text: string): number | undefined {
  let open: string | undefined;
  let [start, at] = [0, 0];
  for (const line of text.split('\n')) {
    const after = fenceAfter(open, line);
    if (open === undefined && after !== undefined) start = at;
    at += line.length + 1;
    if (open !== undefined && after === undefined && at > text.length) return start;
    open = after;
  }
  return undefined;
}
