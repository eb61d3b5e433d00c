/**
 * Files of a folder that say the same as a page next to them: the text from which a documentation generator made the page,
 * or a version for printing. Quoted, they would show their markup, and found along with the page, they take the place of
 * others.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';

const ofPages: ReadonlySet<string> = new Set(['.html', '.htm', '.md', '.markdown']);
const ofCopies: ReadonlySet<string> = new Set(['.txt', '.pdf']);
/** How many texts of a folder must have a page before they are read for the names of texts that they include. Set by hand. */
const minTexts = 10;
/** Bytes of a text that is read for this; set by hand. */
const maxTextBytes = 1024 * 1024;

/** Of the names in one folder, those of files that are copies of a page there, or parts of the sources of such pages. */
export function findCopies(folder: string, names: readonly string[]): ReadonlySet<string> {
  const pages = new Set(names.flatMap((name) => (ofPages.has(extensionOf(name)) ? [bareName(name)] : [])));
  const copies = names.filter((name) => ofCopies.has(extensionOf(name)) && pages.has(bareName(name)));
  const texts = names.filter((name) => extensionOf(name) === '.txt');
  const sources = copies.filter((name) => extensionOf(name) === '.txt').length;
  if (sources < minTexts || sources === texts.length) return new Set(copies);
  const included = new Set(texts.flatMap((name) => includedIn(join(folder, name))));
  return new Set([...copies, ...texts.filter((name) => included.has(name))]);
}

/** The names of the files that a source of AsciiDoc or Sphinx includes. */
function includedIn(path: string): string[] {
  try {
    if (statSync(path).size > maxTextBytes) return [];
    const lines = readFileSync(path, 'latin1').matchAll(/^(?:\.\. include::[ \t]*(\S+)|include::([^\s[]+)\[)/gm);
    return [...lines].map(([, sphinx, asciidoc]) => posix.basename(sphinx ?? asciidoc ?? ''));
  } catch {
    return [];
  }
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
