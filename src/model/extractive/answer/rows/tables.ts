/** The tables of the evidence as a question sees them: what their columns are about, and what it names of their rows. */
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { saysWhen } from '../../rank/newest-first.ts';
import { cellsOf } from '../../text/cells.ts';
import { dateIn, documentDate } from '../../text/document-date.ts';
import { type ReadUnit, readPassage, type Source } from '../../text/passages.ts';
import { readWords } from '../../text/words.ts';
import type { WritablePiece } from '../write-pieces.ts';
import { createCellReader, isGeneric } from './named-cells.ts';

/** Rows of a long list that an answer shows. Set by hand. */
const maxRows = 20;

export interface Row {
  readonly source: Source;
  readonly unit: ReadUnit;
  /** The words of the question that its cells have, each with the index of the column. */
  readonly named: ReadonlySet<string>;
}

/** Rows that an answer shows, by the passages that they are in. `isWhole` is false if there are more. */
export interface QuotedRows {
  readonly pieces: WritablePiece[];
  readonly isWhole: boolean;
}

/** Those rows in the order of their table. */
export function quoteRows(rows: readonly Row[]): QuotedRows {
  const inOrder = rows.toSorted((a, b) => a.source.start - b.source.start || a.unit.start - b.unit.start);
  const shown = inOrder.slice(0, maxRows);
  const pieces = [...new Set(shown.map(({ source }) => source))].map((source) => {
    return { source, units: shown.filter((row) => row.source === source).map(({ unit }) => unit) };
  });
  return { pieces, isWhole: rows.length === shown.length };
}

export interface Table {
  /** The names of its columns, "Name | Year". */
  readonly header: string;
  readonly rows: Row[];
  /** Whether a term of the question is about the columns, the page or what any row is. */
  readonly isAbout: (term: number) => boolean;
  /** The same without words that say nothing about any rows. */
  readonly isNamed: (term: number) => boolean;
  readonly read: (unit: ReadUnit) => ReadonlySet<string>;
}

/** Share of the rows of the shorter of two tables that the other has as well, by their first cells. Set by hand. */
const sameShare = 0.5;

/**
 * The tables without those of another time, where several have the same columns and rows, as the prices of two years have: the newest, or
 * that of the year which the question names.
 */
function inForce(tables: readonly Table[], { asked }: AnalysedQuestion): Table[] {
  const years = new Set(asked.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g)?.map(Number));
  if (years.size === 0 && saysWhen.test(asked)) return [...tables];
  const dates = new Map(tables.map((table) => [table, dateOf(table)]));
  return tables.filter((table) => {
    const date = dates.get(table);
    const others = tables.filter((other) => {
      const its = dates.get(other);
      return date !== undefined && its !== undefined && its !== date && isVersion(table, other);
    });
    const isAsked = (one: Table) => years.has(Math.floor(dates.get(one)! / 10_000));
    if (others.length === 0 || (years.size > 0 && ![table, ...others].some(isAsked))) return true;
    return years.size > 0 ? isAsked(table) : others.every((other) => dates.get(other)! < date!);
  });
}

function dateOf({ rows }: Table): number | undefined {
  const [{ unit, source }] = rows as [Row];
  return dateIn(unit.section) ?? documentDate(source);
}

function isVersion(one: Table, other: Table): boolean {
  if (one.header !== other.header) return false;
  const [names, others] = [one, other].map(({ rows }) => new Set(rows.map(({ unit }) => cellsOf(unit.text)[0]!)));
  const shared = [...names!].filter((name) => others!.has(name)).length;
  return shared >= sameShare * Math.min(names!.size, others!.size);
}

/** The tables with names of columns, in the order of the evidence. */
export function tablesIn(question: AnalysedQuestion, sources: readonly Source[]): Table[] {
  const tables = new Map<string, Table>();
  const asked = new Set(readWords(question.asked, question.language).map(({ stem }) => stem));
  const readWidely = createWideReader(question);
  for (const source of sources) {
    const { units, titleStems, headingStems } = readPassage(source, question.language);
    for (const unit of units) {
      if (unit.kind !== 'row' || unit.header === '') continue;
      const key = `${source.url}\n${unit.section}\n${unit.header}`;
      let table = tables.get(key);
      if (table === undefined) {
        const around = readWidely([...unit.sectionStems, ...titleStems, ...headingStems]);
        table = {
          header: unit.header,
          rows: [],
          isNamed: (term) => around[term]! > 0,
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
  return inForce([...tables.values()], question);
}
