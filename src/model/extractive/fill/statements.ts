/**
 * What a passage states, piece by piece: a sentence, a list item, the cell of a table with its headings, a labelled line ("Weight:
 * 2 kg") or a term with its definition. Each has the words that say what it is about.
 */
import { stopStems } from '../question/analyse.ts';
import { type ReadPassage, type ReadUnit, type Source, stemsOfUnit } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import { maskMarkup } from '../text/values.ts';
import { readWords, type Word } from '../text/words.ts';

export interface Statement {
  /** `item` is a list item, or the first sentence of a long one. */
  readonly kind: 'prose' | 'item' | 'cell' | 'code';
  /** UTF-16 offset of `text` into the text of the passage. */
  readonly start: number;
  /** As in the passage, with markup blanked out. */
  readonly text: string;
  /** As in the passage; offsets are the same. */
  readonly raw: string;
  readonly words: readonly Word[];
  /** Stems of its words, of parts of identifiers, and of its label. */
  readonly own: ReadonlySet<string>;
  /** Stems of the label: of the words before a colon, of the headings of a cell's column and row, of a term. Empty without one. */
  readonly label: ReadonlySet<string>;
  /** Where the labelled value begins in `text`; 0 without a label. */
  readonly valueStart: number;
  /** Stems of the first cell of a cell's row; empty for other statements, and for the first cell itself. */
  readonly lead: readonly string[];
  /** Heading of the column. */
  readonly column: string;
  /** Headings of all columns of a cell's table, that of the rows' names first; empty for other statements. */
  readonly headings: readonly string[];
  readonly section: string;
  /** Stems of the headings, and of the sentence before if this one refers to it. */
  readonly context: ReadonlySet<string>;
  /** Of the list or table; statements of one list share it. */
  readonly list: number;
  readonly unit: ReadUnit;
}

const cache = new WeakMap<ReadPassage, readonly Statement[]>();
const labelled = /^\s*(?:\*\*|__|`)?([^:|\n.?!]{1,60}?)(?:`|\*\*|__)?:(?:\*\*|__)?\s+(?=\S)/;
/** "Sat: 10–14", "Sundays and Mondays: closed": a day goes on with the hours of those before it. */
const weekday = String.raw`(?:(?:Mon|Tue|Wed(?:nes)?|Thu|Thurs?|Tues|Fri|Sat(?:ur)?|Sun)(?:days?)?|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tage?s?|Mittwochs?|Mo|Di|Mi|Do|Fr|Sa|So|lun(?:di)?|mar(?:di)?|mer(?:credi)?|jeu(?:di)?|ven(?:dredi)?|sam(?:edi)?|dim(?:anche)?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|weekends?|(?:public |bank )?holidays)(?!\p{L})\.?[^:·•|\n]{0,30}:\s*(?:(?:from |ab |de )?\d{1,2}(?:[:.h]\d\d)?(?:\s?[ap]\.?m\.?)?\s?(?:[–—-]|to |until |bis |à |a |h\b|uhr\b)|closed|by appointment|geschlossen|ferm[ée]|cerrado|chiuso)`;
/** Where a line of several labels goes on with the next; other bars separate alternatives, "Sizes: S | M | L". */
export const nextLabel = new RegExp(
  String.raw`\s[·•|]\s(?:[^:·•|\n]{1,60}\s[·•|]\s){0,8}(?!${weekday})[^:·•|\n.?!]{1,60}:(?:\*\*|__)?\s`,
  'iu',
);
const separator = new RegExp(String.raw`(?<=\s[·•|]\s)(?!${weekday})`, 'iu');
const separatorAtEnd = /\s[·•|]\s$|\n$/u;
/** Words; longer texts before a colon are clauses. Set by hand. */
const maxLabelWords = 6;

/** The statements of a passage, in order. */
export function readStatements(passage: ReadPassage, source: Source): readonly Statement[] {
  const known = cache.get(passage);
  if (known !== undefined) return known;
  const read = [...statementsOf(passage, source)];
  cache.set(passage, read);
  return read;
}

