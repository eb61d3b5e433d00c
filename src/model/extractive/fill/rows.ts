/**
 * Fills the rows of an array of objects: from the rows of one table, whose columns are the fields, or the items of one list. A row
 * is kept if its first field has a value that no row before has.
 */
import { smallNumbers } from '../../../base/text/numbers.ts';
import { maxRows } from '../../../base/values/max-rows.ts';
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { readPassage } from '../text/passages.ts';
import { findCode } from '../text/values.ts';
import { readWords } from '../text/words.ts';
import { type FieldMatch, matchField, strengthIn } from './field-match.ts';
import type { FieldWord } from './field-words.ts';
import { type Field, splitName } from './fields.ts';
import { type FoundValue, toValue } from './leaf-value.ts';
import type { Page } from './pages.ts';
import { placed, proposeValues } from './stated-values.ts';
import type { Statement } from './statements.ts';

const countWord = String.raw`\d{1,2}|${smallNumbers.slice(2, 11).join('|')}`;
/** "The first three", "name 5 …"; a number elsewhere is about something else ("rooms for 2 guests", "after 18:30"). */
const countPattern = new RegExp(
  String.raw`\b(?:(?:top|first|last|best|any|all|which|what|list|name|find|show|give(?:\s+(?:me|us))?)(?:\s+the)?|the)[\s-]+(${countWord})\b(?![.,:%]\d|\s*(?:am|pm|to|-|–|%)|\s+(?:hours?|days?|weeks?|months?|years?|minutes?|people|persons?|adults?|guests?|children|kids)\b)`,
  'i',
);

type Row = readonly (FoundValue | undefined)[];

/** Values for the fields of one array, at most one more than `maxRows`. `place` is the path of its element in the template, `/items/-`. */
export function fillRows(
  fields: readonly Field[],
  place: string,
  question: AnalysedQuestion,
  pages: readonly Page[],
): LeafValue[] {
  // Nested arrays stay empty: nothing tells which row a nested list belongs to.
  const flat = fields.filter((field) => !field.path.slice(place.length).includes('/-'));
  if (flat.length === 0) return [];
  const lists = pages.flatMap((page) => [...listsOf(page)].map((list) => readList(flat, question, page, list)));
  const best = lists.filter((list) => list !== undefined).sort((a, b) => b.score - a.score)[0];
  const seen = new Set<unknown>();
  const kept = (best?.rows ?? []).filter(([lead]) => {
    if (lead === undefined || seen.has(lead.value)) return false;
    seen.add(lead.value);
    return true;
  });
  return kept
    .slice(0, wantedRows(question.text))
    .flatMap((row, index) => flat.map((field, i) => toValue(field, row[i], field.path.replace('/-', `/${index}`))));
}

interface List {
  readonly statements: readonly Statement[];
  readonly kind: 'cell' | 'item';
}

function* listsOf({ statements }: Page): Generator<List> {
  const lists = new Map<number, Statement[]>();
  for (const each of statements) {
    if (each.kind !== 'cell' && each.kind !== 'item') continue;
    const list = lists.get(each.list);
    if (list === undefined) lists.set(each.list, [each]);
    else list.push(each);
  }
  for (const list of lists.values())
    if (list.length >= 2) yield { statements: list, kind: list[0]!.kind as List['kind'] };
}

/** The rows of a list and how well it fits; undefined if it has none of the fields. */
function readList(
  fields: readonly Field[],
  question: AnalysedQuestion,
  page: Page,
  { statements, kind }: List,
): { readonly score: number; readonly rows: Row[] } | undefined {
  const [first] = statements;
  const about = headingsOf(first!, page);
  const names = fields[0]!.parents;
  const named = names.filter((word) => strengthIn(word, about) > 0).length / Math.max(1, names.length);
  const asked = question.terms.filter(({ stem }) => about.has(stem)).length / Math.max(1, question.terms.length);
  const read =
    kind === 'cell' ? readTable(fields, question, page, statements) : readItems(fields, question, page, statements);
  if (read === undefined) return undefined;
  // A list of something else has names too.
  const isAsked = asked >= 0.5 && isAskedFor(question, page, about);
  const hasNamesOnly =
    fields.length > 1 && read.rows.every(([, ...rest]) => rest.every((value) => value === undefined));
  if (named === 0 && !isAsked && (hasNamesOnly || read.fitting === 0)) return undefined;
  return { score: read.fitting + 1.5 * named + asked + 2 * page.relevance, rows: read.rows };
}

