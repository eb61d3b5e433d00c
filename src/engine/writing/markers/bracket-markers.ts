/**
 * Citation markers in brackets: `[2]`, `[[2], [3]]`, `【2†source】`, `[^2]`, `[REF]2[/REF]`, `\cite{2}`; not `x[1]` or `[0, 1]`.
 */

import { couldBeNumbers, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { Parsed, Place } from './marker-place.ts';

/** Footnotes with a name instead of a number. */
const named = /^\^[^\s\]]{1,40}$/;

/** `[2]`, `[[2]]`, `\[2\]`, `【2†source】`, `[^2^]`, `[REF]2[/REF]`, `[cite_start]`. */
export function parseBrackets(place: Place): Parsed {
  const { line, at, style } = place;
  if (line[at] === '\\' && /^\\c?i?t?e?[pt]?\{?/.exec(line.slice(at))![0].length > 1) return parseCommand(place);
  const begun = /^\\?(?:\[{1,3}|[【［〔⟦]{1,2})/.exec(line.slice(at, at + 4))?.[0];
  if (begun === undefined) return line.slice(at) === '\\' && !place.isWhole ? 'more' : undefined;
  const rest = line.slice(at + begun.length, at + begun.length + longest);
  const tagged = /^REF\]([\d\s,]{1,40})\[\/REF\]/i.exec(rest);
  if (tagged !== null) return { end: at + begun.length + tagged[0].length, numbers: numbersIn(tagged[1]!) ?? [] };
  if (/^REF\][\d\s,]{0,40}(?:\[\/?[REF]{0,3})?$/i.test(rest) && !place.isWhole) return 'more';
  const depth = begun.replace('\\', '').length;
  // The content may have brackets of its own: `[[1], [2]]`.
  const [whole, content] = (depth > 1 && /^[^\]】］〕⟧\n]{0,40}[\]】］〕⟧][ \t,;]{1,3}[[【［〔⟦]/.test(rest)
    ? /^((?:[^\]】］〕⟧\n]{0,40}[\]】］〕⟧][ \t,;]{1,3}){1,9}[^\]】］〕⟧\n]{0,40})[\]】］〕⟧]{2}/
    : new RegExp(`^([^\\[\\]】］〕⟧\\n]{0,${longest}}?)\\\\?[\\]】］〕⟧]{1,${depth}}`)
  ).exec(rest) ?? [undefined, undefined];
  if (whole === undefined) return !place.isWhole && couldBeNumbers(rest) ? 'more' : undefined;
  const end = at + begun.length + whole.length;
  // What closes it may still come: `[[1]` of `[[1]]`, and of `[[1], [2]]`.
  const closed = /[\]】］〕⟧]*$/.exec(whole)![0].length;
  if (closed < depth && !place.isWhole && /^[ \t,;]{0,3}$/.test(line.slice(end))) return 'more';
  if (content === 'cite_start') return { end, numbers: [] };
  const numbers = numbersIn(content!) ?? (named.test(content!) ? [0] : undefined);
  // `[0, 1]` is an interval or a list.
  if (numbers === undefined || (numbers.length > 1 && numbers.includes(0)) || isIndex(place, numbers)) return undefined;
  style.hasBrackets = true;
  return { end, numbers };
}

/** `x[1]`, `a_b[2]`, `f()[1]` and any `[0]` after a word: code that was not marked as code. */
function isIndex({ before, afterMarker }: Place, numbers: readonly number[]): boolean {
  if (afterMarker || !/[\p{L}\p{N}_$)\]]$/u.test(before)) return false;
  if (numbers.includes(0)) return true;
  return /(?:^|[^\p{L}\p{N}])[a-z]$|(?:^|[^\p{L}\p{N}])\w*_\w*$|\$\w+$|\w\(\)$|\w\[[^\]\s]{0,20}\]$/u.test(before);
}

/** `\cite{2}`. */
function parseCommand({ line, at, isWhole }: Place): Parsed {
  const rest = line.slice(at, at + longest);
  const found = /^\\cite[pt]?\{([^{}\n]{1,40})\}/.exec(rest);
  if (found === null)
    return !isWhole && /^\\(?:c|ci|cit|cite[pt]?|cite[pt]?\{[^{}\n]{0,40})$/.test(rest) ? 'more' : undefined;
  const numbers = numbersIn(found[1]!);
  return numbers && { end: at + found[0].length, numbers };
}
