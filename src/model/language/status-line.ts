/**
 * The model's verdict on its answer: "STATUS: answered" on a line of its own. It is asked for on the first line, and recognised
 * wherever it comes, in other languages, in bold, in a fence, in a row of a table or before text on the same line; after a first
 * line that gave it, only as it was asked for. It never reaches the answer, and neither does a fence around the whole of it. Text
 * waits only while it may still be such a line.
 */
import {
  bareVerdict,
  endsWithBreak,
  exactBegun,
  exactVerdict,
  fence,
  fenceBegun,
  gluedVerdict,
  inLine,
  inLineBegun,
  keyAlone,
  keyBegun,
  keyed,
  keys,
  knownVerdict,
  leads,
  longestRemark,
  numberBegun,
  otherVerdict,
  remark,
  remarkBegun,
  row,
  type Status,
  sentenceBreak,
  signs,
  signVerdict,
  statusOf,
  strayVerdict,
  valueAlone,
} from './status-patterns.ts';

/**
 * Spaces, set by hand, that wait for a verdict or for text: models write runs of any length, which are read again with each piece.
 */
const longestGap = 200;

export interface StatusFilter {
  /** The text of a piece, and of what waited, without verdicts. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
  /** The last verdict so far. */
  readonly status: Status | undefined;
}

