/**
 * What is above a passage, as one line: its headings, the outermost first, joined by " › ", and after them the columns of a table of
 * which the passage has rows but not the head: "Crew › | Name | Rank |".
 */

const separator = ' › ';

/** Such a line. `columns` is a row of Markdown, "| Name | Rank |", or empty. */
export function joinHeadings(headings: readonly string[], columns: string): string {
  return [...headings, ...(columns === '' ? [] : [columns])].join(separator);
}

/** The line without the columns, and these as a row of Markdown, or empty. */
export function splitHeadings(line: string): { readonly headings: string; readonly columns: string } {
  const at = line.startsWith('|') ? 0 : line.indexOf(`${separator}|`);
  if (at < 0) return { headings: line, columns: '' };
  return { headings: line.slice(0, at), columns: line.slice(at).replace(separator, '') };
}
