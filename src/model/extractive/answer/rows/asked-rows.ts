/**
 * The rows of one table that a question asks for by what they have in common: "Which boats are on rack 3?", "Who lives in Stade?", "How
 * many courses does Mira teach?". By a rule, as to the ranking each of them is as good as the others. Where the question says "not", they
 * are the other rows of the table. How many they are is not said but seen: an answer only quotes.
 */
import { createEverydayMatcher } from '../../match/everyday.ts';
import { createTermMatcher, type Strengths } from '../../match/term-matcher.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { readRowQuestion } from '../../rank/row-question.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { readWords } from '../../text/words.ts';
import type { WritablePiece } from '../write-pieces.ts';
import { createCellReader, isGeneric } from './named-cells.ts';

/** Rows of a long list that an answer shows. Set by hand. */
const maxRows = 20;

interface Row {
  readonly source: Source;
  readonly unit: ReadUnit;
  /** The words of the question that its cells have, each with the index of the column. */
  readonly named: ReadonlySet<string>;
}

/** Such rows, in the order of the table. `isWhole` is false if there are more than an answer shows. */
export function quoteAskedRows(
  question: AnalysedQuestion,
  sources: readonly Source[],
): { readonly pieces: WritablePiece[]; readonly isWhole: boolean } | undefined {
  const wanted = readRowQuestion(question.asked);
  if (wanted === undefined) return undefined;
  const rows = wanted.isNegated ? otherRows(question, sources) : rowsInCommon(question, sources);
  if (rows.length < wanted.least) return undefined;
  const inOrder = rows.toSorted((a, b) => a.source.start - b.source.start || a.unit.start - b.unit.start);
  const shown = inOrder.slice(0, maxRows);
  const pieces = [...new Set(shown.map(({ source }) => source))].map((source) => {
    return { source, units: shown.filter((row) => row.source === source).map(({ unit }) => unit) };
  });
  return { pieces, isWhole: rows.length === shown.length };
}

function rowsInCommon(question: AnalysedQuestion, sources: readonly Source[]): readonly Row[] {
  const groups = groupRows(question, sources, false);
  return groups.reduce<readonly Row[]>((best, { rows }) => (rows.length > best.length ? rows : best), []);
}

/** The rows of the same table that have something else in the column that the question names. */
function otherRows(question: AnalysedQuestion, sources: readonly Source[]): readonly Row[] {
  const groups = groupRows(question, sources, true);
  const [group] = groups.toSorted((a, b) => b.rows.length - a.rows.length);
  return group === undefined ? [] : group.table.filter((row) => !group.rows.includes(row));
}

interface Group {
  readonly rows: readonly Row[];
  readonly table: readonly Row[];
}

/** For each table, the rows that the question names, if the rest of it is about the columns or the page; the most of several. */
function groupRows(question: AnalysedQuestion, sources: readonly Source[], isNegated: boolean): Group[] {
  return tablesIn(question, sources).flatMap(({ rows, isAbout }): Group[] => {
    const isWhole = ({ named }: Row) =>
      named.size > 0 &&
      question.terms.every(({ stem }, term) => isAbout(term) || [...named].some((each) => each.endsWith(` ${stem}`)));
    const ways = new Map(rows.filter(isWhole).map(({ named }) => [[...named].sort().join('\n'), named]));
    const groups = [...ways.values()].flatMap((named): Group[] => {
      // "Not on rack 3 in 2004" may mean either, and the first column says what a row is about.
      const columns = new Set([...named].map((each) => each.split(' ', 1)[0]!));
      if (isNegated && (columns.size > 1 || columns.has('0'))) return [];
      return [{ rows: rows.filter((row) => [...named].every((each) => row.named.has(each))), table: rows }];
    });
    return groups.sort((a, b) => b.rows.length - a.rows.length).slice(0, 1);
  });
}

interface Table {
  readonly rows: Row[];
  /** Whether a term of the question is about the columns, the page or what any row is. */
  readonly isAbout: (term: number) => boolean;
  readonly read: (unit: ReadUnit) => ReadonlySet<string>;
}

function tablesIn(question: AnalysedQuestion, sources: readonly Source[]): Table[] {
  const tables = new Map<string, Table>();
  const asked = new Set(readWords(question.asked, question.language).map(({ stem }) => stem));
  const readWidely = createWideReader(question);
  for (const source of sources) {
    const { units, titleStems, headingStems } = readPassage(source, question.language);
    for (const unit of units) {
      if (unit.kind !== 'row' || unit.header === '') continue;
      const key = `${source.url}\n${unit.header}`;
      let table = tables.get(key);
      if (table === undefined) {
        const around = readWidely([...unit.sectionStems, ...titleStems, ...headingStems]);
        table = {
          rows: [],
          isAbout: (term) => around[term]! > 0 || isGeneric(question.terms[term]!.stem, question.language),
          read: createCellReader(question, asked, unit.header, (stem) =>
            readWidely([stem]).some((strength) => strength > 0),
          ),
        };
        tables.set(key, table);
      }
      table.rows.push({ source, unit, named: table.read(unit) });
    }
  }
  return [...tables.values()];
}

/** How well stems have each term of a question, synonyms included. */
function createWideReader(question: AnalysedQuestion): (stems: readonly string[]) => Strengths {
  const matcher = createTermMatcher(question);
  const raise = createEverydayMatcher(question);
  return (stems) => raise(stems, matcher.readWithSynonyms(stems, matcher.read(stems)));
}