/** A filter for one answer. */
export function createStatusFilter(): StatusFilter {
  let waiting = '';
  let atLineStart = true;
  let isFirst = true;
  /** Line ends that are sent with the text after them, so that none is left at the end. */
  let gap = '';
  /** A line that opens a fence, until the next line says what is in it. */
  let opened: string | undefined;
  /** The marks of the fence that is around the answer, or a verdict, and was left out. */
  let wrapped: string | undefined;
  /** The marks of the fence of the code that this is. */
  let code: string | undefined;
  let status: Status | undefined;
  /** Whether the verdict came before all text, as asked: what looks like another in the text is what a page says. */
  let isGiven = false;
  /** Whether a row of a table was just left out. */
  let isAfterRow = false;
  /** Whether what was sent of this line ends with a sentence. */
  let isAfterSentence = false;

  /** What waited for the text that comes now. */
  function release(): string {
    isGiven ||= isFirst && status !== undefined;
    isFirst = false;
    if (opened !== undefined) code = fence.exec(opened.trimEnd())?.[1];
    const waited = gap + (opened ?? '');
    gap = '';
    opened = undefined;
    return waited;
  }

  /**
   * Takes the verdict at the start of `line` as the status. Its length; 0 if there is none, -1 while the rest of the line decides.
   */
  function takeVerdict(line: string, isWhole: boolean): number {
    const exact = status === undefined ? null : exactVerdict.exec(line);
    if (isGiven && !isWhole) return exactBegun.test(line) ? -1 : 0;
    if (isWhole && exact !== null) {
      status = statusOf(exact.groups!.any!);
      return line.length;
    }
    if (isGiven) return 0;
    const found = knownVerdict.exec(line) ?? bareVerdict.exec(line);
    // Right below the verdict, another one, or one in a sentence, is what a page says.
    if (found !== null && status !== undefined && (statusOf(found[1]!) !== status || found[0].length < line.length)) {
      if (isWhole) return 0;
      return exactBegun.test(line) ? -1 : 0;
    }
    if (found !== null && (isWhole || found[0].length < line.length)) {
      const rest = line.slice(found[0].length);
      if (!isWhole && rest.length < longestRemark && remarkBegun.test(rest)) return -1;
      status = statusOf(found[1]!);
      return isWhole && remark.test(rest) ? line.length : found[0].length;
    }
    if (!isWhole) return mayBecomeVerdict(line) || numberBegun.test(line) ? -1 : 0;
    const sign = signVerdict.exec(line)?.groups?.sign;
    const meant = sign === undefined ? undefined : signs[sign];
    // A line within a paragraph may be what a page says of its subject.
    if (meant !== undefined && (isFirst || gap.endsWith('\n\n') || line.includes('STATUS'))) {
      status = meant;
      return line.length;
    }
    if (otherVerdict.test(line)) return line.length;
    return strayVerdict.exec(line)?.[0].length ?? 0;
  }

  const mayBegin = (text: string) => (isGiven ? exactBegun.test(text) : mayBecomeVerdict(text));

  /** Where in the rest of a line a verdict begins that ends it, or may begin; undefined if there is none. */
  function gluedAt(
    line: string,
    isWhole: boolean,
  ): { at: number; isVerdict: boolean; found?: Status | undefined } | undefined {
    const starts = [...line.matchAll(sentenceBreak)].map((gap) => gap.index + gap[0].length);
    for (const at of isAfterSentence ? [0, ...starts] : starts) {
      const rest = line.slice(at).trimStart();
      const blanks = line.length - at - rest.length;
      if (!isWhole && rest === '' && blanks > 0 && blanks <= longestGap) return { at, isVerdict: false };
      const found = (isGiven ? exactVerdict : gluedVerdict).exec(rest);
      const isEnd = found !== null && (found[0].length === rest.length || remark.test(rest.slice(found[0].length)));
      if (isEnd && isWhole) {
        const word = found.groups?.any ?? found.groups?.only ?? knownVerdict.exec(rest)?.[1];
        return { at, isVerdict: true, found: word === undefined ? undefined : statusOf(word) };
      }
      if (!isWhole && rest !== '' && rest.length < 60 && (isEnd || mayBegin(rest))) return { at, isVerdict: false };
    }
    return undefined;
  }

  /** Takes a line that is a fence around the answer, or may be one around a verdict. False for the fences of code. */
  function takeFence(line: string): boolean {
    const [, marks, rest = ''] = fence.exec(line) ?? [];
    if (marks === undefined) return false;
    const info = rest.trim();
    if (code !== undefined) {
      if (info === '' && marks.startsWith(code)) code = undefined;
      return false;
    }
    if (wrapped !== undefined && info === '' && marks.startsWith(wrapped)) {
      wrapped = undefined;
      return true;
    }
    if (isFirst && /^(?:markdown|md)$/i.test(info)) {
      wrapped = marks;
      return true;
    }
    // After the verdict that was asked for, a fence has code of the answer.
    const mayHaveVerdict = status === undefined && /^(?:markdown|md|text|plaintext|txt|json|ya?ml)?$/i.test(info);
    if (!mayHaveVerdict || opened !== undefined) {
      code = marks;
      return false;
    }
    opened = `${line}\n`;
    return true;
  }

  function read(isLast: boolean): string {
    let text = '';
    while (waiting !== '') {
      const taken = atLineStart ? readLineStart(isLast) : readLineRest(isLast);
      if (taken === undefined) break;
      text += taken;
    }
    return text;
  }

  /** The text after the start of a line; undefined while what follows decides whether it is a verdict. */
  function readLineRest(isLast: boolean): string | undefined {
    const { line, end, isWhole } = nextLine(isLast);
    const glued = code === undefined ? gluedAt(line, isWhole) : undefined;
    const found = code === undefined && !isGiven ? inLine.exec(line) : null;
    const foundAt = found === null ? line.length : withoutSpaces(line, found.index);
    if (
      found !== null &&
      foundAt < (glued?.at ?? line.length) &&
      (isWhole || found.index + found[0].length < line.length)
    ) {
      status = found[1] as Status;
      waiting = waiting.slice(found.index + found[0].length);
      return line.slice(0, foundAt);
    }
    if (glued?.isVerdict) status = glued.found ?? status;
    const begun = isWhole || code !== undefined || isGiven ? undefined : inLineBegun.exec(line)?.index;
    const safe = Math.min(glued?.at ?? line.length, begun === undefined ? line.length : withoutSpaces(line, begun));
    if (safe === 0 && end === -1 && glued?.isVerdict !== true) return undefined;
    const text = line.slice(0, safe);
    waiting = waiting.slice(glued?.isVerdict ? line.length : safe);
    isAfterSentence = endsWithBreak.test(text) || (isAfterSentence && text.trim() === '');
    if (end !== -1) {
      gap += '\n';
      waiting = waiting.slice(1);
      atLineStart = true;
      isAfterSentence = false;
    }
    return glued?.isVerdict ? text.trimEnd() : text;
  }

  /**
   * Takes a blank line, a verdict or a fence, or what waited for the text that begins here; undefined while what follows
   * decides which it is.
   */
  function readLineStart(isLast: boolean): string | undefined {
    const { line, end, isWhole } = nextLine(isLast);
    if (isWhole && line.trim() === '') {
      // Where a verdict was taken out, one blank line is left.
      if (!isFirst && gap.length < longestGap && (code !== undefined || !gap.endsWith('\n\n')))
        gap += `${line}${end === -1 ? '' : '\n'}`;
      return drop(line.length + 1);
    }
    if (!isWhole && fenceBegun.test(line)) return undefined;
    if (isWhole && takeFence(line)) return drop(line.length + 1);
    const isOpen = code === undefined && !isGiven;
    if (isWhole && isOpen && keyAlone.test(line)) {
      const next = /^\s*([^\n]*)(\n?)/.exec(waiting.slice(line.length))!;
      if (next[2] === '' && !isLast) return undefined;
      const value = valueAlone.exec(next[1]!)?.[1];
      if (value !== undefined) {
        status = statusOf(value);
        return drop(line.length + next[0].length);
      }
    }
    if (!isWhole && isOpen && (row.begun.test(line) || (isAfterRow && /^\s{0,3}\|/.test(line)))) return undefined;
    const inRow = isOpen ? row.whole.exec(line) : null;
    if (inRow !== null || (isAfterRow && row.line.test(line))) {
      status = (inRow?.[1] as Status | undefined) ?? status;
      isAfterRow = inRow !== null;
      return drop(line.length + 1);
    }
    isAfterRow = false;
    const length = code === undefined ? takeVerdict(line, isWhole) : 0;
    if (length === -1) return undefined;
    if (length > 0) {
      if (opened !== undefined) {
        wrapped = fence.exec(opened.trimEnd())?.[1];
        opened = undefined;
      }
      waiting = waiting.slice(length).replace(/^[ \t]*\n?/, '');
      return '';
    }
    atLineStart = false;
    return release();
  }

  /** The line at the start of what waits; `end` is -1 where its line break has not come yet. */
  function nextLine(isLast: boolean): { line: string; end: number; isWhole: boolean } {
    const end = waiting.indexOf('\n');
    return { line: end === -1 ? waiting : waiting.slice(0, end), end, isWhole: end !== -1 || isLast };
  }

  function drop(length: number): string {
    waiting = waiting.slice(length);
    return '';
  }

  return {
    push(piece) {
      if (!atLineStart && waiting === '' && !isAfterSentence && !/[S\n.!?…。！？\]]/.test(piece)) return piece;
      waiting += piece;
      return read(false);
    },
    finish: () => {
      const text = read(true);
      return opened === undefined ? text : text + release().trimEnd();
    },
    get status() {
      return status;
    },
  };
}

/** Where the spaces and tabs before a place in a line begin. */
function withoutSpaces(line: string, end: number): number {
  let at = end;
  while (at > 0 && (line[at - 1] === ' ' || line[at - 1] === '\t')) at -= 1;
  return at;
}

/** Whether a text that goes on may still be a verdict. */
function mayBecomeVerdict(text: string): boolean {
  const word = keyBegun.exec(text)?.[1]?.toUpperCase();
  const isKey = word !== undefined && [...keys, ...leads].some((key) => key.startsWith(word));
  return isKey || keyed.some((begun) => begun.test(text));
}
