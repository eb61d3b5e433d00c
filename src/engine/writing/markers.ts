/**
 * Citation markers in the styles that models write: `[2]`, `[2, 3]`, `[2-4]`, `[[2]]`, `【2†source】`, `[^2]`, `(2)`, `（２）`,
 * `{2}`, `「2」`, `<2>`, `^2`, `$^2$`, `<sup>2</sup>`, `<cite id="2"/>`, `²`, `[Source 2]` and more. Finds the numbers that a marker names and says how
 * much text it is; whether it is true is for others to check. What only looks like one stays: powers and units (`10^6`, `m²`),
 * calls and indices (`f(1)`, `x[1]`), enumerations (`(1) first, (2) second`), years. Nothing is looked at further than 120
 * characters ahead.
 */

import { couldBeNumbers, isLabelled, longestMarker as longest, numbersIn } from './marker-numbers.ts';

export interface FoundMarker {
  /** Where it begins in the line, and its length, with the spaces before it. */
  readonly index: number;
  readonly length: number;
  readonly spaces: string;
  /** The numbers that it names, as often as it does; 0 for what names no evidence. May be empty. */
  readonly numbers: readonly number[];
}

/** What is known of the answer so far. It is written to while markers are found. */
export interface MarkerStyle {
  /** How many pieces of evidence there are. */
  readonly known: number;
  /** A marker in brackets was found: parentheses are not markers then. */
  hasBrackets: boolean;
  /** The last number of an enumeration in parentheses; 0 without one. */
  enumerated: number;
}

/** The text around a place in a line. */
interface Place {
  readonly line: string;
  readonly at: number;
  /** The line up to here, with what was sent of it. */
  readonly before: string;
  readonly isWhole: boolean;
  readonly afterMarker: boolean;
  readonly style: MarkerStyle;
}

type Parsed = { readonly end: number; readonly numbers: readonly number[] } | 'more' | undefined;

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** From 1 on. */
const circled = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳';
/** What a marker may begin with. */
const starts = new RegExp(`[\\[(（^<*_\\\\:{「$【［〔⟦\ue200${superscripts}${circled}]`, 'g');
/** The same as the class of a pattern, for those who want to skip texts without any. */
export const markerStarts = `\\[(（^<{「$【［〔⟦\ue200${superscripts}${circled}`;

/** Footnotes with a name instead of a number. */
const named = /^\^[^\s\]]{1,40}$/;

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
  },
  from = 0,
): FoundMarker | { readonly waitAt: number } | undefined {
  const { before, isWhole, afterMarker, style } = context;
  const lead = afterMarker && from === 0 ? betweenMarkers(line) : 0;
  starts.lastIndex = from;
  for (let found = starts.exec(line); found !== null; found = starts.exec(line)) {
    const at = found.index;
    const isNext = afterMarker && at <= lead;
    const place = { line, at, before: before + line.slice(0, at), isWhole, afterMarker: isNext, style };
    const parsed = parse(place);
    const index = isNext ? 0 : at - (/[ \t]{0,40}$/.exec(line.slice(Math.max(from, at - 40), at))?.[0].length ?? 0);
    if (parsed === 'more') return { waitAt: index };
    if (parsed === undefined) continue;
    return {
      index,
      length: parsed.end - index,
      spaces: isNext ? (/^\s/.test(line) || lead > 0 ? ' ' : '') : line.slice(index, at),
      numbers: parsed.numbers,
    };
  }
  if (isWhole) return undefined;
  if (lead > 0 && lead === line.length) return { waitAt: 0 };
  const tail = /[ \t]{0,40}[*_:]{0,3}$/.exec(line)!;
  return tail[0] === '' ? undefined : { waitAt: tail.index };
}

/** The length of what may come between two markers: `[1], [2]`, `[1] and [2]`. */
function betweenMarkers(line: string): number {
  return /^[ \t]{0,9}(?:(?:[,;、，/&]|a(?:nd?)?|u(?:nd?)?|e[tn]?|y)[ \t]{0,9})?/.exec(line)![0].length;
}

function parse(place: Place): Parsed {
  const { line, at } = place;
  const character = line[at]!;
  if (character === '*' || character === '_') return parseEmphasis(place);
  if (character === '(' || character === '（') return parseParentheses(place);
  if (character === '$') return parseFormula(place);
  if (character === '{' || character === '「')
    return parseBare(place, /^(?:\{([^{}\n]{1,40})\}|「([^「」\n]{1,40})」)/);
  if (circled.includes(character))
    return judgeNumber(place, { end: at + 1, numbers: [circled.indexOf(character) + 1] });
  if (character === '^') return parseCaret(place);
  if (character === '<') return parseTag(place);
  if (character === ':')
    return parseLiteral(place, /:contentReference\[oaicite:\d{1,3}\]\{index=\d{1,3}\}/y, ':contentReference[oaicite:');
  if (character === '\ue200') return parseLiteral(place, /\ue200[^\ue201]{0,200}\ue201/y, '\ue200');
  if (superscripts.includes(character)) return parseSuperscript(place);
  return parseBrackets(place);
}