function* statementsOf(passage: ReadPassage, source: Source): Generator<Statement> {
  const { units } = passage;
  let list = 0;
  for (const [i, unit] of units.entries()) {
    const before = units[i - 1];
    if (before === undefined || listKind(before) !== listKind(unit) || before.section !== unit.section) list += 1;
    const context = new Set([...stems(unit.section), ...passage.headingStems, ...passage.titleStems]);
    if (unit.dependsOnContext && before !== undefined && before.block === unit.block)
      for (const stem of stemsOfUnit(before)) context.add(stem);
    const raw = source.text.slice(unit.start, unit.end);
    const make = (part: Partial<Statement> & { start: number; text: string }): Statement => {
      const words = readWords(part.text);
      const label = part.label ?? new Set<string>();
      const own = new Set([...label, ...words.flatMap((word) => [word.stem, ...word.parts])]);
      return {
        kind: 'prose',
        valueStart: 0,
        lead: [],
        column: '',
        headings: [],
        section: unit.section,
        list,
        unit,
        context,
        ...part,
        raw: source.text.slice(part.start, part.start + part.text.length),
        words,
        label,
        own,
      };
    };
    if (unit.kind === 'row') yield* cellsOf(unit, raw, make);
    else if (unit.kind === 'code') yield make({ kind: 'code', start: unit.start, text: raw });
    else {
      const kind = isListed(unit) && before?.block !== unit.block ? 'item' : 'prose';
      const masked = maskMarkup(raw);
      const lines = masked.split('\n');
      const isLabelled = lines.length > 1 && lines.filter((line) => labelled.test(line)).length * 2 > lines.length;
      const isDefined = isTerm(before) && kind === 'prose' && before.block !== unit.block;
      const term = unit.label !== '' ? unit.label : isDefined ? before.text : undefined;
      let offset = 0;
      for (const piece of (isLabelled ? lines : [masked]).flatMap((line) =>
        splitLine(`${line}\n`, kind === 'item' || term !== undefined),
      )) {
        const text = piece.replace(separatorAtEnd, '');
        const start = unit.start + offset;
        offset += piece.length;
        const match = labelled.exec(text);
        const isLabel = match !== null && readWords(match[1]!).length <= maxLabelWords;
        if (term !== undefined) yield make({ kind, start, text, label: stems(term), valueStart: 0, column: term });
        else if (isLabel) {
          yield make({ kind, start, text, label: stems(match[1]!), valueStart: match[0].length, column: match[1]! });
        } else yield make({ kind, start, text });
      }
    }
  }
}

/** The heading of a cell's column, or what is before the value of another statement. */
export function headingOf({ kind, column, text, valueStart }: Statement): string {
  return kind === 'cell' ? column : text.slice(0, valueStart);
}

/** The parts of a line, "Chair: Ada Merrow · Minutes: Karl Jensen", each with what separates it from the next. */
function splitLine(line: string, isWhole: boolean): string[] {
  return isWhole || !nextLabel.test(line) ? [line] : line.split(separator);
}

/** The sentences of a long item are of its list. */
function listKind(unit: ReadUnit): ReadUnit['kind'] {
  return isListed(unit) ? 'item' : unit.kind;
}

/** A short line of its own: the term of a definition list. A definition may be as short. */
function isTerm(unit: ReadUnit | undefined): unit is ReadUnit {
  return (
    unit?.kind === 'sentence' &&
    unit.label === '' &&
    unit.words.length <= 4 &&
    !/[.?!:;,]$/.test(unit.text) &&
    !/\p{N}/u.test(unit.text)
  );
}

function* cellsOf(
  unit: ReadUnit,
  raw: string,
  make: (part: Partial<Statement> & { start: number; text: string }) => Statement,
): Generator<Statement> {
  const headings = unit.header.split('|').map((each) => each.trim());
  let at = raw.startsWith('|') ? 1 : 0;
  let lead = '';
  for (const [i, cell] of raw
    .slice(at)
    .replace(/\|\s*$/, '')
    .split('|')
    .entries()) {
    const inner = cell.trim();
    const start = unit.start + at + (cell.length - cell.trimStart().length);
    at += cell.length + 1;
    if (i === 0) lead = inner;
    if (inner === '') continue;
    const column = headings[i] ?? '';
    const label = stems(i === 0 ? column : `${column} ${lead}`);
    yield make({
      kind: 'cell',
      start,
      text: maskMarkup(inner),
      label,
      column,
      headings,
      lead: i === 0 ? [] : [...stems(lead)],
    });
  }
}

function stems(text: string): Set<string> {
  return new Set(
    readWords(text)
      .flatMap((word) => [word.stem, ...word.parts])
      .filter((stem) => !stopStems.has(stem)),
  );
}
