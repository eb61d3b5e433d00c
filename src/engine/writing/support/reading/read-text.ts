/**
 * Reads a claim or a page as sentences of tokens with their offsets. Markdown adds no words: emphasis, link targets and
 * reference marks are skipped; a list item is a sentence, and so is a row of a table, in which the heading of each column
 * precedes its cell. Every step is linear in the length of the text.
 */

import { startOfMessage } from '../../../../base/text/lines/chat-lines.ts';
import { fenceAfter } from '../../../../base/text/lines/fences.ts';
import { isPlainText } from '../../../../base/text/lines/plain-lines.ts';
import { referenceMark } from '../../../../base/text/markers.ts';
import { sentenceEnds } from '../../../../base/text/sentences/sentence-ends.ts';
import { type Block, partsOf } from './paragraph-parts.ts';
import { foldWritten, formOf } from './word-forms.ts';

export interface Token {
  readonly text: string;
  /** The form in which words are compared; of a number its digits, of a mark the mark. */
  readonly stem: string;
  readonly lower: string;
  readonly kind: 'function' | 'light' | 'content' | 'number' | 'mark';
  /** UTF-16 offsets into the text that was read. Words of a table's heading have those of the cell. */
  readonly start: number;
  readonly end: number;
  readonly isCapital: boolean;
  readonly superlativeOf?: string;
}

export interface Sentence extends Block {
  readonly tokens: readonly Token[];
}

