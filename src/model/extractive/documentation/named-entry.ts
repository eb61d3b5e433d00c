/**
 * The entry of a setting, an option or a command that a question names literally, in a manual where a label names what the paragraphs
 * below it describe: its beginning, or what it says of the default. Found by rules, as nothing else can be meant.
 */
import { identifiersIn } from '../../../base/text/identifiers.ts';
import type { WritablePiece } from '../answer/write-pieces.ts';
import { plainStems } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { beginningOf } from './beginning.ts';
import { leavesOut } from './named-row.ts';

/** `-x`, `--long` and `dotted.names`, which prose has none of. */
const optionName = /(?<![\p{L}\p{N}_.-])(?:--?[A-Za-z][\w-]*|[a-z]\w*(?:\.\w+)+)(?![\p{L}\p{N}_])/gu;
/** What follows a name in a label: nothing, a value or a type. A word would make it another name, but that of an option's value. */
const afterName = /^(?:$|\s*[(=[<\\→/])/;
const afterOption = /^(?:$|[\s(=[<\\→/])/;
const asksForDefault = /\bdefaults?\b/i;

/** The entry that the question names, if it asks for nothing that the entry does not say. */
export function quoteNamedEntry(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const names = [...identifiersIn(question.text), ...(question.text.match(optionName) ?? [])];
  if (names.length === 0) return undefined;
  const rest = leavesOut(question, names);
  const wantsDefault = asksForDefault.test(question.text);
  /** The rest of an entry, whose beginning is in another passage, if that one is not found. */
  let remainder: WritablePiece | undefined;
  for (const source of sources) {
    const passage = readPassage(source);
    for (const [at, unit] of passage.units.entries()) {
      const label = labelOf(unit, source);
      const isEntered = at > 0 && labelOf(passage.units[at - 1]!, source) === label;
      const name = isEntered ? undefined : names.find((each) => isLabelOf(label, each));
      if (name === undefined) continue;
      const others = names.filter((each) => each !== name);
      const units = wantsDefault ? defaultIn(passage.units, at, label, source) : beginningOf(passage.units, at);
      if (units.length === 0 || !says(units, passage, label, [...rest, ...others.map((each) => each.toLowerCase())]))
        continue;
      const [first, ...more] = units;
      const text = first!.text.startsWith(label) ? first!.text : `${label}: ${first!.text}`;
      const entry = { source, units: [{ ...first!, text }, ...more] };
      if (wantsDefault || unit.section !== '') return entry;
      remainder ??= entry;
    }
  }
  return remainder;
}

/** The label of a unit, which a passage that begins within an entry has only in its headings. */
function labelOf({ section }: ReadUnit, { headings }: Source): string {
  return section === '' ? (headings.split(' › ').at(-1) ?? '') : section;
}

/** Whether a label, or a part of it, is a name and perhaps its value or type: "-f, --force[=<reason>]", "`port` (`integer`)". */
function isLabelOf(label: string, name: string): boolean {
  return label
    .replaceAll('`', '')
    .split(/, | (?=-)/)
    .some(
      (part) => part.startsWith(name) && (name.startsWith('-') ? afterOption : afterName).test(part.slice(name.length)),
    );
}

/** The first sentence of an entry about its default. */
function defaultIn(units: readonly ReadUnit[], from: number, label: string, source: Source): ReadUnit[] {
  const end = units.findIndex((unit, at) => at > from && labelOf(unit, source) !== label);
  const entry = units.slice(from, end === -1 ? units.length : end);
  return entry.filter(({ kind, text }) => kind !== 'code' && asksForDefault.test(text)).slice(0, 1);
}

/** Whether all stems are said by the units, their label or what is above it. */
function says(units: readonly ReadUnit[], passage: ReadPassage, label: string, stems: readonly string[]): boolean {
  const said = new Set([
    ...units.flatMap(({ words }) => plainStems(words)),
    ...passage.titleStems,
    ...passage.headingStems,
  ]);
  const lower = label.toLowerCase();
  return stems.every((stem) => said.has(stem) || units[0]!.sectionStems.has(stem) || lower.includes(stem));
}
