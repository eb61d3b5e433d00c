/**
 * The row of a table that has the most or the least of what a question asks for: "Which boat is the newest?", "Who joined last?", "the
 * cheapest room with its own bath"; several rows if they have as much. Only where one column fits, all its values compare and nothing of
 * the table is missing.
 */
import { splitHeadings } from '../../../../base/text/headings.ts';
import { foreignStem } from '../../../../base/text/stems/foreign-stemmer.ts';
import { createTermMatcher } from '../../match/term-matcher.ts';
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { isEntry, isOfCurrency } from '../../question/superlative/extreme-columns.ts';
import { readSuperlative, type Superlative } from '../../question/superlative/superlative.ts';
import { cellsOf } from '../../text/cells.ts';
import { beginsWithMonth, type ComparableColumn, readColumn } from '../../text/comparable-values.ts';
import { readLevels } from '../../text/difficulty.ts';
import type { Source } from '../../text/passages.ts';
import { readWords, stemOf } from '../../text/words.ts';
import { type QuotedRows, quoteRows, type Row, type Table, tablesIn } from './tables.ts';

/** Words after a superlative that may name a column: "the most free places". Set by hand. */
const maxWords = 2;
/** What is said of those who joined, whatever the column of the day is called. */
const entryStems: ReadonlySet<string> = new Set(
  [
    'join',
    'member',
    'club',
    'choir',
    'team',
    'band',
    'orchestra',
    'society',
    'association',
    'committee',
    'firm',
    'company',
    'staff',
    'work',
  ]
    .map((word) => stemOf(word))
    .concat(
      ['beigetreten', 'eingetreten', 'Mitglied', 'Verein', 'Chor', 'Vorstand'].map((word) =>
        foreignStem('de', word.toLowerCase()),
      ),
    ),
);
/** Characters between the passages of one table. */
const maxGap = 4;

/** Such rows; undefined where nothing says which they are. */
export function quoteExtremeRows(question: AnalysedQuestion, sources: readonly Source[]): QuotedRows | undefined {
  const superlative = readSuperlative(question.asked);
  if (superlative === undefined || saysItself(superlative, question, sources)) return undefined;
  const within = stemsWithin(superlative, question);
  const tables = tablesIn(question, sources);
  const namedOf = (table: Table) => question.terms.filter((_, term) => table.isNamed(term)).length;
  const findBy = (of: Superlative) => {
    const found = tables.flatMap((table) => {
      const rows = isWhole(table) ? rowsIn(table, of, question, within) : undefined;
      return rows === undefined ? [] : [{ rows, table, named: namedOf(table) }];
    });
    const best = Math.max(...found.map(({ named }) => named));
    return found.filter(({ named }) => named === best);
  };
  const columns = superlative.columns.filter(({ isNamed }) => isNamed !== isOfCurrency);
  const [byName, ...others] = findBy({ ...superlative, columns });
  if (byName !== undefined) return others.length > 0 ? undefined : quoteRows(byName.rows);
  if (columns.length === superlative.columns.length) return undefined;
  // A currency alone may be that of a deposit or a budget: not where another table, named as well, has prices that do not compare.
  const [first, ...more] = findBy(superlative);
  if (first === undefined || more.length > 0) return undefined;
  const isRival = (table: Table) => table !== first.table && namedOf(table) >= first.named && hasPrices(table);
  return tables.some(isRival) ? undefined : quoteRows(first.rows);
}

/** Whether a table has amounts of money. */
function hasPrices({ header, rows }: Table): boolean {
  const cells = rows.map(({ unit }) => cellsOf(unit.text));
  return cellsOf(header).some(
    (name, at) =>
      at > 0 && (isOfCurrency(name) || readColumn(cells.map((row) => row[at] ?? ''))?.dimension === 'money'),
  );
}

/** Whether a sentence has the superlative: "The oldest boat is …". */
function saysItself(superlative: Superlative, question: AnalysedQuestion, sources: readonly Source[]): boolean {
  const said = question.asked.slice(superlative.start, superlative.end).trim().toLowerCase();
  if (superlative.isOfTime || /^(?:most|least|más|più)$/.test(said)) return false;
  return sources.some(({ text }) => text.toLowerCase().includes(said));
}

