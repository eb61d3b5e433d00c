/**
 * Raised citation markers, and those in tags: `²`, `^2`, `^[2]^`, `$^{2}$`, `<sup>2</sup>`, `<cite id="2"/>`; not powers and
 * units (`10^6`, `m²`).
 */

import { parseBare } from './lone-numbers.ts';
import { couldBeNumbers, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { Parsed, Place } from './marker-place.ts';

export const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `$^{2}$`, `$^2$`, `$^{[2]}$`. */
export function parseFormula({ line, at, isWhole }: Place): Parsed {
  const rest = line.slice(at, at + longest);
  const found = /^\$\^(?:\{([^{}$\n]{1,40})\}|(\d{1,3}))\$/.exec(rest);
  if (found === null) return !isWhole && /^\$(?:\^(?:\{[^{}$\n]{0,40}\}?|\d{0,3})?)?$/.test(rest) ? 'more' : undefined;
  const numbers = numbersIn(found[1] ?? found[2]!);
  return numbers && { end: at + found[0].length, numbers };
}

const units = /(?:^|[^\p{L}])(?:[\p{L}]|km|cm|mm|dm|nm|µm|in|ft|yd|mi|ms|kg|mg|mol|Pa|Hz|rad|ha|sec|min)$/u;

/** Whether a number raised here is a power: after a number that is not a year, a variable or a unit. */
function isPower(before: string): boolean {
  if (/(?:^|\D)(?:1[5-9]|20)\d\d$/.test(before)) return false;
  return /[\d)}=+\-/<>∙·×]$|[=+·×]\s?\p{L}{1,3}$/u.test(before) || units.test(before);
}

/** `^2`, `^2^`, `^[2]^`, `^(2)`, `^{2}`. */
export function parseCaret(place: Place): Parsed {
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
export function parseTag(place: Place): Parsed {
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
export function parseSuperscript({ line, at, before, isWhole, afterMarker }: Place): Parsed {
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
