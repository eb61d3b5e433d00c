/**
 * Splits pages into passages, the unit of search and ranking: whole blocks of one section, about 60 to 250 words. A short
 * page is one passage. Sections that are too short are joined with their neighbours; a block that is too long is split at line
 * ends, else after sentences, else between words, else between characters.
 *
 * `text.slice(start, end)` is the passage; passages are in order, do not overlap and omit only blanks.
 */
import { joinHeadings } from '../../base/text/headings.ts';
import { type Block, labelLevel, plainInline, readBlocks } from './markdown-blocks.ts';

export interface PassageSpan {
  readonly start: number;
  readonly end: number;
  /** The headings above it, outermost first: see base/text/headings.ts. */
  readonly headings: string;
}

interface Chunk {
  start: number;
  end: number;
  /** In words. */
  size: number;
  /** Level of the heading it begins with; that of a label without one. */
  level: number;
  path: readonly string[];
  /** The head of the table that it begins within, "| Name | Rank |"; empty anywhere else. */
  readonly columns: string;
}

/** Words of a passage; set by hand. */
const minWords = 60;
const maxWords = 250;
/** Longer words count as several, so that text without spaces is split too; set by hand. */
const maxWordChars = 12;

/** The passages of a Markdown text, as ranges of UTF-16 offsets. Linear in the text's length. */
export function splitPassages(text: string): PassageSpan[] {
  return joinSmall(chunkSections(text)).map(({ start, end, path, columns }) => {
    return { start, end, headings: joinHeadings(path, columns) };
  });
}

/** Splits each section into chunks of nearly equal size, up to `maxWords` words each. */
function chunkSections(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  const path: { level: number; heading: string }[] = [];
  let pieces: Chunk[] = [];
  const flush = () => {
    chunks.push(...pack(pieces));
    pieces = [];
  };
  for (const block of readBlocks(text)) {
    if (block.level > 0) {
      flush();
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, heading: block.heading });
    }
    const headings = path.map((above) => above.heading).filter((heading) => heading !== '');
    const level = block.level || labelLevel;
    let columns = '';
    for (const [start, end] of cutBlock(text, block)) {
      pieces.push({ start, end, size: countWords(text, start, end), level, path: headings, columns });
      columns ||= columnsOf(text, block);
    }
  }
  flush();
  return chunks;
}

function pack(pieces: readonly Chunk[]): Chunk[] {
  const total = pieces.reduce((sum, piece) => sum + piece.size, 0);
  const target = total / Math.ceil(total / maxWords);
  const packed: Chunk[] = [];
  for (const piece of pieces) {
    const last = packed.at(-1);
    const fits = last !== undefined && last.size + piece.size <= maxWords;
    if (fits && last.size + piece.size / 2 <= target) join(last, piece);
    else packed.push({ ...piece });
  }
  return packed;
}

function joinSmall(chunks: readonly Chunk[]): Chunk[] {
  const joined: Chunk[] = [];
  const total = chunks.reduce((sum, chunk) => sum + chunk.size, 0);
  for (const chunk of chunks) {
    const last = joined.at(-1);
    if (last === undefined) {
      joined.push(chunk);
      continue;
    }
    const small = Math.min(last.size, chunk.size) < minWords;
    // A heading above the last chunk's own begins something else; only very short chunks are joined across it.
    const apart = chunk.level < last.level && last.level < labelLevel && last.size >= minWords / 3;
    if (last.size + chunk.size <= maxWords && (total <= maxWords || (small && !apart))) join(last, chunk);
    else joined.push(chunk);
  }
  return joined;
}

function join(last: Chunk, next: Chunk): void {
  last.end = next.end;
  last.size += next.size;
  const differ = last.path.findIndex((heading, at) => heading !== next.path[at]);
  if (differ !== -1) last.path = last.path.slice(0, differ);
}

/** Characters of the head of a table; a longer one is left out. Set by hand. */
const maxColumns = 600;

/** The head of a block that is a table, as a row of Markdown; empty for any other block. */
function columnsOf(text: string, { start, end }: Block): string {
  const [head = '', rule = ''] = text.slice(start, Math.min(end, start + 2 * maxColumns)).split('\n', 2);
  if (!/^\s*\|/.test(head) || !rule.includes('-') || !/^[\s|:-]+$/.test(rule)) return '';
  const columns = plainInline(head).trim();
  return columns.length > maxColumns ? '' : columns;
}

function* cutBlock(text: string, block: Block): Generator<readonly [number, number]> {
  let start = skipBlanks(text, block.start, block.end);
  while (start < block.end) {
    const end = pieceEnd(text, start, block.end);
    yield [start, trimEnd(text, start, end)];
    start = skipBlanks(text, end, block.end);
  }
}

/** The end of a piece: the block's end if the rest fits, else the best place in the second half of what fits. */
function pieceEnd(text: string, start: number, end: number): number {
  const limit = fittingEnd(text, start, end);
  if (limit >= end) return end;
  const earliest = start + Math.floor((limit - start) / 2);
  const line = text.lastIndexOf('\n', limit - 1);
  if (line >= earliest) return line;
  const slice = text.slice(earliest, limit);
  const sentence = Math.max(...[...slice.matchAll(/[.!?。！？](?=\s)|[。！？]/g)].map((match) => match.index));
  if (sentence >= 0) return earliest + sentence + 1;
  const space = /\s\S*$/.exec(slice.slice(-400));
  if (space !== null) return limit - space[0].length;
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

/** The first offset at which the text from `start` reaches `maxWords` words. */
function fittingEnd(text: string, start: number, end: number): number {
  let size = 0;
  for (let at = start; at < end; at += step) {
    size += countWords(text, at, Math.min(at + step, end));
    if (size > maxWords) return at > start ? at : Math.min(at + step, end);
  }
  return end;
}

/** Characters counted at a time; set by hand. */
const step = 100;

/** Words between two offsets; a character of a script without spaces counts as half a word. */
export function countWords(text: string, start: number, end: number): number {
  let words = 0;
  let inWord = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x2e80 && code < 0xd800) {
      words += 0.5;
      inWord = false;
    } else if (code <= 32 || code === 0xa0) inWord = false;
    else if (!inWord) {
      words++;
      inWord = true;
    }
  }
  return Math.max(words, (end - start) / maxWordChars);
}

function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text.charAt(at))) at++;
  return at;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charAt(at - 1))) at--;
  return at;
}

function isBlank(character: string): boolean {
  return character.trim() === '';
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