/** The stems of the headings above a list, and of what introduces it, "The committee:". */
function headingsOf({ context, section, unit }: Statement, { source }: Page): Set<string> {
  const { units } = readPassage(source);
  const before = units[units.indexOf(unit) - 1];
  const words = before?.kind === 'sentence' && /:\s*$/.test(before.text) ? before.words : [];
  return new Set([...context, ...[...readWords(section), ...words].map(({ stem }) => stem)]);
}

/**
 * Whether the prompt has a word of the headings besides the title. A page that it names may have any tables: only the one that is
 * directly below its title is then asked for.
 */
function isAskedFor(question: AnalysedQuestion, { source }: Page, about: ReadonlySet<string>): boolean {
  const title = new Set(readPassage(source).titleStems);
  const headings = [...about].filter((stem) => !title.has(stem));
  return headings.length === 0 || question.terms.some(({ stem }) => headings.includes(stem));
}

function readTable(
  fields: readonly Field[],
  question: AnalysedQuestion,
  page: Page,
  statements: readonly Statement[],
): { readonly fitting: number; readonly rows: Row[] } | undefined {
  const columns = [...new Set(statements.map(({ column }) => column))].filter((column) => column !== '');
  // "Fare" of `fares` heads what they cost, and not what each is called.
  const suits = (column: string, type: Field['type']) => (type === 'string') !== hasFigures(statements, column);
  const exact = fields.map(
    ({ key, objectWord, type }) =>
      columns.find((column) => keyOf(column) === key) ??
      columns.find((column) => objectWord !== undefined && isHeadedBy(column, objectWord) && suits(column, type)),
  );
  const columnOf = fields.map((field, i) => {
    if (exact[i] !== undefined) return exact[i];
    const fits = (column: string) => {
      if (exact.includes(column) || (field.objectWord !== undefined && !suits(column, field.type))) return 0;
      const stems = new Set(readWords(column).map(({ stem }) => stem));
      return (
        field.columnWords.filter((word) => strengthIn(word, stems) > 0).length / Math.max(1, field.columnWords.length)
      );
    };
    const best = [...columns].sort((a, b) => fits(b) - fits(a))[0];
    return best !== undefined && fits(best) >= 0.5 ? best : undefined;
  });
  const fitting = columnOf.filter((column) => column !== undefined).length / fields.length;
  const [first] = statements.map(({ column }) => column);
  if (
    fitting === 0 &&
    fields.length > 1 &&
    !(first !== undefined && isOfNames(first, fields[0]!, question, statements))
  )
    return undefined;
  if (columnOf[0] === undefined && fields[0]!.type === 'string' && !columnOf.includes(first)) columnOf[0] = first;
  if (columnOf[0] === undefined) return undefined;
  const rows = groupByUnit(statements);
  return {
    fitting,
    rows: [...rows.values()].map((cells) =>
      fields.map((field, i) => {
        const cell = cells.find(({ column }) => columnOf[i] !== undefined && column === columnOf[i]);
        return cell && best(field, cell, labelledMatch, page);
      }),
    ),
  };
}

/** Whether a column has the names of what is asked for: "Room" for `rooms`, or for a prompt that asks which rooms there are. */
function isOfNames(
  column: string,
  field: Field,
  question: AnalysedQuestion,
  statements: readonly Statement[],
): boolean {
  const stems = new Set(readWords(column).map(({ stem }) => stem));
  const isNamed =
    field.parents.some((word) => strengthIn(word, stems) > 0) || question.terms.some(({ stem }) => stems.has(stem));
  return isNamed && field.type === 'string' && !hasFigures(statements, column);
}

