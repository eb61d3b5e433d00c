/**
 * The rows of one table that a question asks for by what they have in common: "Which boats are on rack 3?", "Who lives in Stade?",
 * "How many courses does Mira teach?". By a rule, as to the ranking each of them is as good as the others. Where the question says
 * "not", they are the other rows of the table. How many they are is not said but seen: an answer only quotes.
 */

import { createWideReader } from '../../match/wide-reader.ts';
import { type AnalysedQuestion, analyse } from '../../question/analyse.ts';
import { hasAskedCell } from '../../question/asked/asked-column.ts';
import { type AskedForm, readAskedForm } from '../../question/asked/asked-form.ts';
import { valueAskedBy } from '../../question/asked/asked-value.ts';
import { readRowQuestion } from '../../question/asked/row-question.ts';
import { readPassage, type Source } from '../../text/passages.ts';
import { plainStems } from '../../text/words.ts';
import { splitAlternatives } from './alternatives.ts';
import { type QuotedRows, quoteRows, type Row, tablesIn } from './tables.ts';

/** Such rows, in the order of the table. `isWhole` is false if there are more than an answer shows. */
export function quoteAskedRows(question: AnalysedQuestion, sources: readonly Source[]): QuotedRows | undefined {
  const wanted = readRowQuestion(question.asked);
  if (wanted === undefined) return undefined;
  const form = readAskedForm(question.text, question.language !== undefined);
  if (form?.isRequired === true && isSaid(form, question, sources)) return undefined;
  const either = wanted.isNegated ? undefined : splitAlternatives(question.asked, question.language);
  const rowsOfBoth = () => rowsOfEither(either?.questions ?? [], sources);
  const of = either?.isOr === true ? rowsOfBoth() : [];
  if (of.length > 0) return quoteRows(of);
  const rows = wanted.isNegated ? otherRows(question, sources) : rowsInCommon(question, sources);
  // "What did Otto's father do?" asks for the row of Otto, not for those of his children, which name him as well.
  if (ofRelative.test(question.asked) && rows.some(({ named }) => !isAboutIts(named))) return undefined;
  // "What does the hall cost on Saturdays?" is not answered by what takes place in it on Saturdays.
  if (rows.length > 0 && !rows.some((row) => mayAnswer(row, question, form))) return undefined;
  if (rows.length >= wanted.least) return quoteRows(rows);
  const ofBoth = rows.length > 0 ? [] : rowsOfBoth();
  return ofBoth.length === 0 ? undefined : quoteRows(ofBoth);
}

const ofRelative =
  /(?<!\p{L})\p{Lu}\p{L}+(?:['’]s|s['’]) (?:\p{Ll}+ )?(?:(?:grand|step)?(?:father|mother|parents?)|wife|husband|spouse|partner|brothers?|sisters?|siblings?)(?!\p{L})/u;

/** Whether a row is named by its first column, which says what it is about. */
function isAboutIts(named: Row['named']): boolean {
  return [...named].some((each) => each.startsWith('0 '));
}

/** Whether a sentence says all that is asked, with a value of that form: who owns the hall, or how many people it seats. */
function isSaid(form: AskedForm, question: AnalysedQuestion, sources: readonly Source[]): boolean {
  const readWidely = createWideReader(question);
  return sources.some((source) =>
    readPassage(source, question.language).units.some(
      ({ kind, text, words }) =>
        kind === 'sentence' &&
        form.count(text, false) > 0 &&
        readWidely(plainStems(words)).every((strength) => strength > 0),
    ),
  );
}

/** Whether a row has a price where one is asked for. Other values are less sure, and rows are counted by the reader. */
function mayAnswer({ unit }: Row, { text }: AnalysedQuestion, form: AskedForm | undefined): boolean {
  if (valueAskedBy(text) !== 'money' || form?.isRequired !== true) return true;
  return form.count(unit.text, true) > 0 || hasAskedCell('money', unit.header, unit.text);
}

/** The rows of one table that any of these questions asks for, if there are some for each. */
function rowsOfEither(questions: readonly string[], sources: readonly Source[]): readonly Row[] {
  const found = questions.map((each) => rowsInCommon(analyse(each), sources));
  const all = found.flat();
  const isOne = all.every(
    ({ source, unit }) => source.url === all[0]!.source.url && unit.header === all[0]!.unit.header,
  );
  return isOne && found.every(({ length }) => length > 0)
    ? [...new Map(all.map((row) => [row.unit, row])).values()]
    : [];
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

function isNamed(named: Row['named'], stem: string): boolean {
  return [...named].some((each) => each.endsWith(` ${stem}`));
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
      question.terms.every(
        // A part of "EauPlus" is named by the whole.
        ({ at }, term) =>
          isAbout(term) || question.terms.some((other) => other.at === at && isNamed(named, other.stem)),
      );
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
