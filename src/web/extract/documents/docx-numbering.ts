/** The numbers of the lists of a Word document (WordprocessingML, ECMA-376-1, 17.9), which are not part of its text. */
import { readXml } from './read-xml.ts';
import type { ZipArchive } from './zip.ts';

/** A place in a list: the id of the list, and its level from 0. */
export interface ListPlace {
  readonly id: string;
  readonly level: number;
}

export interface Numbering {
  /** What stands before the next paragraph at a place: a number such as `1.2` or `(a)`, or `-`; empty for one without a mark. */
  next(place: ListPlace): string;
}

/** Set by hand: a contract has some dozens. */
const maxLists = 5_000;
const maxLevels = 9;
const maxLabelChars = 40;

interface Level {
  format: string;
  /** `%1.%2`, with the numbers of the levels. */
  text: string;
  start: number;
  isLegal: boolean;
}

interface List {
  abstract: string;
  readonly starts: Map<number, number>;
}

/** What a document says of its lists; empty if it has none, or they cannot be read. */
export interface DocxLists {
  readonly lists: ReadonlyMap<string, List>;
  readonly abstracts: ReadonlyMap<string, ReadonlyMap<number, Level>>;
}

/** Reads the lists in a part of an archive. Never throws: the text does not depend on them. */
export function readDocxLists(archive: ZipArchive, part: string): DocxLists {
  const lists = new Map<string, List>();
  const abstracts = new Map<string, Map<number, Level>>();
  let levels: Map<number, Level> | undefined;
  let level: Level | undefined;
  let list: List | undefined;
  let overridden = 0;
  try {
    readXml(archive.read(part), {
      open(name, attributes) {
        const value = attributes['w:val'] ?? '';
        if (name === 'w:abstractNum' && abstracts.size < maxLists) {
          levels = new Map();
          abstracts.set(attributes['w:abstractNumId'] ?? '', levels);
        } else if (name === 'w:num' && lists.size < maxLists) {
          list = { abstract: '', starts: new Map() };
          lists.set(attributes['w:numId'] ?? '', list);
        } else if (name === 'w:abstractNumId' && list !== undefined) list.abstract = value;
        else if (name === 'w:lvlOverride') overridden = numberOf(attributes['w:ilvl'], 0);
        else if (name === 'w:startOverride') list?.starts.set(overridden, numberOf(value, 1));
        else if (name === 'w:lvl') {
          level = { format: 'decimal', text: '', start: 1, isLegal: false };
          levels?.set(numberOf(attributes['w:ilvl'], 0), level);
        } else if (level === undefined) return;
        else if (name === 'w:start') level.start = numberOf(value, 1);
        else if (name === 'w:numFmt') level.format = value;
        else if (name === 'w:lvlText') level.text = value.slice(0, maxLabelChars);
        else if (name === 'w:isLgl') level.isLegal = !/^(?:0|false|off)$/.test(value);
      },
      close(name) {
        if (name === 'w:lvl') level = undefined;
        else if (name === 'w:abstractNum') levels = undefined;
        else if (name === 'w:num') list = undefined;
      },
    });
  } catch {
    // What was read before counts.
  }
  return { lists, abstracts };
}

/** Counts the paragraphs of lists, from their first numbers. */
export function createNumbering({ lists, abstracts }: DocxLists): Numbering {
  /** The numbers of the levels by abstract lists: lists of the same one go on counting. */
  const counts = new Map<string, (number | undefined)[]>();
  const begun = new Set<string>();
  return {
    next({ id, level: at }) {
      const list = lists.get(id);
      const levels = abstracts.get(list?.abstract ?? '');
      const level = levels?.get(at);
      if (list === undefined || levels === undefined || level === undefined || at >= maxLevels) return '-';
      const numbers = counts.get(list.abstract) ?? [];
      counts.set(list.abstract, numbers);
      const restart = begun.has(`${id} ${at}`) ? undefined : list.starts.get(at);
      begun.add(`${id} ${at}`);
      const before = numbers[at];
      numbers[at] = restart ?? (before === undefined ? level.start : before + 1);
      numbers.length = at + 1;
      if (level.format === 'bullet') return '-';
      if (level.format === 'none') return '';
      const shown = level.text.replace(/%([1-9])/g, (_, digit: string) => {
        const part = Number(digit) - 1;
        const { format, start } = levels.get(part) ?? level;
        return numberAs(level.isLegal ? 'decimal' : format, numbers[part] ?? start);
      });
      return shown.replace(/\s+/g, ' ').trim();
    },
  };
}

function numberOf(value: string | undefined, fallback: number): number {
  return /^\d{1,6}$/.test(value ?? '') ? Number(value) : fallback;
}

/** A number in a format of ECMA-376-1, 17.18.59; in digits for one that is not known. */
function numberAs(format: string, number: number): string {
  if (format === 'bullet' || format === 'none') return '';
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (/Letter$/.test(format) && number >= 1 && number <= 780) {
    // After z come aa, bb and so on.
    const letter = String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
    return format === 'upperLetter' ? letter.toUpperCase() : letter;
  }
  if (/Roman$/.test(format) && number >= 1 && number < 4_000)
    return format === 'upperRoman' ? roman(number) : roman(number).toLowerCase();
  return String(number);
}

const romans = [
  ['M', 1_000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
] as const;

function roman(number: number): string {
  let rest = number;
  let shown = '';
  for (const [sign, value] of romans) {
    shown += sign.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return shown;
}