/** Images, link targets, tags and reference marks have no words that a claim could repeat. Bounded: pages are hostile. */
const silent = new RegExp(
  String.raw`!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)|\]\([^)\n]{0,2000}\)|${referenceMark}|<\/?[a-zA-Z][^>\n]{0,500}>`,
  'iy',
);
/** ".5" as in base/text/stated-numbers.ts. */
const number =
  /\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\d.,:])|\d+(?:[.,:]\d+)*|(?<![.…)\]%*/”’»\p{L}\p{N}]|[\p{L}\p{N}]['"])\.\d+(?!\d|\.\d|(?:gp|g2|z|ds|dm|mf)\b)/uy;
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/uy;
const word = /[\p{L}\p{N}\p{M}]+(?:_[\p{L}\p{N}\p{M}]+)*(?:['’][\p{L}\p{M}]+)*/uy;
const mark = /[,;:()|—–!?.…。、！？"“”„«»$€£¥%°=-]/uy;
const halfOfDay = /[ap]\.\s?m(?:\.|(?![\p{L}\d]))/iuy;
const letterAfter = /[\p{L}\p{M}]/uy;

/**
 * The sentences of a text, in order; `from` and `to` restrict it to a part, `isWanted` to sentences and blocks by their offsets, as
 * reading words costs far more than finding where sentences end. Offsets are always of the whole text.
 */
export function readSentences(
  text: string,
  from = 0,
  to = text.length,
  isWanted: (start: number, end: number) => boolean = () => true,
): Sentence[] {
  const sentences: Sentence[] = [];
  let heads: readonly (readonly Token[])[] | undefined;
  let isPlain: boolean | undefined;
  for (const block of readBlocks(text, from, to)) {
    if (block.kind === 'row') {
      const cells = readCells(text, block.start, block.end);
      if (heads === undefined) {
        heads = cells;
        sentences.push({ ...block, kind: 'heading', tokens: cells.flat() });
      } else sentences.push({ ...block, tokens: cells.flatMap((cell, at) => withHead(cell, heads?.[at])) });
      continue;
    }
    heads = undefined;
    if (!isWanted(block.start, block.end)) continue;
    if (block.kind !== 'prose' && block.kind !== 'item') {
      sentences.push({ ...block, tokens: readTokens(text, block.start, block.end) });
      continue;
    }
    isPlain ??= isPlainText(text);
    for (const part of block.kind === 'prose' ? partsOf(text, block, isPlain) : [block]) {
      let { start } = part;
      for (const end of sentenceEnds(text, start, part.end)) {
        const tokens = isWanted(start, end) ? readTokens(text, start, end) : [];
        const lead = /^\s*/.exec(text.slice(start, Math.min(end, start + 200)))![0].length;
        if (tokens.some(({ kind }) => kind !== 'mark'))
          sentences.push({
            kind: part.kind,
            start: start + lead,
            end: start + text.slice(start, end).trimEnd().length,
            tokens,
          });
        start = end;
      }
    }
  }
  return sentences;
}

const itemStart = /^[ \t]*(?:>[ \t]?)*(?:[-*+•]|\d{1,4}[.)])[ \t]+/;

function* readBlocks(text: string, from: number, to: number): Generator<Block> {
  let open: { kind: 'prose' | 'item'; start: number; end: number } | undefined;
  let fence: string | undefined;
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 || newline > to ? to : newline;
    const line = text.slice(start, end);
    const isBlank = line.trim() === '';
    const before = fence;
    const inCode = before !== undefined;
    fence = fenceAfter(before, line);
    const isFence = before !== fence;
    const isRow = !inCode && /^\s*\|.*\|\s*$/.test(line);
    const isHeading = !inCode && /^ {0,3}#{1,6}[ \t]/.test(line);
    const lead = inCode ? undefined : (itemStart.exec(line)?.[0].length ?? startOfMessage(line));
    if (open !== undefined && (isBlank || isFence || isRow || isHeading || lead !== undefined)) {
      yield open;
      open = undefined;
    }
    if (isRow) {
      if (!/^[\s|:-]+$/.test(line)) yield { kind: 'row', start, end };
    } else if (inCode || isFence || isHeading) {
      // The marks of a fence say nothing.
      if (!isBlank && !isFence) yield { kind: inCode ? 'code' : 'heading', start, end };
    } else if (lead !== undefined) open = { kind: 'item', start: start + lead, end };
    else if (open !== undefined) open.end = end;
    else if (!isBlank) open = { kind: 'prose', start, end };
    start = end + 1;
  }
  if (open !== undefined) yield open;
}

function readCells(text: string, start: number, end: number): Token[][] {
  const cells: Token[][] = [];
  let from = start;
  for (let at = start; at <= end; at += 1) {
    if (at < end && (text[at] !== '|' || text[at - 1] === '\\')) continue;
    if (cells.length > 0 || text.slice(from, at).trim() !== '') cells.push(readTokens(text, from, at));
    from = at + 1;
  }
  return cells;
}

function withHead(cell: readonly Token[], head: readonly Token[] = []): Token[] {
  const [first] = cell;
  const last = cell.at(-1);
  if (first === undefined || last === undefined) return [];
  const at = { start: first.start, end: first.end };
  const stop: Token = {
    text: '|',
    stem: '|',
    lower: '|',
    kind: 'mark',
    isCapital: false,
    start: last.end,
    end: last.end,
  };
  return [...head.map((token) => ({ ...token, isCapital: false, ...at })), ...cell, stop];
}

/** The tokens between two offsets. */
export function readTokens(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  const push = (start: number, end: number, kind: Token['kind'], stem: string) => {
    const written = text.slice(start, end);
    tokens.push({ text: written, stem, lower: stem, kind, start, end, isCapital: false });
  };
  for (let at = from; at < to; ) {
    const character = text.charCodeAt(at);
    if (character === 32 || character === 10) {
      at += 1;
      continue;
    }
    const matchAt = (pattern: RegExp) => {
      pattern.lastIndex = at;
      const length = pattern.exec(text)?.[0].length ?? 0;
      return Math.min(at + length, to);
    };
    const isMarkup = character === 33 || character === 60 || character === 91 || character === 92 || character === 93;
    let end = isMarkup ? matchAt(silent) : at;
    if (end > at) {
      at = end;
      continue;
    }
    end = matchAt(number);
    if (end > at) {
      // "50mg" is a number and a unit, "5th" and "3D" are words.
      const unit =
        /^(?:st|nd|rd|th|ST|ND|RD|TH|s|d|[A-Z])(?![\p{L}\d])/u.test(text.slice(end, end + 3)) &&
        !/^[\d.,]+[WVAKCFMGL]$/.test(text.slice(at, end + 1));
      letterAfter.lastIndex = end;
      if (!unit || !letterAfter.test(text)) {
        const digits = text.slice(at, end).replace(/[\u00a0\u202f ]/g, '');
        push(at, end, 'number', digits.startsWith('.') ? `0${digits}` : digits);
        at = end;
        continue;
      }
    }
    end = matchAt(ideograph);
    if (end > at) {
      push(at, end, 'content', text.slice(at, end));
      at = end;
      continue;
    }
    end = matchAt(halfOfDay);
    if (end > at) {
      push(at, end, 'function', text[at]!.toLowerCase() === 'a' ? 'am' : 'pm');
      at = end;
      continue;
    }
    end = matchAt(word);
    if (end > at) {
      addWord(tokens, text.slice(at, end), at);
      at = end;
      continue;
    }
    end = matchAt(mark);
    if (end > at) push(at, end, 'mark', text.slice(at, end));
    at = Math.max(end, at + 1);
  }
  return tokens;
}

/** A word, and "not" as a word of its own for "n't". */
function addWord(tokens: Token[], written: string, start: number): void {
  const end = start + written.length;
  const negated = /^(.+)n['’]t$/i.exec(written)?.[1];
  const base =
    negated === undefined ? written : ({ ca: 'can', wo: 'will', sha: 'shall' }[negated.toLowerCase()] ?? negated);
  const isCannot = base.toLowerCase() === 'cannot';
  const shown = isCannot ? 'can' : base.replace(/['’](?:ll|ve|re|d|m)$/i, '');
  const { stem, kind, superlativeOf } = formOf(shown);
  const isCapital = shown[0] !== shown[0]!.toLowerCase();
  const lower = foldWritten(shown);
  tokens.push({
    text: written,
    stem,
    lower,
    kind,
    start,
    end,
    isCapital,
    ...(superlativeOf === undefined ? {} : { superlativeOf }),
  });
  if (negated !== undefined || isCannot)
    tokens.push({ text: 'not', stem: 'not', lower: 'not', kind: 'function', start, end, isCapital: false });
}
