/**
 * Raised and lowered citation markers, and those in tags: `²`, `^2`, `^[2]^`, `$^{2}$`, `_{[2]}`, `<sup>2</sup>`, `<cite id="2"/>`; not
 * powers, units, charges, isotopes and indices (`10^6`, `m²`, `Ca²⁺`, `¹⁴C`, `x_{[1]}`).
 */

import { endsSentence } from '../../../base/text/sentences/sentence-ends.ts';
import { superscriptDigits } from './digits.ts';
import { parseBare } from './lone-numbers.ts';
import { couldBeNumbers, longestMarker as longest, numbersIn } from './marker-numbers.ts';
import type { MarkedNumbers, Parsed, Place } from './marker-place.ts';

/** `$^{2}$`, `$^2$`, `$^{[2]}$`. */
export function parseFormula({ line, at, isWhole }: Place): Parsed {
  const rest = line.slice(at, at + longest);
  const found = /^\$\^(?:\{([^{}$\n]{1,40})\}|(\d{1,3}))\$/.exec(rest);
  if (found === null) return !isWhole && /^\$(?:\^(?:\{[^{}$\n]{0,40}\}?|\d{0,3})?)?$/.test(rest) ? 'more' : undefined;
  const numbers = raisedNumbersIn(found[1] ?? found[2]!);
  return numbers && { end: at + found[0].length, numbers };
}

const units =
  /(?:^|[^\p{L}])(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]|km|cm|mm|dm|nm|[µμ]m|in|ft|yd|mi|ms|kg|mg|mol|Pa|Hz|rad|ha|sec|min|[kMGT]?eV|[kM]?pc|px)$/u;
/** Two letters that are abbreviations rather than variables beside one another. */
const abbreviated = '(?:pm|st|nd|rd|th|tv|vs|dr|nr|[kmgt]b|hp|lb|db)';
const consonant = '[b-df-hj-np-tv-xzβγδζθκλμνξπρστφχψ]';
/** Functions, and variables with an index or beside one another: "sin", "x₁", "mv", "πr", "mω". Words have a vowel, or more letters. */
const variables = new RegExp(
  String.raw`(?:^|[^\p{L}])(?:\p{L}[₀-₉]{1,3}|(?:arc)?(?:sin|cos|tan)h?|log|(?!${abbreviated}$)${consonant}{2}|[a-z][α-ω]|[α-ω][a-z])$`,
  'u',
);
const year = /(?:^|\D)(?:1[5-9]|20)\d\ds?$/;

/** Whether a number raised here is a power: after a number that is not a year, a variable or a unit. */
function isPower(before: string): boolean {
  if (year.test(before)) return false;
  return /[\d)}=+\-/<>∙·×∂∇∆√]$|[=+·×]\s?\p{L}{1,3}$/u.test(before) || units.test(before) || variables.test(before);
}

/** The numbers of a raised text; undefined for a charge or a sign: "2+", "-1". */
function raisedNumbersIn(content: string): number[] | undefined {
  const bare = content.replace(/[\s\\[\](){}]/g, '');
  return /^[-+−⁻⁺]|[-+−⁻⁺]$/.test(bare) ? undefined : numbersIn(content);
}

/** A letter of a script that has spaces between words, or a digit. */
const joined = /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{Nd}]/u;

const sign = '[+/·−]';
/** A word, or one that begins so, rather than variables or a function: "the", not "bxy" and "sin". */
const word = String.raw`(?!sin|cos|tan|log|exp|[b-df-hj-np-tv-z]{3})\p{L}{3}`;
/** What only a formula goes on with: "ax² + b", "mc² = E"; not "the dam² + the mill". */
const operation = new RegExp(String.raw`^\s?(?:[=×≤≥≈≠±]|${sign}\s?(?!${word})[\p{L}\p{Nd}(])`, 'u');
const operationBegun = new RegExp(String.raw`^\s?(?:${sign}\s?\p{L}{0,2})?$`, 'u');
/** What no variable goes on with, after a word that is none: "The harbour¹ / 7 mills", "Paris¹ − B". */
const wordBefore = /\p{L}{4}$/u;
const betweenWords = /^\s?[+/−]/;

/**
 * What was found raised, if it is a marker: no power, and no part of the word that it begins, as in "¹⁴C", "∇²φ" and "1s²2s²"; `more` if
 * that depends on text to come. One right after a sentence is a marker, though the next one begins without a space.
 */
export function judgeRaised({ line, before, isWhole, afterMarker }: Place, found: MarkedNumbers): Parsed {
  if (!afterMarker && isPower(before)) return undefined;
  if (endsSentence(before)) return found;
  const after = line.slice(found.end, found.end + 8);
  if (joined.test(after)) return undefined;
  if (afterMarker) return !isWhole && after === '' ? 'more' : found;
  if (!isWhole && operationBegun.test(after)) return 'more';
  const isOperation = operation.test(after) && !(wordBefore.test(before) && betweenWords.test(after));
  return isOperation ? undefined : found;
}

