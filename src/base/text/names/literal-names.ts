/**
 * What a question names literally, as only code, commands and their references do: identifiers (`PORT`, `queue_full`), options (`-x`,
 * `--long`), `dotted.names`, names without letters (`$?`, `[[`), those with a mark before them (`!n`, `$HOME`, `@media`, `.backup`),
 * and statements (`PRAGMA synchronous`).
 */
import { identifiersIn } from './identifiers.ts';
import { symbolsAsked } from './symbol-names.ts';

const option = /(?<![\p{L}\p{N}_.-])(?:--?[A-Za-z][\w-]*|[a-z]\w*(?:\.\w+)+)(?![\p{L}\p{N}_])/gu;
/** Among words: a mark within one, or at the end of a sentence, is none of these. */
const marked = /(?<=^|[\s"'“‘`(])[!$@%#.:&\\][A-Za-z]\w*(?![\p{L}\p{N}_])/gu;

/** A keyword with what it is about: "PRAGMA synchronous". */
const statement =
  /(?<![\p{L}\p{N}_=-])[A-Z]{4,} (?!(?:do|does|mean|for|in|of|to|is|and|or|stand)\b)[a-z]\w*(?![\p{L}\p{N}_])(?=\W*$| (?:do|does|mean|for|in|stand)\b)/gu;

/** The distinct names of a question, each kind in order. */
export function literalNamesIn(question: string): string[] {
  const named = [question.match(option), question.match(marked), question.match(statement)];
  return [
    ...new Set([...identifiersIn(question), ...symbolsAsked(question), ...named.flatMap((found) => found ?? [])]),
  ];
}
