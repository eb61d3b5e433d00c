/** Lists as CSV (RFC 4180), for spreadsheets. A cell that some of them would run as a formula gets an apostrophe before it. */

type Cell = string | number | undefined;

/** With a byte order mark, by which Excel recognizes UTF-8. Rows end with CRLF. */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')}`;
}

/** What begins a formula in Excel, LibreOffice or Google Sheets, also after spaces or as a full-width character. */
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/;

function writeCell(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