function stemsWithin({ start, end }: Superlative, { asked, language }: AnalysedQuestion): ReadonlySet<string> {
  return new Set(readWords(asked.slice(start, end), language).map(({ stem }) => stem));
}

/** Whether the evidence has all passages of a table from its head on, as far as can be seen. */
function isWhole({ rows }: Table): boolean {
  const sources = [...new Set(rows.map(({ source }) => source))].toSorted((a, b) => a.start - b.start);
  const [first] = sources;
  return (
    first !== undefined &&
    splitHeadings(first.headings).columns === '' &&
    sources.every((source, at) => {
      const before = sources[at - 1];
      return before === undefined || source.start - (before.start + before.text.length) <= maxGap;
    })
  );
}

function rowsIn(
  table: Table,
  superlative: Superlative,
  question: AnalysedQuestion,
  within: ReadonlySet<string>,
): readonly Row[] | undefined {
  const names = cellsOf(table.header);
  const isOfEntry = names.some(isEntry);
  const stemsOf = (text: string) => readWords(text, question.language).map(({ stem }) => stem);
  const kinds = new Set(stemsOf(names[0]!));
  const isOfSome = (stem: string) =>
    table.rows.some(({ named }) => [...named].some((each) => each.endsWith(` ${stem}`) && !each.startsWith('0 ')));
  // "with a balcony" tells rows apart where a column says which have one; "room" does not, where each row is one, even if the names of
  // some have the word.
  const isOfAll = (stem: string, term: number) => table.isAbout(term) && (kinds.has(stem) || !isOfSome(stem));
  const deed = deedOf(superlative, question, names);
  const counted = deed === undefined ? undefined : stemsOf(question.asked.slice(superlative.end))[0];
  const rest = question.terms.flatMap(({ stem }, term) =>
    within.has(stem) ||
    stem === deed?.stem ||
    stem === counted ||
    isOfAll(stem, term) ||
    (isOfEntry && entryStems.has(stem))
      ? []
      : [stem],
  );
  const rows = table.rows.filter(({ named }) =>
    rest.every((stem) => [...named].some((each) => each.endsWith(` ${stem}`))),
  );
  if (rows.length === 0 || table.rows.length < 2) return undefined;
  const cells = rows.map(({ unit }) => cellsOf(unit.text));
  const extremesOf = ({ at, isMost, isOfDates }: Wanted) => {
    const column = cells.map((row) => row[at] ?? '');
    const isUnclear = beginsWithMonth(column) === undefined;
    const [one, other] = (isUnclear ? [false, true] : [undefined]).map((isMonthFirst) =>
      extremes(rows, valuesOf(readColumn(column, isMonthFirst), isOfDates) ?? readLevels(column), isMost),
    );
    return isUnclear && one?.some((row, i) => row !== other?.[i]) === true ? undefined : one;
  };
  const priced = pricedColumns(superlative, question, names, cells);
  for (const wanted of [...columnsFor(superlative, question, names, deed), ...(priced.length > 0 ? [priced] : [])]) {
    const [first, ...others] = wanted.map(extremesOf);
    if (first === undefined && others.every((rows) => rows === undefined)) continue;
    // Two columns of prices may have different rows.
    const isSame = first !== undefined && others.every((rows) => rows?.every((row, i) => row === first[i]) === true);
    return isSame ? first : undefined;
  }
  return undefined;
}

/** A verb that names a column alone: "Lost" of "Which team has lost the most games?". */
interface Deed {
  readonly stem: string;
  /** The index of the column. */
  readonly at: number;
}

/** Such a verb: before the superlative, or at the end of the question, "die meisten Spiele verloren". */
function deedOf(
  { start, end, ofNext, columns }: Superlative,
  { asked, language, terms }: AnalysedQuestion,
  names: readonly string[],
): Deed | undefined {
  if (!ofNext || columns.length > 0) return undefined;
  const before = readWords(asked.slice(0, start).replace(/(?<!\p{L})(?:the|die|am)\W*$/iu, ''), language).at(-1);
  const [, ...after] = readWords(asked.slice(end), language);
  for (const word of [before, after.at(-1)]) {
    const at = names.findIndex((name) => {
      const words = readWords(name, language);
      return words.length === 1 && words[0]!.stem === word?.stem;
    });
    if (word !== undefined && at > 0 && terms.some(({ stem }) => stem === word.stem)) return { stem: word.stem, at };
  }
  return undefined;
}

