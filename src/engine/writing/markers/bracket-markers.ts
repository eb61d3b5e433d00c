/**
 * Citation markers in brackets: `[2]`, `[[2], [3]]`, `【2†source】`, `[see [2]]`, `[^2]`, `[REF]2[/REF]`, `\cite{2}`; not `x[1]` or
 * `[0, 1]`.
 */

import { couldBeNumbers, isLabelled, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { Parsed, Place } from './marker-place.ts';

/** Footnotes with a name instead of a number, and placeholders where a number was forgotten. */
const named = /^\^[^\s\]]{1,40}$/;
const unnumbered = /^(?:sources?|citations?(?: needed)?|refs?|references?|evidence|ibid\.?|来源|出典)$/i;

/** `[2]`, `[[2]]`, `\[2\]`, `【2†source】`, `[^2^]`, `[REF]2[/REF]`, `[cite_start]`. */
export function parseBrackets(place: Place): Parsed {
  const { line, at, style } = place;
  if (line[at] === '\\' && !/^\\(?:\[|$)/.test(line.slice(at, at + 2))) return parseCommand(place);
  const begun = /^\\?(?:\[{1,3}|[【［〔⟦〖]{1,2})/.exec(line.slice(at, at + 4))?.[0];
  if (begun === undefined) return line.slice(at) === '\\' && !place.isWhole ? 'more' : undefined;
  const rest = line.slice(at + begun.length, at + begun.length + longest);
  const tagged = /^REF\]([\d\s,]{1,40})\[\/REF\]/i.exec(rest);
  if (tagged !== null) return { end: at + begun.length + tagged[0].length, numbers: numbersIn(tagged[1]!) ?? [] };
  if (/^REF\][\d\s,]{0,40}(?:\[\/?[REF]{0,3})?$/i.test(rest) && !place.isWhole) return 'more';
  const nested = parseNested(place, begun.startsWith('\\') ? at + 1 : at);
  if (nested !== undefined) return nested;
  const depth = begun.replace('\\', '').length;
  const [whole, content] =
    new RegExp(`^([^\\[\\]【】［］〔〕⟦⟧〖〗\\n]{0,${longest}}?)\\\\?[\\]】］〕⟧〗]{1,${depth}}`).exec(rest) ?? [];
  if (whole === undefined) return !place.isWhole && couldBeNumbers(rest) ? 'more' : undefined;
  const end = at + begun.length + whole.length;
  // The closing bracket may still come: `[[1]` of `[[1]]`, and of `[[1], [2]]`.
  const closed = /[\]】］〕⟧〗]*$/.exec(whole)![0].length;
  if (closed < depth && !place.isWhole && /^[ \t,;]{0,3}$/.test(line.slice(end))) return 'more';
  if (content === 'cite_start') return { end, numbers: [] };
  if (unnumbered.test(content!) || (/\p{L}/u.test(content!) && !isLabelled(content!))) {
    // The text of a link is not a marker: "[article 2](…)".
    if (end === line.length && !place.isWhole && couldBeNumbers(content!)) return 'more';
    if (/^[(:[]/.test(line.slice(end))) return undefined;
    if (unnumbered.test(content!)) return { end, numbers: [0] };
  }
  const numbers = numbersIn(content!) ?? (named.test(content!) ? [0] : undefined);
  // `[0, 1]` is an interval or a list.
  if (numbers === undefined || (numbers.length > 1 && numbers.includes(0)) || isIndex(place, numbers)) return undefined;
  style.hasBrackets = true;
  return { end, numbers };
}

/**
 * The position after the bracket that closes the one open at `at`, of whatever kind; undefined if nothing closes it within
 * the length of a marker.
 */
export function endOfBracket(line: string, at: number): number | undefined {
  let depth = 0;
  for (let end = at; end < line.length && end < at + longest; end += 1) {
    const character = line[end]!;
    if (/[[【［〔⟦〖({（｛⁽]/.test(character)) depth += 1;
    else if (/[\]】］〕⟧〗)}）｝⁾]/.test(character)) depth -= 1;
    if (depth === 0) return end + 1;
  }
  return undefined;
}

/** Brackets in brackets, of any kinds: `[Evidence [2] and [3]]`, `【[2]】`, `[{2}]`, `[(2)]`, `[<sup>2</sup>]`. */
function parseNested(place: Place, at: number): Parsed {
  const { line, isWhole, style } = place;
  const end = endOfBracket(line, at);
  const inner = line.slice(at + 1, end === undefined ? at + longest : end - 1);
  if (!/[[【［〔⟦〖({（｛⁽<]/.test(inner)) return undefined;
  if (end === undefined) return !isWhole && couldBeNumbers(inner) ? 'more' : undefined;
  const numbers = numbersIn(inner);
  if (numbers === undefined || numbers.includes(0) || isIndex(place, numbers)) return undefined;
  style.hasBrackets = true;
  return { end, numbers };
}

/** Characters before a bracket that tell code from prose; set by hand. Models write lines of any length, and `\w*_\w*$` reads them often. */
const longestName = 80;

/** `x[1]`, `a_b[2]`, `f()[1]`, `x_{[1]}` and any `[0]` after a word: code and formulas that were not marked as such. */
function isIndex({ before: all, afterMarker }: Place, numbers: readonly number[]): boolean {
  const before = all.slice(-longestName);
  if (/_\{$/.test(before)) return true;
  if (afterMarker || !/[\p{L}\p{N}_$)\]]$/u.test(before)) return false;
  if (numbers.includes(0)) return true;
  return /(?:^|[^\p{L}\p{N}])[a-z]$|(?:^|[^\p{L}\p{N}])\w*_\w*$|\$\w+$|\w\(\)$|\w\[[^\]\s]{0,20}\]$/u.test(before);
}

const command = String.raw`\\(?:[a-z]{0,6}cite[a-z]{0,6}\*?|textsuperscript|footnotemark|footnote|footref|ref)`;
const wholeCommand = new RegExp(String.raw`^${command}(?:\[[^\]\n]{0,20}\])?\{([^{}\n]{1,40})\}`);
const raisedFormula = /^\\\(\s?\^\{?\[?([\d,\s–-]{1,20})\]?\}?\s?\\\)/;
const begunCommand = new RegExp(
  String.raw`^(?:\\[a-z]{0,14}\*?|${command}(?:\[[^\]\n]{0,20}\]?)?(?:\{[^{}\n]{0,40})?|\\\(\s?(?:\^[{[\d,\s–\]}-]{0,22}\\?)?)$`,
);

/** `\cite{2}`, `\footcite{2}`, `\textsuperscript{2}`, `\(^{2}\)`. */
function parseCommand({ line, at, isWhole }: Place): Parsed {
  const rest = line.slice(at, at + longest);
  const found = wholeCommand.exec(rest) ?? raisedFormula.exec(rest);
  if (found === null) return !isWhole && begunCommand.test(rest) ? 'more' : undefined;
  const numbers = numbersIn(found[1]!);
  return numbers && { end: at + found[0].length, numbers };
}
