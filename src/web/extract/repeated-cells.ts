/** Cells of tables that span rows, whose text each of these rows has, so that it can be understood by itself. */

/** Characters of a cell that is written again; set by hand: longer than what names some rows. */
const maxChars = 200;
/** Characters of all such cells of a page: a few cells could fill the memory with rows of nothing else. Set by hand. */
const maxAllChars = 200_000;

/** Gives what one more row has of a cell: its text, or nothing if that or the whole is too long. */
export function createCellRepeater(): (text: string) => string {
  let chars = 0;
  return (text) => {
    chars += text.length;
    return text.length > maxChars || chars > maxAllChars ? '' : text;
  };
}
