/** The cells of a row as units have it, "a |  | c", empty ones included. */
export function cellsOf(row: string): string[] {
  return row.split(/ \|(?= |$)/).map((cell) => cell.trim());
}
