/** The lines of lists, for people and for programs that divide them at tabs. */
import { stripVTControlCharacters } from 'node:util';

/** Prints a line on stdout. Names are anybody's: none may begin another line or cell, or command the terminal. */
export function printRow(cells: readonly string[]): void {
  process.stdout.write(`${cells.map(onOneLine).join('\t').trimEnd()}\n`);
}

/** Text of anybody for a line of the terminal: nothing in it begins another line or commands the terminal. */
export function onOneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
