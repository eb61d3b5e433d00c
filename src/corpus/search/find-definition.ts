/** Where a passage defines what a query names. */
import { namesAsked } from '../../base/text/asked-names.ts';
import { identifiersIn } from '../../base/text/identifiers.ts';

/** Identifiers of a query that are looked for; set by hand. */
const maxIdentifiers = 4;

/**
 * Finds a row, an item or a heading that begins with an identifier of the query, or a heading, label or cell that is the name which it
 * asks the meaning of, "**refspec**"; undefined if the query has neither.
 */
export function definitionOf(text: string): Pick<RegExp, 'test'> | undefined {
  const names = identifiersIn(text).slice(0, maxIdentifiers);
  const asked = namesAsked(text).flatMap((name) => wordsIn(name).join('[ -]') || []);
  const defined = new RegExp(`^(?:\\||[-*+]|#{1,6}) *[\`*"]{0,3}(?:${names.join('|')})(?![\\w-])`, 'm');
  const labelled = new RegExp(`^(?:\\|? *[\`*]{1,2}|\\| *|#{1,6} +)(?:${asked.join('|')})[\`*:]{0,3} *(?:$|\\|)`, 'im');
  if (asked.length === 0) return names.length === 0 ? undefined : defined;
  return { test: (passage) => labelled.test(passage) || (names.length > 0 && defined.test(passage)) };
}

function wordsIn(name: string): readonly string[] {
  return name.match(/[\p{L}\p{N}_.]+/gu)?.map((word) => word.replaceAll('.', '\\.')) ?? [];
}
