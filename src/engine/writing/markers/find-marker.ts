/**
 * Finds citation markers in the styles that models write: `[2]`, `[2, 3]`, `[2-4]`, `[[2]]`, `【2†source】`, `[^2]`, `(2)`,
 * `（２）`, `{2}`, `「2」`, `<2>`, `†2`, `^2`, `$^2$`, `<sup>2</sup>`, `<cite id="2"/>`, `²`, `[Source 2]` and more. Returns the
 * numbers that a marker names and its length; callers check whether the numbers are right. What only looks like a marker
 * stays: powers and units (`10^6`, `m²`), calls and indices (`f(1)`, `x[1]`), enumerations (`(1) first, (2) second`),
 * years. Reads at most 120 characters ahead.
 */

import { parseBrackets } from './bracket-markers.ts';
import { circledDigits, superscriptDigits as superscripts } from './digits.ts';
import { judgeNumber, parseBare, parseParentheses } from './lone-numbers.ts';
import { longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { MarkerStyle, Parsed, Place } from './marker-place.ts';
import { type SaysText, shownAsText } from './quoted-numbers.ts';
import { judgeRaised, parseCaret, parseFormula, parseLowered, parseSuperscript, parseTag } from './raised-markers.ts';
import { parseSign } from './sign-markers.ts';

export interface FoundMarker {
  /** Where it begins in the line, and its length, with the spaces before it. */
  readonly index: number;
  readonly length: number;
  readonly spaces: string;
  /** The numbers that it names, repeats included; 0 if it names no evidence. May be empty. */
  readonly numbers: readonly number[];
  /** How it is shown if it is text of the answer, copied from a page, and no marker. */
  readonly shown?: string;
}

const circled = circledDigits.join('');
/** Brackets around a number alone. */
const bare = '{「『｛《〈«‹⟨〘⦗';
/** What a marker may begin with, as a character class of a pattern, for callers that skip texts without any. */
export const markerStarts = `\\[(（^<&$#†【［〔⟦〖⁽\ue200${bare}${superscripts}${circled}`;
const starts = new RegExp(`[${markerStarts}*_~\\\\:]`, 'g');

/**
 * The first marker of `line`, of which `before` was already sent; `{ waitAt }` if that depends on what comes next, from that
 * position on; undefined if there is none. `afterMarker` says that a marker ends where `line` begins.
 */
export function findMarker(
  line: string,
  context: {
    readonly before: string;
    readonly isWhole: boolean;
    readonly afterMarker: boolean;
    readonly style: MarkerStyle;
    readonly saysText: SaysText;
  },
  from: number,
): FoundMarker | { readonly waitAt: number } | undefined {
  const { before, isWhole, afterMarker, style, saysText } = context;
  // At the start of a line, a dash begins an item.
  const lead = afterMarker && from === 0 && before !== '' ? betweenMarkers(line) : 0;
  starts.lastIndex = from;
  for (let found = starts.exec(line); found !== null; found = starts.exec(line)) {
    const at = found.index;
    const isNext = afterMarker && at <= lead;
    const place = { line, at, before: before + line.slice(0, at), isWhole, afterMarker: isNext, style };
    const styleBefore = { ...style };
    const parsed = parse(place);
    const index = isNext ? 0 : at - (/[ \t]{0,40}$/.exec(line.slice(Math.max(from, at - 40), at))?.[0].length ?? 0);
    if (parsed === 'more') return { waitAt: index };
    if (parsed === undefined) continue;
    const shown = shownAsText(place, parsed, saysText);
    if (shown === 'more') return { waitAt: index };
    const length = parsed.end - index;
    if (shown !== undefined) {
      Object.assign(style, styleBefore);
      return { index, length, spaces: line.slice(index, at), numbers: [], shown };
    }
    const spaces = isNext ? (/^\s/.test(line) || lead > 0 ? ' ' : '') : line.slice(index, at);
    return { index, length, spaces, numbers: parsed.numbers };
  }
  if (isWhole) return undefined;
  if (lead > 0 && lead === line.length) return { waitAt: 0 };
  const tail = /[ \t]{0,40}[*_:]{0,3}$/.exec(line)!;
  return tail[0] === '' ? undefined : { waitAt: tail.index };
}

/** The length of what may come between two markers: `[1], [2]`, `[1] and [2]`. */
function betweenMarkers(line: string): number {
  return /^[ \t]{0,9}(?:(?:[,;、，/&+|·˒–—…-]|a(?:nd?|l(?:so?)?)?|u(?:nd?)?|e[tn]?|y|or?|p(?:l(?:us?)?)?)[ \t]{0,9})?/.exec(
    line,
  )![0].length;
}

function parse(place: Place): Parsed {
  const { line, at } = place;
  const character = line[at]!;
  if (character === '_' && place.line[at + 1] === '{') return parseLowered(place);
  if (character === '*' || character === '_' || character === '~') return parseEmphasis(place);
  if (character === '#' || character === '†') return parseSign(place);
  if (character === '(' || character === '（') return parseParentheses(place);
  if (character === '$') return parseFormula(place);
  if (bare.includes(character)) return parseBare(place);
  if (circled.includes(character)) return parseCircled(place);
  if (character === '&') return parseEntity(place);
  if (character === '^') return parseCaret(place);
  if (character === '<') return parseTag(place);
  if (character === ':')
    return parseLiteral(place, /:contentReference\[oaicite:\d{1,3}\]\{index=\d{1,3}\}/y, ':contentReference[oaicite:');
  if (character === '\ue200') return parseLiteral(place, /\ue200[^\ue201]{0,200}\ue201/y, '\ue200');
  if (character === '⁽' || superscripts.includes(character)) return parseSuperscript(place);
  return parseBrackets(place);
}

/** `**[2]**` and `_[2]_`: the emphasis goes with the marker. */
function parseEmphasis(place: Place): Parsed {
  const { line, at, isWhole } = place;
  const run = /^(?:\*{1,3}|_{1,3}|~{1,2})/.exec(line.slice(at, at + 3))![0];
  const inner = at + run.length;
  if (inner === line.length) return isWhole ? undefined : 'more';
  if (!/[\\[【［〔⟦(（]/.test(line[inner]!)) return undefined;
  const parsed = parse({ ...place, at: inner, closing: run });
  if (parsed === 'more' || parsed === undefined) return parsed;
  const after = line.slice(parsed.end, parsed.end + run.length);
  if (after === run) return { ...parsed, end: parsed.end + run.length };
  return run.startsWith(after) && !isWhole ? 'more' : undefined;
}

/** `②`, `②③`, `②, ③`. */
function parseCircled(place: Place): Parsed {
  const run = new RegExp(`^[${circled}](?:[,、]?\\s?[${circled}]){0,9}`).exec(place.line.slice(place.at))![0];
  const end = place.at + run.length;
  if (/^[,、]?\s?$/.test(place.line.slice(end)) && !place.isWhole) return 'more';
  return judgeNumber(place, { end, numbers: numbersIn(run)! });
}

const entity = {
  open: /^&(?:#91|#x5b|lsqb|lbrack);/i,
  close: /&(?:#93|#x5d|rsqb|rbrack);/i,
  begun: /^&[#a-z\d]{0,8}$/i,
};

/** `&#91;2&#93;`, which readers see as brackets, and `&sup2;`. */
function parseEntity(place: Place): Parsed {
  const { line, at, isWhole } = place;
  const rest = line.slice(at, at + longest);
  const raised = /^&sup([123]);/.exec(rest);
  if (raised !== null) return judgeRaised(place, { end: at + raised[0].length, numbers: [Number(raised[1])] });
  const opened = entity.open.exec(rest)?.[0].length;
  if (opened === undefined) return !isWhole && entity.begun.test(rest) ? 'more' : undefined;
  const closed = entity.close.exec(rest);
  if (closed === null) return !isWhole && rest.length < 40 ? 'more' : undefined;
  const numbers = numbersIn(rest.slice(opened, closed.index));
  return numbers && { end: at + closed.index + closed[0].length, numbers };
}

/** Marks of other services' citations, which name nothing here. */
function parseLiteral({ line, at, isWhole }: Place, whole: RegExp, beginning: string): Parsed {
  whole.lastIndex = at;
  const found = whole.exec(line);
  if (found !== null) return { end: at + found[0].length, numbers: [0] };
  const rest = line.slice(at, at + longest);
  const isBegun = beginning.startsWith(rest) || (rest.startsWith(beginning) && rest.length < longest);
  return isBegun && !isWhole ? 'more' : undefined;
}
