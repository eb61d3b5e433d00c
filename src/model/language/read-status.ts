/** Whether the start or the end of a line is the model's verdict on its answer, or may become it. */
import { sentenceBreak } from './sentence-breaks.ts';
import {
  bareVerdict,
  exactBegun,
  exactVerdict,
  gluedVerdict,
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
  type Status,
  signs,
  signVerdict,
  statusOf,
  strayVerdict,
} from './status-patterns.ts';

/** Spaces, set by hand, that wait for a verdict or for text: models write runs of any length, which are read again with each piece. */
export const longestGap = 200;
/** Characters at the end of a line that may still become a verdict; set by hand. */
const longestVerdict = 60;

/** What was read of an answer before a line. */
export interface Before {
  /** The last verdict. */
  readonly status: Status | undefined;
  /** Whether the verdict came before all text, as asked: what looks like another in the text is what a page says. */
  readonly isGiven: boolean;
  /** Whether no text has come yet. */
  readonly isFirst: boolean;
  /** Whether a blank line is above. */
  readonly isAfterBlank: boolean;
}

/**
 * What a line begins with: text, what only its rest can decide, or a verdict, which is left out with its `length`. A verdict without a
 * `status` says nothing that is known.
 */
export type LineStart = 'text' | 'undecided' | { readonly length: number; readonly status?: Status };

/** Reads the start of a line; `isWhole` says that no more of it will come. */
export function readLineStart(line: string, isWhole: boolean, before: Before): LineStart {
  if (before.isGiven && !isWhole) return undecidedIf(exactBegun.test(line));
  const exact = before.status === undefined ? null : exactVerdict.exec(line);
  if (isWhole && exact !== null) return { length: line.length, status: statusOf(exact.groups!.any!) };
  if (before.isGiven) return 'text';

  const found = knownVerdict.exec(line) ?? bareVerdict.exec(line);
  if (found !== null) {
    const [all, word] = found;
    const isAlone = all.length === line.length;
    // Right below the verdict, another one, or one in a sentence, is what a page says.
    const isOfPage = before.status !== undefined && (statusOf(word!) !== before.status || !isAlone);
    if (isOfPage) return undecidedIf(!isWhole && exactBegun.test(line));
    if (isWhole || !isAlone) return withRemark(line, all.length, isWhole, statusOf(word!));
  }
  if (!isWhole) return undecidedIf(mayBecomeVerdict(line) || numberBegun.test(line));

  const sign = signVerdict.exec(line)?.groups?.sign;
  const meant = sign === undefined ? undefined : signs[sign];
  // A line within a paragraph may be what a page says of its subject.
  if (meant !== undefined && (before.isFirst || before.isAfterBlank || line.includes('STATUS'))) {
    return { length: line.length, status: meant };
  }
  const length = otherVerdict.test(line) ? line.length : strayVerdict.exec(line)?.[0].length;
  return length ? { length } : 'text';
}

/** A verdict of `length` and the remark on it that may follow, as in "answered (both sources agree)". */
function withRemark(line: string, length: number, isWhole: boolean, status: Status): LineStart {
  const rest = line.slice(length);
  if (!isWhole && rest.length < longestRemark && remarkBegun.test(rest)) return 'undecided';
  return { length: isWhole && remark.test(rest) ? line.length : length, status };
}

/** Where in a line the verdict begins that ends it; it is only a possible one while the line goes on. */
export interface LineEnd {
  readonly at: number;
  readonly isVerdict: boolean;
  readonly status?: Status | undefined;
}

/** Reads the end of a line that has text. `isAfterSentence` says that what came of this line before ends with a sentence. */
export function readLineEnd(
  line: string,
  isWhole: boolean,
  { isGiven, isAfterSentence }: Pick<Before, 'isGiven'> & { readonly isAfterSentence: boolean },
): LineEnd | undefined {
  const starts = [...line.matchAll(sentenceBreak)].map((end) => end.index + end[0].length);
  for (const at of isAfterSentence ? [0, ...starts] : starts) {
    const rest = line.slice(at).trimStart();
    const blanks = line.length - at - rest.length;
    if (!isWhole && rest === '' && blanks > 0 && blanks <= longestGap) return { at, isVerdict: false };
    const found = (isGiven ? exactVerdict : gluedVerdict).exec(rest);
    const isEnd = found !== null && (found[0].length === rest.length || remark.test(rest.slice(found[0].length)));
    if (isEnd && isWhole) {
      const word = found.groups?.any ?? found.groups?.only ?? knownVerdict.exec(rest)?.[1];
      return { at, isVerdict: true, status: word === undefined ? undefined : statusOf(word) };
    }
    const mayBegin = isGiven ? exactBegun : { test: mayBecomeVerdict };
    if (!isWhole && rest !== '' && rest.length < longestVerdict && (isEnd || mayBegin.test(rest))) {
      return { at, isVerdict: false };
    }
  }
  return undefined;
}

function undecidedIf(may: boolean): LineStart {
  return may ? 'undecided' : 'text';
}

/** Whether a text that goes on may still be a verdict. */
function mayBecomeVerdict(text: string): boolean {
  const word = keyBegun.exec(text)?.[1]?.toUpperCase();
  const isKey = word !== undefined && [...keys, ...leads].some((key) => key.startsWith(word));
  return isKey || keyed.some((begun) => begun.test(text));
}
