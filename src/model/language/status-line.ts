/**
 * The model's verdict on its answer: "STATUS: answered" on a line of its own. It is asked for on the first line, and recognised
 * wherever it comes, in other languages, in bold, in a fence, in a row of a table or before text on the same line; after a first
 * line that gave it, only as it was asked for. It never reaches the answer, and neither does a fence around the whole of it. Text
 * waits only while it may still be such a line.
 */

import { longestGap, readLineEnd, readLineStart } from './read-status.ts';
import { endsWithBreak } from './sentence-breaks.ts';
import { createAnswerFences } from './status-fences.ts';
import {
  fenceBegun,
  inLine,
  inLineBegun,
  keyAlone,
  row,
  type Status,
  statusOf,
  valueAlone,
} from './status-patterns.ts';

export interface StatusFilter {
  /** The text of a piece, and of what waited, without verdicts. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
  /** The last verdict so far. */
  readonly status: Status | undefined;
}

/** The first line of what waits. */
interface Line {
  /** Without its end. */
  readonly text: string;
  readonly hasEnd: boolean;
  /** Whether no more of it will come. */
  readonly isWhole: boolean;
}

/** What was taken of what waits: the text to send, or nothing while what follows decides. */
type Taken = { readonly text: string } | 'undecided';
const noText: Taken = { text: '' };

/** A filter for one answer. */
export function createStatusFilter(): StatusFilter {
  const fences = createAnswerFences();
  let waiting = '';
  let atLineStart = true;
  /** Line ends that are sent with the text after them, so that none is left at the end. */
  let gap = '';
  let status: Status | undefined;
  let isFirst = true;
  let isGiven = false;
  /** Whether a row of a table was just left out. */
  let isAfterRow = false;
  /** Whether what was sent of this line ends with a sentence. */
  let isAfterSentence = false;

  function read(isLast: boolean): string {
    let text = '';
    while (waiting !== '') {
      const line = nextLine(isLast);
      const taken = atLineStart ? takeStart(line, isLast) : takeRest(line);
      if (taken === 'undecided') break;
      text += taken.text;
    }
    return text;
  }

  function nextLine(isLast: boolean): Line {
    const end = waiting.indexOf('\n');
    const hasEnd = end !== -1;
    return { text: hasEnd ? waiting.slice(0, end) : waiting, hasEnd, isWhole: hasEnd || isLast };
  }

  /** Takes a blank line, a fence, a verdict, or what waited for the text that begins here. */
  function takeStart(line: Line, isLast: boolean): Taken {
    const { text, isWhole } = line;
    if (isWhole && text.trim() === '') return takeBlank(line);
    if (!isWhole && fenceBegun.test(text)) return 'undecided';
    if (isWhole && fences.take(text, { isFirst, hasVerdict: status !== undefined })) return drop(text.length + 1);
    return takeKey(line, isLast) ?? takeRow(line) ?? takeVerdict(line) ?? takeText();
  }

  function takeBlank({ text, hasEnd }: Line): Taken {
    // Where a verdict was taken out, one blank line is left.
    const isKept = !isFirst && gap.length < longestGap && (fences.isInCode || !gap.endsWith('\n\n'));
    if (isKept) gap += hasEnd ? `${text}\n` : text;
    return drop(text.length + 1);
  }

  /** A key on a line of its own, "## Status", with its value on the next line. */
  function takeKey({ text, isWhole }: Line, isLast: boolean): Taken | undefined {
    if (!isWhole || fences.isInCode || isGiven || !keyAlone.test(text)) return undefined;
    const next = /^\s*([^\n]*)(\n?)/.exec(waiting.slice(text.length))!;
    if (next[2] === '' && !isLast) return 'undecided';
    const value = valueAlone.exec(next[1]!)?.[1];
    if (value === undefined) return undefined;
    status = statusOf(value);
    return drop(text.length + next[0].length);
  }

  /** A row of a table with the verdict, and the line below its head. */
  function takeRow({ text, isWhole }: Line): Taken | undefined {
    const mayHaveVerdict = !fences.isInCode && !isGiven;
    if (!isWhole && mayHaveVerdict && (row.begun.test(text) || (isAfterRow && /^\s{0,3}\|/.test(text))))
      return 'undecided';
    const found = mayHaveVerdict ? row.whole.exec(text) : null;
    if (found === null && !(isAfterRow && row.line.test(text))) {
      isAfterRow = false;
      return undefined;
    }
    status = (found?.[1] as Status | undefined) ?? status;
    isAfterRow = found !== null;
    return drop(text.length + 1);
  }

  function takeVerdict({ text, isWhole }: Line): Taken | undefined {
    if (fences.isInCode) return undefined;
    const start = readLineStart(text, isWhole, { status, isGiven, isFirst, isAfterBlank: gap.endsWith('\n\n') });
    if (start === 'undecided') return 'undecided';
    if (start === 'text') return undefined;
    status = start.status ?? status;
    fences.leaveOut();
    waiting = waiting.slice(start.length).replace(/^[ \t]*\n?/, '');
    return noText;
  }

  function takeText(): Taken {
    atLineStart = false;
    return { text: release() };
  }

  /** What waited for the text that comes now. */
  function release(): string {
    isGiven ||= isFirst && status !== undefined;
    isFirst = false;
    const waited = gap + fences.release();
    gap = '';
    return waited;
  }

  /** Takes the text of a line after its start, up to a verdict that is in it or ends it. */
  function takeRest({ text: line, hasEnd, isWhole }: Line): Taken {
    const end = fences.isInCode ? undefined : readLineEnd(line, isWhole, { isGiven, isAfterSentence });
    const endAt = end?.at ?? line.length;
    const mayHaveVerdict = !fences.isInCode && !isGiven;
    const within = mayHaveVerdict ? inLine.exec(line) : null;
    if (within !== null) {
      const at = withoutSpaces(line, within.index);
      const next = within.index + within[0].length;
      if (at < endAt && (isWhole || next < line.length)) {
        status = within[1] as Status;
        waiting = waiting.slice(next);
        return { text: line.slice(0, at) };
      }
    }
    const begun = isWhole || !mayHaveVerdict ? undefined : inLineBegun.exec(line)?.index;
    const safe = Math.min(endAt, begun === undefined ? line.length : withoutSpaces(line, begun));
    const isVerdict = end?.isVerdict === true;
    if (safe === 0 && !hasEnd && !isVerdict) return 'undecided';
    const text = line.slice(0, safe);
    if (isVerdict) status = end.status ?? status;
    waiting = waiting.slice(isVerdict ? line.length : safe);
    isAfterSentence = endsWithBreak(text) || (isAfterSentence && text.trim() === '');
    if (hasEnd) endLine();
    return { text: isVerdict ? text.trimEnd() : text };
  }

  function endLine(): void {
    gap += '\n';
    waiting = waiting.slice(1);
    atLineStart = true;
    isAfterSentence = false;
  }

  function drop(length: number): Taken {
    waiting = waiting.slice(length);
    return noText;
  }

  return {
    push(piece) {
      if (!atLineStart && waiting === '' && !isAfterSentence && !/[S\n.!?…。！？\]]/.test(piece)) return piece;
      waiting += piece;
      return read(false);
    },
    finish() {
      const text = read(true);
      return fences.isWaiting ? text + release().trimEnd() : text;
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
