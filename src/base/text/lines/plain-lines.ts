/**
 * What single lines of plain text are: headings, with or without a number, and the entries of a list that has no bullets, such as
 * "Chimney stack: 3" and "28 March  plant swap". Markdown joins such lines into a paragraph; a person who writes a text file does not.
 */
import { isClosing, isMailHeader } from './mail-lines.ts';

/** Characters of a heading of plain text, below the width at which text is wrapped by hand. */
const maxHeadingLength = 50;
/** Characters of an entry of a list without bullets; the same holds. */
const maxEntryLength = 100;

/** Whether a text has no heading as Markdown writes it: then its lines may be what they look like. */
export function isPlainText(text: string): boolean {
  return !/^#{1,6}\s/m.test(text);
}

/** Whether a line may be a heading by itself: short and without an end mark. */
function mayBeHeading(line: string): boolean {
  return line.length <= maxHeadingLength && /^[\p{Lu}\p{N}]/u.test(line) && /[\p{L}\p{N})]$/u.test(line);
}

/** Whether a line heads the one right below it, which begins and reads like a sentence. */
export function headsLine(line: string, below: string): boolean {
  return (
    mayBeHeading(line) &&
    !isNamedValue(line) &&
    /^[\p{Lu}\p{N}¿¡"“„«]/u.test(below) &&
    below.length > line.length &&
    (below.length > maxHeadingLength || /[.!?:]$/.test(below))
  );
}

/**
 * Whether a line of its own heads what comes after a blank line: the lines of a numbered list have numbers there as well, and those of
 * a notice in capitals have capitals.
 */
export function headsParagraph(line: string, isNumbered: boolean, below: string | undefined): boolean {
  if (below === undefined || !mayBeHeading(line) || /^\s|^(?:\d+[.)]|[-*+>|#])(?:\s|$)/.test(below)) return false;
  const isInCapitals = !/\p{Ll}/u.test(line) && /\p{Lu}{3}/u.test(line);
  return (isNumbered || isInCapitals) && /\p{Ll}/u.test(below);
}

/**
 * "Gutters: 2", "28 March  plant swap", "10:30 Children's mile", "Rye flour  4  21.90": what is after the first part is not the rest
 * of a sentence.
 */
const entry =
  /^(?:[*_]{0,2}\p{Lu}[^:.!?]{0,40}:[*_]{0,2}\s+\S|\d[\d.:/]*[\p{L}%]{0,2}[ \t–-]+\S|\p{Lu}\S*(?: \S+){0,5}(?: {3,}|\t)\S|\S+(?: \S+){0,8} {2,}\S+(?: \S+){0,8} {2,}\S)/u;

/** The first of them, "Gutters: 2", which is not a sentence of a paragraph in Markdown either; nor is "2. Vorsitzende: Petra Kling". */
const labelled = /^(?:\d{1,2}\. )?[*_]{0,2}\p{Lu}[^:.!?]{0,40}:[*_]{0,2}\s+\S/u;
/** "Opening — 1 May" */
const dashed = /^[*_]{0,2}\p{Lu}[^:.!?—–]{0,30}[*_]{0,2} [—–] \S/u;
/** "**Start date:** 2 March": set apart in Markdown by who wrote it, however long the line is. */
const inBold = /^(?:\*\*|__)\p{Lu}[^:.!?*_\n]{0,40}(?::(?:\*\*|__)|(?:\*\*|__):)\s+\S/u;

/** A row of columns that blanks align: "Pos  Description  Price". */
const columns = / {2,}\S+(?: \S+)* {2,}\S/;

/** Whether a line names the columns of those below it, which have figures. */
function headsColumns([first = '', second = '']: readonly string[]): boolean {
  if (Math.max(first.length, second.length) > maxEntryLength) return false;
  return columns.test(first) && columns.test(second) && !/\p{N}/u.test(first) && /\p{N}/u.test(second);
}

/** Whether a line is a value with its name: "Total: 346.04 EUR". */
export function isNamedValue(line: string): boolean {
  return labelled.test(line);
}

export interface Entries {
  /** Whether the first line is a heading, of what comes after it or of the columns of these lines alone. */
  readonly heading: 'none' | 'section' | 'columns';
  /** The indexes of other lines that are headings of what comes after them. */
  readonly inner: ReadonlySet<number>;
  /** Whether a line is an entry, which is one unit; any other line has sentences. */
  readonly isEntry: (line: string) => boolean;
}

/** Share of the lines of a paragraph that are entries where the others only begin like them. Set by hand. */
const minShare = { plain: 1 / 2, markdown: 2 / 3 };

/**
 * Whether the lines of a paragraph are entries, one by one, perhaps below a heading; undefined for any other paragraph, such as wrapped
 * text or an address. Some of them are enough if the others begin like entries; more in Markdown, which joins lines, and one in plain
 * text whose other lines end like sentences.
 */
export function readEntries(lines: readonly string[], isPlain: boolean): Entries | undefined {
  if (lines.length < 2 || lines.filter(isMailHeader).length > 1) return undefined;
  // Below it are the name, the office and the telephone number of the writer, each on its own line.
  if (isClosing(lines[0]!) && !/^(?:many )?thank/i.test(lines[0]!))
    return { heading: 'none', inner: noLines, isEntry: () => true };
  const isDashed = lines.every((line) => dashed.test(line));
  const pattern = isDashed ? dashed : isPlain ? entry : labelled;
  const isEntry = (line: string) => line.length <= maxEntryLength && pattern.test(line);
  const [first = ''] = lines;
  const isSection = !isEntry(first) && (mayBeHeading(first) || /^[^.!?]{1,50}:$/.test(first));
  const heading = headsColumns(lines) ? 'columns' : isSection ? 'section' : 'none';
  const entries = heading === 'none' ? lines : lines.slice(1);
  const count = entries.filter((line) => isEntry(line) || inBold.test(line)).length;
  const least = entries.length * minShare[isPlain ? 'plain' : 'markdown'];
  const isWhole = (line: string) => isEntry(line) || /[.!?:]$/.test(line) || line.length > maxWrappedLength;
  const isApart = isPlain && count > 0 && entries.slice(0, -1).every(isWhole);
  const short = isPlain && count < entries.length ? readShortLines(lines) : undefined;
  if (short !== undefined) return short;
  if (count < 2 && !isApart) return undefined;
  const areApart = isApart && (isUnwrapped(lines) || areNarrow(lines));
  if (count < entries.length && !areApart && !(isUnwrapped(lines) && count >= least)) return undefined;
  return { heading, inner: noLines, isEntry };
}

const noLines: ReadonlySet<number> = new Set();
/** Lines that say something of their own: fewer may be an address. Words of one of them, and of a heading between them. Set by hand. */
const shortLines = { lines: 4, below: 3, words: 3, heading: 2 };
/** Characters of such a line; where more than this share of the lines are longer, they may be wrapped. Set by hand. */
const maxShortLength = 60;
const maxLongShare = 0.25;

/**
 * Notes in plain text, a line each, perhaps with the words above them that they are about: "Bins", "Black bin Monday", "Blue bin every
 * second Thursday". Each begins like a sentence, and most have several words, which the lines of an address have not.
 */
function readShortLines(lines: readonly string[]): Entries | undefined {
  const long = lines.filter(({ length }) => length > maxShortLength);
  if (long.length > maxLongShare * lines.length || lines.some((line) => /[,;:-]$/.test(line)) || !isUnwrapped(lines))
    return undefined;
  const wordsOf = (line = '') => line.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  const isNote = (line = '') => wordsOf(line) >= shortLines.words;
  const isHeading = (line: string, at: number) =>
    wordsOf(line) <= shortLines.heading && !/[\p{N}.!?:]/u.test(line) && isNote(lines[at + 1]);
  const notes = lines.filter(isNote).length;
  const headings = lines.flatMap((line, at) => (isHeading(line, at) ? [at] : []));
  const isOfNotes = notes + headings.length === lines.length && headings[0] === 0 && lines.length >= shortLines.below;
  if (!isOfNotes && (lines.length < shortLines.lines || notes * 2 <= lines.length)) return undefined;
  return {
    heading: headings[0] === 0 ? 'section' : 'none',
    inner: new Set(headings.filter((at) => at > 0)),
    isEntry: (line) => !/[.!?]\s+\S/.test(line),
  };
}

/** "2. Vorsitzende: Petra Kling" */
const ranked = /^\d{1,2}\. (\p{Lu}[\p{L} -]{2,30}): \S/u;
/** Letters that the names of one office share: "Vorsitzender", "Vorsitzende". */
const sharedLetters = 6;

/**
 * Whether the number that a line begins with belongs to its name, as of the second chair, and is not that of an item: the name is
 * that of the line before or after it, or these are values with names without a number.
 */
export function isRankedName(line: string, before: string | undefined, after: string | undefined): boolean {
  const name = ranked.exec(line)?.[1]?.slice(0, sharedLetters);
  return (
    name !== undefined &&
    [before, after].some((other = '') => {
      const its = ranked.exec(other)?.[1];
      return its === undefined ? /^\p{Lu}/u.test(other) && isNamedValue(other) : its.startsWith(name);
    })
  );
}

/** Characters of a line that is shorter than any to which text is wrapped by hand. Set by hand. */
const maxUnwrappedLength = 40;

/** Whether lines of plain text are as they were meant, those of an address or of a list to shop, and no wrapped text. */
export function areShort(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.every(({ length }) => length <= maxUnwrappedLength);
}

/** Characters of a line that is longer than any to which text is wrapped by hand. Set by hand. */
const maxWrappedLength = 120;

/** Whether no line continues the one before: each begins like a sentence, and one is shorter than wrapping would have left it. */
function isUnwrapped(lines: readonly string[]): boolean {
  const width = lines.reduce((most, { length }) => Math.max(most, length), 0);
  const isShorter = (line: string, at: number) => lines[at]!.length + 1 + line.split(' ', 1)[0]!.length <= width;
  return lines.every(beginsSentence) && (width > maxWrappedLength || lines.slice(1).some(isShorter));
}

/** Whether lines are shorter than wrapped text is, and each a value with its name or a sentence: no address, "Hall: Mill Lane", "York". */
function areNarrow(lines: readonly string[]): boolean {
  return lines.every(
    (line) => beginsSentence(line) && line.length <= maxShortLength && (isNamedValue(line) || /[.!?]$/.test(line)),
  );
}

function beginsSentence(line: string): boolean {
  return /^[*_]{0,2}[\p{Lu}\p{N}]/u.test(line);
}
