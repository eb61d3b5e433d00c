/**
 * Raised and lowered citation markers, and those in tags: `²`, `^2`, `^[2]^`, `$^{2}$`, `_{[2]}`, `<sup>2</sup>`, `<cite id="2"/>`; not
 * powers, units and indices (`10^6`, `m²`, `x_{[1]}`).
 */

import { superscriptDigits } from './digits.ts';
import { parseBare } from './lone-numbers.ts';
import { couldBeNumbers, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { Parsed, Place } from './marker-place.ts';

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

const group = String.raw`(?:\\?\[[^\]\n]{1,40}\]|\([^)\n]{1,40}\)|\{[^}\n]{1,40}\})`;
const raised = new RegExp(String.raw`^(?<groups>${group}(?:[ ,;]{0,2}${group}){0,9})\^?|^(?<digits>[\d,]{1,12})\^?`);
const raisedBegun = new RegExp(String.raw`^(?:(?:${group}[ ,;]{0,2}){0,9}(?:\\?[[({][\d\s,;^-]{0,40})?)$`);

/** `^2`, `^2^`, `^[2]^`, `^[2], [3]^`, `^(2)`, `^{2}`. */
export function parseCaret(place: Place): Parsed {
  const { line, at, before, isWhole, afterMarker } = place;
  const rest = line.slice(at + 1, at + 1 + longest);
  const found = raised.exec(rest);
  if (!isWhole && raisedBegun.test(rest) && !/\^$/.test(found?.[0] ?? '')) return 'more';
  if (found === null) return undefined;
  const [whole] = found;
  if (at + 1 + whole.length === line.length && !isWhole && !whole.endsWith('^')) return 'more';
  const { groups, digits = '' } = found.groups!;
  const content = groups ?? digits.replace(/,+$/, '');
  const numbers = numbersIn(content);
  if (numbers === undefined || /^\w/.test(line.slice(at + 1 + whole.length))) return undefined;
  if (!groups?.includes('[') && !afterMarker && isPower(before.trimEnd())) return undefined;
  const spare = groups !== undefined || whole.endsWith('^') ? 0 : digits.length - content.length;
  return { end: at + 1 + whole.length - spare, numbers };
}

/** `_{[2]}` after a word or a sentence, outside formulas. */
export function parseLowered({ line, at, before, isWhole }: Place): Parsed {
  const isFormula = (before.match(/\$/g)?.length ?? 0) % 2 === 1;
  if (isFormula || !/(?:(?<![\p{L}\\])\p{L}{2,}|[.!?\d])\s?$/u.test(before)) return undefined;
  const rest = line.slice(at, at + longest);
  const found = /^_\{(\[[^{}\n]{1,40}\])\}/.exec(rest);
  if (found === null) return !isWhole && /^_\{(?:\[[^{}\n]{0,41})?$/.test(rest) ? 'more' : undefined;
  const numbers = numbersIn(found[1]!);
  return numbers && { end: at + found[0].length, numbers };
}

/** Tags in which a number alone is a marker, and those that some put around one in brackets. */
const tags = ['sup', 'sub', 'ref', 'cite', 'source', 'citation', 'evidence', 'document', 'doc', 'footnote', 'fn', 'co'];
const wrappers = ['span', 'small', 'strong', 'em', 'mark', 'font', 'b', 'i', 'u'];
const tagName = `(?<name>${[...tags, ...wrappers].join('|')})`;
const attributes = String.raw`(?<attributes>(?:[\s:][^<>\n]{0,60}?)?)`;
const inner = String.raw`(?<content>(?:[^<\n]|<(?!\/?\k<name>)\/?[a-z][^<>\n]{0,40}>){0,60})`;
const tag = new RegExp(String.raw`^<${tagName}${attributes}(?:\s?/>|>${inner}</\k<name>>)`, 'i');
/** `<citation id="2">`, which nothing closes. */
const alone = /^<(?:ref|cite|source|citation|evidence|document|doc|co)(?:\s[a-z_]{1,12}=|:)\s?["']?(\d{1,3})["']?>/i;
const openTag = new RegExp(
  String.raw`^<${tagName}${attributes}(?:/|>(?<content>(?:[^<\n]|<\/?[a-z][^<>\n]{0,40}>){0,60})(?:</?[a-z]{0,8}[^<>\n]{0,40})?)?$`,
  'i',
);

/** `<sup>2</sup>`, `<sup>[2]</sup>`, `<ref>2</ref>`, `<cite id="2"/>`, `<span class="cite">2</span>`. */
export function parseTag(place: Place): Parsed {
  const { line, at, before, isWhole, afterMarker } = place;
  const rest = line.slice(at, at + longest);
  const found = tag.exec(rest);
  if (found === null) {
    if (/^<{1,2}\d/.test(rest)) return parseBare(place);
    const begun = /^<([a-z]{0,8})$/i.exec(rest)?.[1]?.toLowerCase();
    if (begun !== undefined && !isWhole)
      return [...tags, ...wrappers].some((name) => name.startsWith(begun)) || rest === '<' ? 'more' : undefined;
    const content = openTag.exec(rest)?.groups?.content;
    if (!isWhole && openTag.test(rest) && (content === undefined || couldBeNumbers(content))) return 'more';
    const single = alone.exec(rest);
    return single === null ? undefined : { end: at + single[0].length, numbers: [Number(single[1])] };
  }
  const { name, content = '', attributes: own = '' } = found.groups!;
  const said = content.replace(/&(?:#91|#x5b|lsqb);/gi, '[').replace(/&(?:#93|#x5d|rsqb);/gi, ']');
  const numbered = said.trim() === '' ? /[=:]\s?["']?([^"'=]{1,40}?)["']?\s*$/.exec(own)?.[1] : said;
  const numbers = numbered === undefined ? undefined : numbersIn(numbered);
  if (numbers === undefined) return undefined;
  const isBare = !/[[【]/.test(said);
  const isWrapper = wrappers.includes(name!.toLowerCase());
  if (isWrapper && isBare && !/cit|ref|foot|source|marker/i.test(own)) return undefined;
  const isLowered = name!.toLowerCase() === 'sub' && isBare;
  const isRaised = name!.toLowerCase() === 'sup' && isBare;
  if (isLowered || (isRaised && !afterMarker && isPower(before))) return undefined;
  return { end: at + found[0].length, numbers };
}

const few = `[${superscriptDigits}]{1,3}`;
const run = new RegExp(`^⁽?${few}(?:[,˒ʼ·⁻⁺–-]\\s?${few}){0,9}⁾?`);
/** Several after one another, with a space: only after one that was a marker. */
const runBegun = new RegExp(`^⁽?(?:[${superscriptDigits}][,˒ʼ·⁻⁺–-]?\\s?){0,30}$`);
/** Characters, set by hand: no run of them is longer. */
const longestRun = 40;

/** `²`, `¹²`, `¹,²`, `⁽²⁾`, `¹⁻³`. */
export function parseSuperscript({ line, at, before, isWhole, afterMarker }: Place): Parsed {
  if (!afterMarker && isPower(before)) return undefined;
  const rest = line.slice(at, at + longestRun);
  if (!isWhole && rest.length < longestRun && runBegun.test(rest)) return 'more';
  const found = run.exec(rest)?.[0];
  const numbers = found && numbersIn(found.replace(/[·⁺]/g, ','));
  return numbers ? { end: at + found.length, numbers } : undefined;
}
