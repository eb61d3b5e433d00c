/**
 * The row or item that defines a name which is asked for literally: a setting (`PORT`), an option, an error code (`queue_full`, 4508), or
 * the message of an error, pasted. Found by rules, as nothing else can be meant.
 */

import { literalNamesIn } from '../../../base/text/names/literal-names.ts';
import { lowerWordsIn, plainWordsIn } from '../../../base/text/plain-words.ts';
import type { WritablePiece } from '../answer/write-pieces.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { cellsOf } from '../text/cells.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { countWords, plainStems, stemOf } from '../text/words.ts';

// Set by hand.
/** Words of a pasted message; fewer may be a question. */
const minMessageWords = 4;
/** Words from which a cell of a row explains what the others name. */
const minMeaningWords = 3;
/** Numbers that may be codes: of HTTP, of a WebSocket that closes. */
const code = /(?<![\p{L}\p{N}.,-])[1-9]\d{2,3}(?![\p{L}\p{N}]|[.,-]\d)/gu;

/** What a question says about a name without asking for more than what it is. */
const generic: ReadonlySet<string> = new Set(
  `mean meaning define definition description default value setting option variable environment env parameter field error code message
  status what stand explain explanation get got see keep return throw fail http websocket ws socket connection close response answer server`
    .split(/\s+/)
    .map(stemOf),
);

/** The row or item that defines what the question names, if it asks for nothing else. */
export function quoteNamedRow(question: AnalysedQuestion, sources: readonly Source[]): WritablePiece | undefined {
  const names = [...literalNamesIn(question.text), ...(question.text.match(code) ?? [])];
  const message = plain(question.text);
  const isMessage = countWords(message) >= minMessageWords;
  if (names.length === 0 && !isMessage) return undefined;
  const rest = leavesOut(question, names);
  for (const source of sources) {
    for (const unit of readPassage(source).units) {
      if (unit.kind !== 'row' && unit.kind !== 'item') continue;
      // "VACUUM - lang_vacuum.html" only says where to read.
      const isLink = unit.kind === 'item' && unit.text.split(/\s+/).length <= 3;
      const isDefined =
        !isLink && names.some((name) => leadsWith(unit, name)) && rest.every((stem) => isIn(unit, stem));
      const isSaid = isMessage && unit.kind === 'row' && ` ${plain(unit.text)} `.includes(` ${message} `);
      if (isDefined || isSaid) return { source, units: [shownRow(unit)] };
    }
  }
  return undefined;
}

/** What a question for a figure has beside what the figure is of: "What is the maximum number of columns in a table?" */
const measures: ReadonlySet<string> = new Set(
  `maximum minimum max min most least high highest low lowest number size limit count many much long large allow support have default value`
    .split(/\s+/)
    .map(stemOf),
);

/** The row with a figure whose first cell names just what the question wants the figure of: "columns per table | 1,600". */
export function quoteAskedRow(
  { kind, terms }: AnalysedQuestion,
  sources: readonly Source[],
): WritablePiece | undefined {
  if (!['count', 'amount', 'what', 'which', 'define'].includes(kind)) return undefined;
  const asked = terms.flatMap(({ stem }) => (measures.has(stem) ? [] : [stem]));
  if (asked.length < 2 || asked.length === terms.length) return undefined;
  for (const source of sources) {
    for (const unit of readPassage(source).units) {
      // Analysing a cell costs more than looking for the words in its row.
      if (unit.kind !== 'row' || !asked.every((stem) => isIn(unit, stem))) continue;
      const [first = '', ...cells] = cellsOf(unit.text);
      if (!cells.some((cell) => /\p{N}/u.test(cell))) continue;
      const named = new Set(analyse(first).terms.map(({ stem }) => stem));
      if (named.size === asked.length && asked.every((stem) => named.has(stem)))
        return { source, units: [shownRow(unit)] };
    }
  }
  return undefined;
}

/** Stems of what a question has beside names, their parts and generic words. */
export function leavesOut({ text, terms }: AnalysedQuestion, names: readonly string[]): string[] {
  const bare = names.reduce((all, name) => all.replaceAll(name, ' '), text).toLowerCase();
  const words = new Set(plainWordsIn(bare).map(stemOf));
  return terms.flatMap(({ stem }) => (words.has(stem) && !generic.has(stem) ? [stem] : []));
}

function isIn({ words, sectionStems }: ReadUnit, stem: string): boolean {
  return plainStems(words).includes(stem) || sectionStems.has(stem);
}

/** What separates the name of an item from what it says. */
const afterItemName = /^(?:\([^)]*\))?[`")]*(?:\s*[:–—(]|\s+-\s|\s+`)/;

/** Whether a row or item is the entry of a name: its first cell, or one of several there, or its first word. */
function leadsWith({ kind, text }: ReadUnit, name: string): boolean {
  if (kind === 'item') {
    const lead = text.replace(/^[`"(]+/, '');
    return lead.startsWith(name) && afterItemName.test(lead.slice(name.length));
  }
  const [first = ''] = cellsOf(text);
  const words = first.replaceAll('\\|', '|').split(/[\s,]+/);
  return words.some((word) => word === name || word.replace(/^[`"(]+|[`"):]+$|\(.*$/g, '') === name);
}

/**
 * A row as a sentence if one of its cells explains the others: "`PORT` (default `8080`): Port to listen on." Other rows stay rows; those
 * that have lost their headings, as in the middle of a long table, keep what can be understood without.
 */
export function shownRow(unit: ReadUnit): WritablePiece['units'][number] {
  if (unit.kind !== 'row') return unit;
  const [name = '', ...cells] = cellsOf(unit.text);
  const meanings = cells.filter((cell) => countWords(cell) >= minMeaningWords);
  if (meanings.length !== 1) return unit;
  const headings = cellsOf(unit.header).slice(1);
  const details = cells.flatMap((cell, at) => {
    const heading = headings[at] ?? '';
    const isSaid = cell !== meanings[0] && /[\p{L}\p{N}]/u.test(cell) && heading !== '';
    return isSaid ? [`${/^\p{Lu}\p{Ll}/u.test(heading) ? heading.toLowerCase() : heading} ${cell}`] : [];
  });
  const about = details.length === 0 ? '' : ` (${details.join(', ')})`;
  const text = `${name}${about}: ${meanings[0]}`.replaceAll('\\|', '|');
  return { ...unit, kind: 'sentence', header: '', text };
}

/** Lower-case words and figures, one space between. */
function plain(text: string): string {
  return lowerWordsIn(text).join(' ');
}
