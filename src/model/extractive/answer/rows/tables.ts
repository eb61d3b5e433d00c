/** The tables of the evidence as a question sees them: what their columns are about, and what it names of their rows. */
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
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

/** The tables with names of columns, in the order of the evidence. */
export function tablesIn(question: AnalysedQuestion, sources: readonly Source[]): Table[] {
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
  return [...tables.values()];
}
