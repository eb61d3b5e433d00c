/** Tables of documents as Markdown. */

/** Rows of cells, whose first is the head, as a Markdown table. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`;
  const [head = [], ...others] = rows;
  return [line(head), `|${' --- |'.repeat(width)}`, ...others.map(line)].join('\n');
}
