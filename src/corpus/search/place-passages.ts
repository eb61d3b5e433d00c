/**
 * Passages that seldom answer, although they have the words: what a version changed, whose sentences presuppose the documentation,
 * comes after the others unless versions are asked about; lists of links, which only say where to read, are returned if there
 * is nothing else.
 */

interface Placed {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** Places of a passage among those that are returned; see above. */
export type Place = 'first' | 'after' | 'alone';

// Set by hand on the manuals of Debian.
/** Lines from which a list of links is long, and the share of them that are links. */
const minLines = 10;
const minShare = 0.8;

/** In a title or heading: "Changelog", "Release History", "Version 1.2.0 (2022-02-22)". */
const changes =
  /\b(?:change ?logs?|release (?:notes|history)|release \d|older news|version \d+(?:\.\w+)+(?: [^›]{0,40})? \(\d{4}-)/i;
/** What asks about versions. */
const aboutVersions =
  /\b(?:versions?|releases?d?|chang(?:ed?|es|elog)|new|newest|news|added|removed|fix(?:ed|es)?|bugs?|since|upgrad\w*|updat\w*|compatib\w*|deprecated|latest|when)\b|\d\.\d/i;
/** An item that ends in a link or a file: "VACUUM - lang_vacuum.html", "[VACUUM](/vacuum)". */
const link = /^\s*(?:[-*]|\d+\.) .*(?:\.html?(?:#\S*)?|\]\([^()\s]*\))$/;

/** Returns where a passage belongs, for a query. */
export function createPlaceReader(query: string): (passage: Placed) => Place {
  const asksAboutVersions = aboutVersions.test(query);
  return ({ title, headings, text }) => {
    if (isListOfLinks(text)) return 'alone';
    return !asksAboutVersions && (changes.test(title) || changes.test(headings)) ? 'after' : 'first';
  };
}

function isListOfLinks(text: string): boolean {
  // Looking at its end is cheaper than reading its lines, and few end like that.
  if (!link.test(text.slice(text.lastIndexOf('\n') + 1))) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length >= minLines && lines.filter((line) => link.test(line)).length >= minShare * lines.length;
}
