/**
 * The label of an entry: a line of its own that names what the paragraphs below it describe, as the terms of a definition list do.
 * Manuals have one for each option, setting or term; it is a heading in all but its mark.
 */

/** Characters; a longer line is a sentence or a signature. Set by hand. */
const maxLength = 120;
/** The same of a question, and of the forms of a statement. */
const maxQuestion = 240;
/** Words of a label in bold, and the fewest below it: "Architect" and "Jane Smith" are an entry of two parts. Set by hand. */
const maxBoldWords = 8;
const minWordsBelow = 5;

/** A line that is bold as a whole, "**bare repository**", with or without a colon. */
const bold = /^(\*\*|__)(?=\S)([^*`]+?)(?<=\S):?\1:?$/;
/** Code, `-x`, `--long[=<value>]` or `dotted.name`. */
const name = String.raw`(?:\x60[^\x60]+\x60|--?[A-Za-z][\w-]*(?:\[?=[^\s,]*|\[\\?<[^>\s]*>\]|\s\\?<[^>]*>)?|[a-z]\w*(?:\.[\w*<>\\]+)+)`;
/** Names, with a type or the other spelling: "\`work_mem\` (\`integer\`)", "-f, --force". What separates two is in neither. */
const names = new RegExp(String.raw`^${name}(?:(?:,\s?|\s?\/\s?|\sor\s|\s?→\s?|\s)(?:${name}|\([^()]{1,40}\)))*\.?$`);
/** The keywords of a statement and what it is about, with a value: "PRAGMA cache_size;", "PRAGMA main.cache_size = pages;". */
const statement =
  /^[A-Z]{3,}(?: [A-Z]{2,}){0,3} (?:[a-z]\w*\.)?[a-z][\w-]*(?:;|\([^()]{0,60}\);?|\s?=\s?[^.!?\n]{1,100});?$/;
/** How a description may begin, perhaps as a quotation, or the next label of the same entry; a list, a figure or code is none. */
const begins = /^(?:> ?)*(?!\x60{3})(?:[\p{L}\x60"“(]|--?[A-Za-z]|\*\*\S|__\S)/u;
/** A question of a list of questions and answers, "(13) May I …?", "Q: May I …?". */
const question = /^(?:\*\*)?(?:\(\d{1,3}\)|Q(?:uestion)?(?: ?\d{1,3})?[.:)]) [^\n]*\?(?:\*\*)?$/;

/** Whether a line is the label of the paragraph below it. */
export function isEntryLabel(line: string, below: string | undefined): boolean {
  if (below === undefined || line.length > maxQuestion) return false;
  if (question.test(line)) return !question.test(below);
  if (/^[A-Z]{3}/.test(line) && line.split('\n').every((each) => statement.test(each.trim())))
    return begins.test(below);
  if (line.length > maxLength || !begins.test(below)) return false;
  const words = bold.exec(line)?.[2];
  if (names.test(words ?? line)) return true;
  // A figure is what a reader looks for, not what it is called.
  if (words === undefined || /[\p{N}.!?]/u.test(words) || countWords(words) > maxBoldWords) return false;
  return countWords(below) >= minWordsBelow;
}

/** Words of a value, which a label in bold names: "3.4 kg", "two years, battery one year". Set by hand. */
const maxValueWords = 20;
/** What a value begins with, and an end mark, which makes it a sentence. */
const value = /^(?![*_]{2})[\p{L}\p{N}£€$+<>≤≥~(]/u;
const endMark = /[.!?:;]["'”’»)]*$/;

/** Whether a line in bold is the name of the value below it, as in a data sheet: such a pair is one thing. */
export function isValueLabel(line: string, below: string | undefined): boolean {
  const words = bold.exec(line)?.[2];
  if (words === undefined || below === undefined || !/\p{L}/u.test(words) || /[.!?]$/.test(words)) return false;
  if (countWords(words) > maxBoldWords || countWords(below) > maxValueWords) return false;
  return value.test(below) && !endMark.test(below) && !/^\d+[.)]\s/.test(below);
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length;
}