/** The heading of a column as the key of a field has it: "Weight class" for `weight_class`. */
function keyOf(column: string): string {
  return splitName(column).join(' ').toLowerCase();
}

/** Whether the heading of a column is one word alone. */
function isHeadedBy(column: string, word: FieldWord): boolean {
  const words = readWords(column);
  return words.length === 1 && strengthIn(word, new Set([words[0]!.stem])) > 0;
}

/** Whether at least half of the cells of a column begin with a number: "60 €", "CHF 60", "6 km". */
function hasFigures(statements: readonly Statement[], column: string): boolean {
  const cells = statements.filter((each) => each.column === column && each.text.trim() !== '');
  return 2 * cells.filter(({ text }) => beginsWithFigure.test(text)).length >= Math.max(1, cells.length);
}

const beginsWithFigure =
  /^[^\p{L}\d]*(?:(?:US|EUR|USD|GBP|CHF|INR|SEK|NOK|DKK|Rs|kr|ca|approx|from|ab)\.?[^\p{L}\d]*)?\d/iu;

const labelledMatch: FieldMatch = { score: 1, places: [], isLabelled: true };

function readItems(
  fields: readonly Field[],
  question: AnalysedQuestion,
  page: Page,
  statements: readonly Statement[],
): { readonly fitting: number; readonly rows: Row[] } {
  const rows = statements.map((item) =>
    fields.map((field, i) => {
      if (i === 0 && field.type === 'string') return leadOf(field, item, page);
      const match = matchField({ ...field, parents: [] }, question, item);
      if (match !== undefined) return best(field, item, match, page);
      // An amount of money, or a number in the unit that is asked for, says itself what it is.
      return field.dimension === undefined && field.role !== 'sentence'
        ? undefined
        : best(field, item, { score: 0.5, places: [], isLabelled: false }, page);
    }),
  );
  const filled = rows.flat().filter((value) => value !== undefined).length;
  return { fitting: filled / Math.max(1, rows.length * fields.length) - 0.3, rows };
}

/** What an item begins with: its bold words or code, what stands before its colon or dash, or the whole of a short one. */
function leadOf(field: Field, item: Statement, page: Page): FoundValue | undefined {
  const { text } = item;
  if (field.role === 'sentence') return best(field, item, labelledMatch, page);
  const [code] = /^\s*(?:\*\*|__|`)/.test(text) ? findCode(text) : [];
  const said = code ?? spanOf(/^\s*([^:–—(]{1,80}?)(?=\s*(?::\s|\s[-–—]\s|\(|$))/u.exec(text));
  if (said === undefined || said.text.split(/\s+/).length > 8) return undefined;
  return placed({ value: said.text, start: said.start, end: said.end, score: 1.5 }, item, page);
}

function spanOf(match: RegExpExecArray | null): { text: string; start: number; end: number } | undefined {
  if (match === null) return undefined;
  const text = match[1]!.trim().replace(/[.,;]$/, '');
  const start = match[0].indexOf(text);
  return text === '' ? undefined : { text, start, end: start + text.length };
}

function best(field: Field, statement: Statement, match: FieldMatch, page: Page): FoundValue | undefined {
  const [found] = proposeValues(field, statement, match, page.isContinental).sort((a, b) => b.score - a.score);
  return found && placed({ ...found, score: found.score + match.score }, statement, page);
}

function wantedRows(text: string): number {
  const written = countPattern.exec(text)?.[1];
  const word = smallNumbers.indexOf(written?.toLowerCase() ?? '');
  const asked = word === -1 ? Number(written ?? 0) : word;
  return asked >= 1 ? asked : maxRows + 1;
}

function groupByUnit(statements: readonly Statement[]): Map<Statement['unit'], Statement[]> {
  const rows = new Map<Statement['unit'], Statement[]>();
  for (const each of statements) rows.set(each.unit, [...(rows.get(each.unit) ?? []), each]);
  return rows;
}
