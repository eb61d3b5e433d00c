/**
 * The entry of a setting, an option, a command or an operator that a question names literally, in a manual where a label names what the
 * paragraphs below it describe: its beginning, or what it says of the default. Found by rules, as nothing else can be meant.
 */

import { splitHeadings } from '../../../base/text/headings.ts';
import { literalNamesIn } from '../../../base/text/names/literal-names.ts';
import type { WritablePiece } from '../answer/write-pieces.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { plainStems } from '../text/words.ts';
import { beginningOf } from './beginning.ts';
import { leavesOut } from './named-row.ts';

/** What follows a name in a label: nothing, a value or a type. A word would make it another name, but that of an option's value. */
const afterName = /^(?:$|\s*[(=[<\\→/;])/;
const afterOption = /^(?:$|[\s(=[<\\→/])/;
/** After one that has no letters, and after a bracket, which opens what it is used on. */
const afterSymbol = /^(?:$|\s)/;
const bracket = /^(?:\[\[|\(\(|\{\{)$/;
/** Before a name: the keyword of its statement, "PRAGMA", and what it is part of. */
const beforeName = /^(?:[A-Z]{3,} )+(?:\w+\.)?/;
const asksForDefault = /\bdefaults?\b/i;

/** The entry that the question names, if it asks for nothing that the entry does not say. */
export function quoteNamedEntry(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const names = literalNamesIn(question.text);
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
      const name = isEntered ? undefined : names.find((each) => isLabelOf(label, each) || isExplained(unit, each));
      if (name === undefined) continue;
      const others = names.filter((each) => !each.includes(name) && !name.includes(each));
      const units = wantsDefault ? defaultIn(passage.units, at, label, source) : beginningOf(passage.units, at);
      if (units.length === 0 || !says(units, passage, label, [...rest, ...others.map((each) => each.toLowerCase())]))
        continue;
      const [first, ...more] = units;
      const isNamed = first!.text.startsWith(label) || isExplained(first!, name);
      const text = isNamed ? first!.text : `${shownLabel(label)}: ${first!.text}`;
      const entry = { source, units: [{ ...first!, text }, ...more] };
      if (wantsDefault || unit.section !== '') return entry;
      remainder ??= entry;
    }
  }
  return remainder;
}

/** Of several forms of a statement the last, which has what may be set: "PRAGMA cache_size; PRAGMA cache_size = pages;". */
function shownLabel(label: string): string {
  return label
    .split(/;`?\s+(?=`?[A-Z]{3,} )/)
    .at(-1)!
    .replace(/;(?=`?$)/, '');
}

/** Whether a description begins with the name that its label has in part: "($?) Expands to …" and "($-, a hyphen.) …". */
function isExplained({ text }: Pick<ReadUnit, 'text'>, name: string): boolean {
  return text.startsWith(`(${name}`) && /[),]/.test(text.charAt(name.length + 1));
}

/** The label of a unit, which a passage that begins within an entry has only in its headings. */
function labelOf({ section }: ReadUnit, { headings }: Source): string {
  return section === '' ? (splitHeadings(headings).headings.split(' › ').at(-1) ?? '') : section;
}

/**
 * Whether a label, or a part of it, is a name and perhaps its value or type: "-f, --force[=<reason>]", "`port` (`integer`)", "PRAGMA
 * journal_kind;", "[[ expression ]]".
 */
function isLabelOf(label: string, name: string): boolean {
  const [, keyword, subject] = /^([A-Z]{4,} )([a-z]\w*)$/.exec(name) ?? [];
  if (keyword !== undefined && !label.includes(keyword)) return false;
  const bare = subject ?? name;
  const isFollowed = (part: string) => part.startsWith(bare) && afterOf(bare).test(part.slice(bare.length));
  return label
    .replace(/`|\\(?=[!-/:-@[-`{-~])/g, '')
    .split(/, | (?=-)/)
    .some((part) => isFollowed(part) || isFollowed(part.replace(beforeName, '')));
}

function afterOf(name: string): RegExp {
  if (bracket.test(name)) return /^/;
  if (!/\p{L}/u.test(name)) return afterSymbol;
  return name.startsWith('-') ? afterOption : afterName;
}

/** The first sentence of an entry about its default; with what is before it if that is short, so that it is a quotation with its label. */
function defaultIn(units: readonly ReadUnit[], from: number, label: string, source: Source): ReadUnit[] {
  const end = units.findIndex((unit, at) => at > from && labelOf(unit, source) !== label);
  const entry = units.slice(from, end === -1 ? units.length : end);
  const at = entry.findIndex(({ kind, text }) => kind !== 'code' && asksForDefault.test(text));
  const beginning = beginningOf(units, from);
  return at === -1 ? [] : beginning.includes(entry[at]!) ? entry.slice(0, at + 1) : [entry[at]!];
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
