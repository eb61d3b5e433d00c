/**
 * Passages that seldom answer, although they have the words: what a version changed, whose sentences presuppose the documentation,
 * comes after the others unless versions are asked about, and so do mere lists of keywords, and code that only sends the question as an
 * example; lists of links and indexes, which only say where to read, are returned if there is nothing else.
 */
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { isPointingList } from '../../base/text/pointing-lists.ts';

interface Placed {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** Places of a passage among those that are returned; see above. */
export type Place = 'first' | 'after' | 'alone';

// Set by hand on the manuals of Debian.
/** The fewest lines of a long list of keywords, and the share of them that are keywords. */
const minLines = 10;
const minShare = 0.8;

/** In a title or heading: "Changelog", "Release History", "Version 1.2.0 (2022-02-22)". */
const changes =
  /\b(?:change ?logs?|release (?:notes|history)|release \d|older news|version \d+(?:\.\w+)+(?: [^›]{0,40})? \(\d{4}-)/i;
/** A keyword, a name in code or one of marks, alone in its item: a name of several words may be that of an office or a member. */
const keyword =
  /^\s*(?:[-*]|\d+\.)\s+[*_]{0,2}(?:[A-Z][A-Z0-9_]+(?: [A-Z][A-Z0-9_]+){0,2}|`[^`\n]{1,40}`|[!-/:-@[-^{-~]{1,6})[*_]{0,2}$/;
/** Words that ask about versions. */
const aboutVersions =
  /\b(?:versions?|releases?d?|chang(?:ed?|es|elog)|new|newest|news|added|removed|fix(?:ed|es)?|bugs?|since|upgrad\w*|updat\w*|compatib\w*|deprecated|latest|when)\b|\d\.\d/i;

/** Returns where a passage belongs, for a query. */
export function createPlaceReader(query: string): (passage: Placed) => Place {
  const asksAboutVersions = aboutVersions.test(query);
  const isExample = createExampleReader(query);
  return ({ title, headings, text }) => {
    if (isPointingList({ title, headings, text })) return 'alone';
    if (isListOfKeywords(text) || isExample(text)) return 'after';
    return !asksAboutVersions && (changes.test(title) || changes.test(headings)) ? 'after' : 'first';
  };
}

function isListOfKeywords(text: string): boolean {
  // Looking at its end is cheaper than reading its lines, and few end like that.
  if (!keyword.test(text.slice(text.lastIndexOf('\n') + 1))) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length >= minLines && lines.filter((line) => keyword.test(line)).length >= minShare * lines.length;
}

/** Words of a question that are not in quotes by chance; characters of a word that is looked for, and of its beginning. Set by hand. */
const minWords = 4;
const minLetters = 4;
const stemLetters = 5;
const fences = /```[\s\S]*?(?:```|$)/g;

/**
 * Returns whether a passage says nothing of the question besides code that has it in quotes: the documentation of a client shows how to
 * ask "How does it start?", and does not say how.
 */
function createExampleReader(query: string): (text: string) => boolean {
  const asked = query.trim().toLowerCase();
  const words = plainWordsIn(asked);
  if (words.length < minWords) return () => false;
  const stems = words.filter(({ length }) => length >= minLetters).map((word) => word.slice(0, stemLetters));
  const quoted = ['"', "'", '`'].map((mark) => mark + asked + mark);
  return (text) => {
    if (!text.includes('```')) return false;
    const read = text.toLowerCase();
    if (!quoted.some((each) => read.includes(each))) return false;
    const besides = read.replace(fences, (code) => (quoted.some((each) => code.includes(each)) ? '' : code));
    return stems.filter((stem) => besides.includes(stem)).length * 2 < stems.length;
  };
}
