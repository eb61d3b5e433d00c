/**
 * The rows of one table that a question asks for by what they have in common: "Which boats are on rack 3?", "Who lives in Stade?". By a
 * rule, as to the ranking each of them is as good as the others.
 */
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { cellsOf } from '../text/cells.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { readWords, stemOf } from '../text/words.ts';
import type { WritablePiece } from './write-pieces.ts';

/** "Which boats …", "Who …", "List the members …"; the same in other languages. */
const asksForRows =
  /^\W*(?:and )?(?:which|what|who|whose|(?:please )?(?:list|name|show|tell|give)\b|welche[rsn]?|wer|was|quel(?:le)?s|qui|cu[áa]les|qui[ée]n(?:es)?|quali|chi|welke|wie|quais|quem)\b/iu;
/** What turns a question around; then the rows that it does not name are meant. */
const excludes =
  /\b(?:not|no|never|without|except|other than|nicht|keine?[rsmn]?|ohne|außer|pas|sans|sauf|sin|excepto|non|senza|niet|geen|zonder|não|sem)\b|n['’]t\b/iu;
/** What a question says of rows that have something in common, beside their columns. */
const generic: ReadonlySet<string> = new Set(
  `live have has belong work locate find found store keep kept stand lie list name show tell give come stay sit use include exist own hold
  entry row item thing people person everybody all`
    .split(/\s+/)
    .map(stemOf),
);

/** Rows of a long list that an answer shows. Set by hand. */
const maxRows = 20;

interface Row {
  readonly source: Source;
  readonly unit: ReadUnit;
}

/** Such rows, at least two, in the order of the table. `isWhole` is false if there are more than an answer shows. */
export function quoteAskedRows(
  question: AnalysedQuestion,
  sources: readonly Source[],
): { readonly pieces: WritablePiece[]; readonly isWhole: boolean } | undefined {
  if (!asksForRows.test(question.asked) || excludes.test(question.asked)) return undefined;
  const asked = new Set(readWords(question.asked, question.language).map(({ stem }) => stem));
  /** Rows that have the same in a column, by their table, the column and what they have there. */
  const groups = new Map<string, Row[]>();
  for (const source of sources) {
    const { units, titleStems, headingStems } = readPassage(source, question.language);
    const isAbout = (stem: string) => generic.has(stem) || titleStems.includes(stem) || headingStems.has(stem);
    for (const unit of units) {
      if (unit.kind !== 'row' || unit.header === '') continue;
      // Reading the cells costs more than looking for a word of the question in the row.
      if (!unit.words.some(({ stem }) => asked.has(stem) && !stopStems.has(stem))) continue;
      for (const key of commonCells(unit, question, asked, isAbout)) {
        const of = `${source.url}\n${key}`;
        const group = groups.get(of) ?? [];
        group.push({ source, unit });
        groups.set(of, group);
      }
    }
  }
  const [largest = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  if (largest.length < 2) return undefined;
  const rows = largest.toSorted((a, b) => a.source.start - b.source.start || a.unit.start - b.unit.start);
  const shown = rows.slice(0, maxRows);
  const pieces = [...new Set(shown.map(({ source }) => source))].map((source) => {
    return { source, units: shown.filter((row) => row.source === source).map(({ unit }) => unit) };
  });
  return { pieces, isWhole: rows.length === shown.length };
}

/**
 * The cells of a row that the question names, each with its column, if the rest of the question is about the columns or the page.
 * A number alone is named only together with its column.
 */
function commonCells(
  { text, header, sectionStems }: ReadUnit,
  { terms, language }: AnalysedQuestion,
  asked: ReadonlySet<string>,
  isAbout: (stem: string) => boolean,
): string[] {
  const columns = cellsOf(header);
  return cellsOf(text).flatMap((cell, at) => {
    const words = readWords(cell, language);
    const stems = new Set(words.map(({ stem }) => stem));
    if (words.length === 0 || !words.every(({ stem }) => asked.has(stem) && !generic.has(stem))) return [];
    if (!words.some(({ stem, digits }) => !digits && !stopStems.has(stem))) {
      const column = readWords(columns[at] ?? '', language);
      if (!words.every(({ digits }) => digits) || !column.some(({ stem }) => asked.has(stem))) return [];
    }
    const isRest = terms.every(({ stem }) => stems.has(stem) || sectionStems.has(stem) || isAbout(stem));
    return isRest ? [`${header}\n${at}\n${[...stems].join(' ')}`] : [];
  });
}
