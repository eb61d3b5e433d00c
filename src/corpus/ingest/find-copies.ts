/**
 * Files of a folder that say the same as a page next to them: the text from which a documentation generator made the page,
 * or a version for printing. Quoted, they would show their markup, and found along with the page, they take the place of
 * others.
 */
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';

const ofPages: ReadonlySet<string> = new Set(['.html', '.htm', '.md', '.markdown']);
const ofCopies: ReadonlySet<string> = new Set(['.txt', '.pdf']);
/**
 * How many texts of a folder, and what share of them, must have a page before the others count as files that these include.
 * Set by hand.
 */
const minTexts = 10;
const minShare = 0.75;

/** Of the names in one folder, those of files that are copies of a page there. */
export function findCopies(names: readonly string[]): ReadonlySet<string> {
  const pages = new Set(names.flatMap((name) => (ofPages.has(extensionOf(name)) ? [bareName(name)] : [])));
  const copies = names.filter((name) => ofCopies.has(extensionOf(name)) && pages.has(bareName(name)));
  const texts = names.filter((name) => extensionOf(name) === '.txt');
  const sources = copies.filter((name) => extensionOf(name) === '.txt').length;
  const areSources = sources >= minTexts && sources >= minShare * texts.length;
  return new Set(areSources ? [...copies, ...texts] : copies);
}

/** Whether `name` is the folder in which Sphinx keeps the sources of the pages in `folder`. */
export function holdsSources(folder: string, name: string): boolean {
  return name === '_sources' && existsSync(join(folder, 'objects.inv'));
}

function bareName(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}

function extensionOf(name: string): string {
  return extname(name).toLowerCase();
}
