/** Where a passage defines what a query names. */
import { namesAsked } from '../../base/text/names/asked-names.ts';
import { literalNamesIn } from '../../base/text/names/literal-names.ts';
import { patternOf } from '../../base/text/names/symbol-names.ts';

/** Names of a query that are looked for; set by hand. */
const maxNames = 4;
/** The characters that rows, items, headings, labels and entries begin with: any other line is passed over. */
const marks = '|-*+#`(';
/** The text before the name there, perhaps with a keyword, "PRAGMA". */
const lead = '(?:(?:\\||[-*+]|#{1,6}) *[`*"(]{0,3}|[`*"(]{1,3})?(?:[A-Z]{3,} (?:\\w+\\.)?)?';

/**
 * Finds a row, an item, a heading or a label that begins with a name from the query that occurs only in code, or a heading,
 * label or cell that is the name whose meaning it asks, "**refspec**"; undefined if the query has neither.
 */
export function definitionOf(text: string): ((passage: string) => boolean) | undefined {
  const names = literalNamesIn(text)
    .slice(0, maxNames)
    .map((name) => `${patternOf(name)}${/\w$/.test(name) ? '(?![\\w-])' : '(?![^\\s`*")|:,])'}`);
  const asked = namesAsked(text).flatMap((name) => wordsIn(name).join('[ -]') || []);
  const patterns = [
    ...(names.length === 0 ? [] : [new RegExp(`${lead}(?:${names.join('|')})`, 'y')]),
    ...(asked.length === 0
      ? []
      : [new RegExp(`(?:\\|? *[\`*]{1,2}|\\| *|#{1,6} +)(?:${asked.join('|')})[\`*:]{0,3} *(?:$|\\|)`, 'imy')]),
  ];
  return patterns.length === 0 ? undefined : (passage) => someLine(passage, patterns);
}

/** Whether a line begins with one of the patterns, which are sticky. */
function someLine(passage: string, patterns: readonly RegExp[]): boolean {
  let start = 0;
  do {
    if (marks.includes(passage.charAt(start) || ' ')) {
      for (const pattern of patterns) {
        pattern.lastIndex = start;
        if (pattern.test(passage)) return true;
      }
    }
    start = passage.indexOf('\n', start) + 1;
  } while (start > 0);
  return false;
}

function wordsIn(name: string): readonly string[] {
  return name.match(/[\p{L}\p{N}_.]+/gu)?.map((word) => word.replaceAll('.', '\\.')) ?? [];
}