const group = String.raw`(?:\\?\[[^\]\n]{1,40}\]|\([^)\n]{1,40}\)|\{[^}\n]{1,40}\})`;
const raised = new RegExp(String.raw`^(?<groups>${group}(?:[ ,;]{0,2}${group}){0,9})\^?|^(?<digits>[\d,]{1,12})\^?`);
const raisedBegun = new RegExp(String.raw`^(?:(?:${group}[ ,;]{0,2}){0,9}(?:\\?[[({][\d\s,;^-]{0,40})?)$`);

/** `^2`, `^2^`, `^[2]^`, `^[2], [3]^`, `^(2)`, `^{2}`. */
export function parseCaret(place: Place): Parsed {
  const { line, at, before, isWhole } = place;
  const rest = line.slice(at + 1, at + 1 + longest);
  const found = raised.exec(rest);
  if (!isWhole && raisedBegun.test(rest) && !/\^$/.test(found?.[0] ?? '')) return 'more';
  if (found === null) return undefined;
  const [whole] = found;
  if (at + 1 + whole.length === line.length && !isWhole && !whole.endsWith('^')) return 'more';
  const { groups, digits = '' } = found.groups!;
  const content = groups ?? digits.replace(/,+$/, '');
  const numbers = raisedNumbersIn(content);
  const after = line.slice(at + 1 + whole.length, at + 3 + whole.length);
  if (numbers === undefined || /^\w/.test(after)) return undefined;
  const isBracketed = content.includes('[');
  // "Ca^2+"; in "^1-^2" the sign is between two markers.
  if (!isBracketed && /^[-+−]$/.test(after) && !isWhole) return 'more';
  if (!isBracketed && /^[-+−](?!\^)/.test(after)) return undefined;
  const spare = groups !== undefined || whole.endsWith('^') ? 0 : digits.length - content.length;
  const marked = { end: at + 1 + whole.length - spare, numbers };
  return isBracketed ? marked : judgeRaised({ ...place, before: before.trimEnd() }, marked);
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
  const { line, at, isWhole } = place;
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
  const numbers = numbered === undefined ? undefined : raisedNumbersIn(numbered);
  if (numbers === undefined) return undefined;
  const isBare = !/[[【]/.test(said);
  const isWrapper = wrappers.includes(name!.toLowerCase());
  if (isWrapper && isBare && !/cit|ref|foot|source|marker/i.test(own)) return undefined;
  const isLowered = name!.toLowerCase() === 'sub' && isBare;
  const isRaised = name!.toLowerCase() === 'sup' && isBare;
  if (isLowered) return undefined;
  const marked = { end: at + found[0].length, numbers };
  return isRaised ? judgeRaised(place, marked) : marked;
}

const few = `[${superscriptDigits}]{1,3}`;
const run = new RegExp(`^⁽?${few}(?:(?:[,˒ʼ·–-]\\s?|[⁻⁺])${few}){0,9}⁾?`);
/** Several after one another, with a space: only after one that was a marker. */
const runBegun = new RegExp(`^⁽?(?:[${superscriptDigits}][,˒ʼ·⁻⁺–-]?\\s?){0,30}$`);
/** Characters, set by hand: no run of them is longer. */
const longestRun = 40;
/** Raised characters that are in no marker, or go on after its digits: the run is a power or a charge. */
const raisedBefore = new RegExp(`[⁺⁻⁼⁽ⁿⁱ${superscriptDigits}]$`);
const raisedAfter = new RegExp(`^[⁺⁻⁼ⁿⁱ${superscriptDigits}]`);
/** `²`, `¹²`, `¹,²`, `⁽²⁾`, `¹⁻³`; not `10¹²`, `Ca²⁺`, `cm⁻¹` and `¹⁴C`, whose digits are one power, charge or number of an isotope. */
export function parseSuperscript(place: Place): Parsed {
  const { line, at, before, isWhole, afterMarker } = place;
  if (!afterMarker && raisedBefore.test(before)) return undefined;
  const rest = line.slice(at, at + longestRun);
  if (!isWhole && rest.length < longestRun && runBegun.test(rest)) return 'more';
  const found = run.exec(rest)?.[0];
  const numbers = found && numbersIn(found.replace(/[·⁺]/g, ','));
  if (!numbers) return undefined;
  const end = at + found.length;
  return raisedAfter.test(line.slice(end, end + 1)) ? undefined : judgeRaised(place, { end, numbers });
}
