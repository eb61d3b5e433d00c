/**
 * The cells of a row that a question names: "rack 3" of "Which boats are on rack 3?", "yes" below "Paid" of "Which orders are
 * paid?".
 */
import { foreignStem, type StemmedLanguage } from '../../../../base/text/stems/foreign-stemmer.ts';
import { type AnalysedQuestion, stopStems } from '../../question/analyse.ts';
import { isColumnOf } from '../../question/asked/asked-column.ts';
import { type Comparison, readComparison } from '../../question/asked/row-question.ts';
import { numbersIn } from '../../rank/numbered.ts';
import { cellsOf } from '../../text/cells.ts';
import type { ReadUnit } from '../../text/passages.ts';
import { readWords, stemOf } from '../../text/words.ts';

/** What a question says of rows that have something in common, beside their columns. */
const generic = stemsOf(
  `live have has belong go see visit attend work locate find found store keep kept stand lie list name show tell give come stay sit use include exist own hold here yet still already
  entry row item thing people person everybody all offer sell run allow permit accept euro dollar pound franc
  arent isnt wasnt werent hasnt havent dont doesnt didnt cant wont cheaper less more fewer older younger smaller bigger larger`,
  (word) => stemOf(word),
);
/** The same in other languages. */
const foreign = `liegen liegt wohnen wohnt stehen steht gehören gehört kommen kommt habiter habitent habite vient viennent venir trouver trouvent vivre vivent viene vienen
  leiten leitet geben unterrichten unterrichtet vivir viven vive estar están encontrar encuentran abitare abitano abita trovare trovano wonen woont staan staat liggen ligt viver vivem mora moram`;
const genericByLanguage = new Map<StemmedLanguage, ReadonlySet<string>>();

/** Whether a word, by its stem, says nothing about the rows that are asked for. */
export function isGeneric(stem: string, language: StemmedLanguage | undefined): boolean {
  if (language === undefined) return generic.has(stem);
  let known = genericByLanguage.get(language);
  if (known === undefined) {
    known = stemsOf(foreign, (word) => foreignStem(language, word));
    genericByLanguage.set(language, known);
  }
  return known.has(stem) || generic.has(stem);
}

function stemsOf(words: string, toStem: (word: string) => string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/).map(toStem));
}

/** Words of a cell that may say more than the question does; a longer one is a text. Set by hand. */
const maxWords = 5;
const yes = /^(?:yes|y|ja|oui|sí|si|sì|sim|x|✓|✔|✅|true|wahr)$/iu;
/** A price in a question. */
const ofMoney = /\bcheaper than\b|\d\s?[€£$]|[€£$]\s?\d|\b\d+ (?:euros?|pounds|dollars|francs)\b/i;
const no = /^(?:no|none|n|nein|keine?|non|não|nee|geen|false|falsch|✗|✘)$/iu;
/** "74 €", "2015" */
const amount = /^[£€$]?\s?\d+(?:\.\d+)?\s?(?:[£€$]|EUR|CHF)?$/;
const year = /^(?:1[5-9]|20)\d\d$/;

/** Returns a function for the words of the question that the cells of a row have, each after the index of its column: "3 rack". */
export function createCellReader(
  { language, asked: text, byStem }: AnalysedQuestion,
  asked: ReadonlySet<string>,
  header: string,
  isColumnAsked: (stem: string) => boolean,
): (unit: ReadUnit) => ReadonlySet<string> {
  const isTelling = (stem: string) =>
    asked.has(stem) && (!stopStems.has(stem) || byStem.has(stem)) && !isGeneric(stem, language);
  const isOfMoney = ofMoney.test(text);
  const columns = cellsOf(header).map((name) => {
    const stems = readWords(name, language).map(({ stem }) => stem);
    const isPrice = isOfMoney && isColumnOf('money', name);
    return { stems, named: stems.filter(isTelling), isPrice, isAsked: isPrice || stems.some(isColumnAsked) };
  });
  const comparison = readComparison(text);
  const numbered = numbersIn(text, language);
  /** The numbers that are said of what a column is named by: "2" of "room 2", which is no number of beds. */
  const ofColumns = columns.flatMap(({ stems: [stem = '', ...others] }, at) => {
    const number = others.length === 0 ? numbered.get(stem) : undefined;
    return number === undefined ? [] : [{ at, number }];
  });
  const readCell = (cell: string, at: number): readonly string[] => {
    const column = columns[at];
    if (ofColumns.some((each) => each.at !== at && each.number === cell)) return [];
    const said = numbered.size === 0 ? numbered : numbersIn(cell, language);
    // Pier B is not on pier A.
    if ([...said].some(([word, number]) => (numbered.get(word) ?? number) !== number)) return [];
    if (yes.test(cell)) return column?.named ?? [];
    if (no.test(cell)) return [];
    if (comparison !== undefined && amount.test(cell)) {
      const isValue = isOfMoney ? column?.isPrice : at > 0 && column?.isAsked;
      const isOf = year.test(String(comparison.bound)) ? year.test(cell) : isValue === true;
      return isOf && isWithin(Number.parseFloat(cell.replace(/[^\d.]/g, '')), comparison)
        ? [String(comparison.bound)]
        : [];
    }
    const words = readWords(cell, language);
    // "own" says nothing in a question, but may be all that a cell says.
    const telling = words.filter(({ stem }) => isTelling(stem) || (words.length === 1 && asked.has(stem)));
    // "Full service" below "Service" is any of them.
    if (telling.every(({ stem }) => column?.stems.includes(stem) === true)) return [];
    if (telling.some(({ digits }) => !digits))
      return words.length <= maxWords || telling.length === words.length ? telling.map(({ stem }) => stem) : [];
    // A number alone is named together with its column, or a year.
    const isNumber = words.every(({ digits, stem }) => digits || isGeneric(stem, language));
    return isNumber && (column?.isAsked === true || telling.every(({ stem }) => year.test(stem)))
      ? telling.map(({ stem }) => stem)
      : [];
  };
  return ({ text }) => new Set(cellsOf(text).flatMap((cell, at) => readCell(cell, at).map((stem) => `${at} ${stem}`)));
}

function isWithin(value: number, { bound, isBelow }: Comparison): boolean {
  return isBelow ? value < bound : value > bound;
}