interface Wanted {
  readonly at: number;
  readonly isMost: boolean;
  readonly isOfDates: boolean;
}

function valuesOf(column: ComparableColumn | undefined, isOfDates: boolean): ComparableColumn['values'] | undefined {
  const isOther = isOfDates && column?.dimension !== 'date' && column?.dimension !== 'clock';
  return isOther ? undefined : column?.values;
}

/** The columns that may be meant, by their index, the likeliest first: what the next word names, and what the adjective is about. */
function columnsFor(
  superlative: Superlative,
  question: AnalysedQuestion,
  names: readonly string[],
  deed: Deed | undefined,
): Wanted[][] {
  const { asked, language } = question;
  const after = readWords(asked.slice(superlative.end), language).slice(0, maxWords);
  const next = new Set(after.map(({ stem }) => stem));
  // Not by other words: a crew sails, but is no sail.
  const matcher = createTermMatcher(question);
  const isNext = (name: string) => {
    const stems = readWords(name, language).map(({ stem }) => stem);
    if (stems.some((stem) => next.has(stem))) return true;
    const strengths = matcher.read(stems);
    return question.terms.some(({ stem }, term) => next.has(stem) && strengths[term]! > 0);
  };
  const columns = names.map((name, at) => ({ name, at }));
  // The first column says what a row is about.
  const named = superlative.ofNext ? columns.filter(({ name, at }) => at > 0 && isNext(name)) : [];
  if (named.length === 0 && deed !== undefined) named.push(columns[deed.at]!);
  const asks = new Set(question.terms.map(({ stem }) => stem));
  const isAsked = (name: string) => readWords(name, language).some(({ stem }) => asks.has(stem));
  const about = superlative.columns.map(({ isNamed, isMost, isOfDates }) => {
    const all = columns.filter(({ name }) => isNamed(name));
    const said = all.filter(({ name }) => isAsked(name));
    return (said.length > 0 ? said : all).map(({ at }) => ({ at, isMost, isOfDates }));
  });
  const said = about.filter((each) => each.some(({ at }) => isAsked(names[at]!)));
  return [named.map(({ at }) => ({ at, isMost: superlative.isMost, isOfDates: false })), ...said, ...about].filter(
    ({ length }) => length > 0,
  );
}

/**
 * The columns of prices where their names only say what for, "Half day", "Weekend": those that the question names best, else all that have
 * a currency.
 */
function pricedColumns(
  { columns, isMost, start, end }: Superlative,
  question: AnalysedQuestion,
  names: readonly string[],
  cells: readonly (readonly string[])[],
): Wanted[] {
  const isOfPrice = columns.some(({ isNamed }) => isNamed('price'));
  if (!isOfPrice || names.some((name) => columns.some(({ isNamed }) => isNamed(name)))) return [];
  const readWidely = createWideReader(question);
  const stemsOf = (text: string) => readWords(text, question.language).map(({ stem }) => stem);
  const other = new Set([...stemsOf(question.asked.slice(start, end)), ...stemsOf(names[0]!)]);
  const found = names.flatMap((name, at) => {
    const dimension = at === 0 ? undefined : readColumn(cells.map((row) => row[at] ?? ''))?.dimension;
    const strengths = readWidely(stemsOf(name));
    const named = question.terms.filter(({ stem }, term) => strengths[term]! > 0 && !other.has(stem)).length;
    const isPrice = dimension === 'money' || (dimension === 'number' && named > 0);
    return isPrice ? [{ at, named }] : [];
  });
  const best = Math.max(...found.map(({ named }) => named));
  return found.filter(({ named }) => named === best).map(({ at }) => ({ at, isMost, isOfDates: false }));
}

/** The rows with the greatest or the least value; undefined if all have the same, or the values do not compare. */
function extremes(
  rows: readonly Row[],
  values: readonly (number | undefined)[] | undefined,
  isMost: boolean,
): readonly Row[] | undefined {
  if (values === undefined) return undefined;
  const said = values.filter((value) => value !== undefined);
  const extreme = isMost ? Math.max(...said) : Math.min(...said);
  return said.every((value) => value === extreme) ? undefined : rows.filter((_, at) => values[at] === extreme);
}