/** `[2]`, `[[2]]`, `\[2\]`, `【2†source】`, `[^2^]`, `[REF]2[/REF]`, `[cite_start]`. */
function parseBrackets(place: Place): Parsed {
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

/** `**[2]**` and `_[2]_`: the emphasis goes with the marker. */
function parseEmphasis(place: Place): Parsed {
  const { line, at, isWhole } = place;
  const run = /^(\*{1,3}|_{1,3})/.exec(line.slice(at, at + 3))![0];
  const inner = at + run.length;
  if (inner === line.length) return isWhole ? undefined : 'more';
  if (!/[\\[【［〔⟦(（]/.test(line[inner]!)) return undefined;
  const parsed = parse({ ...place, at: inner });
  if (parsed === 'more' || parsed === undefined) return parsed;
  const after = line.slice(parsed.end, parsed.end + run.length);
  if (after === run) return { ...parsed, end: parsed.end + run.length };
  return run.startsWith(after) && !isWhole ? 'more' : undefined;
}

const ordinals =
  /(?:^|[^\p{L}])(?:section|chapter|equation|eqs?|fig|figure|table|step|part|item|article|clause|paragraph|no|nr|version|type|group|level|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\.?$/iu;

/** `(2)` at the end of a sentence, `(Source 2)`, `(see [2])`, `([2], [3])`, and full-width ones. */
function parseParentheses(place: Place): Parsed {
  const { line, at, isWhole } = place;
  const rest = line.slice(at + 1, at + 1 + longest);
  const content = /^([^()（）\n]{0,100})[)）]/.exec(rest)?.[1];
  if (content === undefined) return !isWhole && couldBeNumbers(rest) ? 'more' : undefined;
  const numbers = numbersIn(content);
  if (numbers === undefined) return undefined;
  const end = at + content.length + 2;
  if (/[[【［]/.test(content) || isLabelled(content)) return { end, numbers };
  return /\p{L}/u.test(content) ? undefined : judgeNumber(place, { end, numbers });
}

/**
 * Whether a number alone, in parentheses or a circle, is a marker. What comes before it: a space or the end of a sentence, and not the start of a
 * line.
 */
function judgeNumber({ line, at, before, isWhole, style }: Place, found: Exclude<Parsed, 'more' | undefined>): Parsed {
  const { end, numbers } = found;
  const text = before.trimEnd();
  // Nobody writes a space before full-width characters.
  const isSpaced = text.length < before.length || !/[\s(]/.test(line[at]!);
  const isAfterSentence = /[.!?…。！？]["'”’»)\]*_]{0,3}$/u.test(text);
  if (style.hasBrackets || numbers.some((n) => n < 1 || n > style.known) || !(isSpaced || isAfterSentence))
    return undefined;
  const isListed = text === '' || /[:：;；,，、–—-]$/.test(text) || /^[\s>*+#-]*$/.test(text);
  const [n] = numbers;
  // Counted on from the last one; the same place may be looked at again.
  const isCounted = n === 1 ? isListed : style.enumerated > 0 && (n === style.enumerated + 1 || n === style.enumerated);
  if (isCounted) style.enumerated = n!;
  const isRange = numbers.length > 1 && /\d\s?[-–—−~]/.test(line.slice(at, end));
  if (isListed || isCounted || ordinals.test(text) || (isRange && !isAfterSentence)) return undefined;
  const after = line.slice(end, end + 3);
  if (after.trim() === '' && !isWhole) return 'more';
  const endsHere = after.trim() === '' || /^[.,;:!?…。，；！？、]/u.test(after);
  const beginsNext = isAfterSentence && /^\s*[\p{Lu}\p{N}\p{Lo}"'“‘([【*_#|-]/u.test(after);
  return endsHere || beginsNext ? { end, numbers } : undefined;
}

/** `{2}`, `「2」`, `<2>`: numbers alone in what else may hold anything. */
function parseBare(place: Place, whole: RegExp): Parsed {
  const { line, at, isWhole } = place;
  const rest = line.slice(at, at + longest);
  const found = whole.exec(rest);
  if (found === null) return !isWhole && /^[{「<]\d[\d\s,;–-]{0,38}$|^[{「<]$/.test(rest) ? 'more' : undefined;
  const content = found[1] ?? found[2]!;
  const numbers = /^[\d\s,;–-]+$/.test(content) ? numbersIn(content) : undefined;
  return numbers && judgeNumber(place, { end: at + found[0].length, numbers });
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

/** `$^{2}$`, `$^2$`, `$^{[2]}$`. */
function parseFormula({ line, at, isWhole }: Place): Parsed {
  const rest = line.slice(at, at + longest);
  const found = /^\$\^(?:\{([^{}$\n]{1,40})\}|(\d{1,3}))\$/.exec(rest);
  if (found === null) return !isWhole && /^\$(?:\^(?:\{[^{}$\n]{0,40}\}?|\d{0,3})?)?$/.test(rest) ? 'more' : undefined;
  const numbers = numbersIn(found[1] ?? found[2]!);
  return numbers && { end: at + found[0].length, numbers };
}

const units = /(?:^|[^\p{L}])(?:[\p{L}]|km|cm|mm|dm|nm|µm|in|ft|yd|mi|ms|kg|mg|mol|Pa|Hz|rad|ha|sec|min)$/u;

/** Whether a number raised here is a power: after a number that is no year, a variable or a unit. */
function isPower(before: string): boolean {
  if (/(?:^|\D)(?:1[5-9]|20)\d\d$/.test(before)) return false;
  return /[\d)}=+\-/<>∙·×]$|[=+·×]\s?\p{L}{1,3}$/u.test(before) || units.test(before);
}

/** `^2`, `^2^`, `^[2]^`, `^(2)`, `^{2}`. */
function parseCaret(place: Place): Parsed {
  const { line, at, before, isWhole, afterMarker } = place;
  const rest = line.slice(at + 1, at + 1 + longest);
  const found = /^(?:\\?\[([^\]\n]{1,40})\\?\]|\(([^)\n]{1,40})\)|\{([^}\n]{1,40})\}|([\d,]{1,12}))\^?/.exec(rest);
  if (found === null) return !isWhole && /^(?:[[({\\][\d\s,;^-]{0,40})?$/.test(rest) ? 'more' : undefined;
  const [whole, inBrackets] = found;
  if (at + 1 + whole.length === line.length && !isWhole && !whole.endsWith('^')) return 'more';
  const content = (inBrackets ?? found[2] ?? found[3] ?? found[4])!.replace(/,+$/, '');
  const numbers = numbersIn(content);
  if (numbers === undefined || /^\w/.test(line.slice(at + 1 + whole.length))) return undefined;
  if (inBrackets === undefined && !afterMarker && isPower(before.trimEnd())) return undefined;
  const spare = found[4] === undefined || whole.endsWith('^') ? 0 : found[4].length - content.length;
  return { end: at + 1 + whole.length - spare, numbers };
}

const tags = ['sup', 'sub', 'ref', 'cite', 'source', 'citation'];
const tagName = `(?<name>${tags.join('|')})`;
const attributes = String.raw`(?<attributes>(?:\s[^<>\n/]{0,60})?)`;
const tag = new RegExp(String.raw`^<${tagName}${attributes}(?:\s?/>|>(?<content>[^<\n]{0,60})</\k<name>>)`, 'i');
const openTag = new RegExp(
  String.raw`^<${tagName}${attributes}(?:/|>(?<content>[^<\n]{0,60})(?:</?[a-z]{0,8})?)?$`,
  'i',
);

/** `<sup>2</sup>`, `<sup>[2]</sup>`, `<ref>2</ref>`, `<cite id="2"/>`. */
function parseTag(place: Place): Parsed {
  const { line, at, before, isWhole, afterMarker } = place;
  const rest = line.slice(at, at + longest);
  const found = tag.exec(rest);
  if (found === null) {
    if (/^<\d/.test(rest)) return parseBare(place, /^<([^<>\n]{1,40})>/);
    if (isWhole) return undefined;
    const begun = /^<([a-z]{0,8})$/i.exec(rest)?.[1]?.toLowerCase();
    if (begun !== undefined) return tags.some((name) => name.startsWith(begun)) ? 'more' : undefined;
    return couldBeNumbers(openTag.exec(rest)?.groups?.content ?? (openTag.test(rest) ? '' : '?')) ? 'more' : undefined;
  }
  const { name, content = '', attributes: own = '' } = found.groups!;
  const named = content === '' ? /=\s?["']?([^"'=]{1,40}?)["']?\s*$/.exec(own)?.[1] : content;
  const numbers = named === undefined ? undefined : numbersIn(named);
  if (numbers === undefined) return undefined;
  const isBare = !/[[【]/.test(content);
  const isLowered = name!.toLowerCase() === 'sub' && isBare;
  const isRaised = name!.toLowerCase() === 'sup' && isBare;
  if (isLowered || (isRaised && !afterMarker && isPower(before))) return undefined;
  return { end: at + found[0].length, numbers };
}

/** `²`, `¹²`, `¹,²`. */
function parseSuperscript({ line, at, before, isWhole, afterMarker }: Place): Parsed {
  const run = new RegExp(`^[${superscripts}]{1,3}(?:[,˒ʼ][${superscripts}]{1,3}){0,9}`).exec(
    line.slice(at, at + 40),
  )![0];
  if (!afterMarker && isPower(before)) return undefined;
  if (at + run.length === line.length && !isWhole) return 'more';
  const numbers = run
    .split(/[,˒ʼ]/)
    .map((digits) => Number([...digits].map((digit) => superscripts.indexOf(digit)).join('')));
  return { end: at + run.length, numbers };
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
