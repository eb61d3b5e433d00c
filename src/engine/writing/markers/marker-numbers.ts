/**
 * What a citation marker says: "2", "2, 3", "2-4", "Source 2", "2†source", "^2"; and whether the beginning of a text may become
 * that.
 */

import { circledDigits, superscriptDigits } from './digits.ts';

/** Longest content of a marker, in characters; set by hand. */
export const longestMarker = 120;
/** A range names every number in it; a longer one only its ends. Set by hand. */
const longestRange = 30;

const label = `(?:sources?|src|evidence|ev|refs?|references?|cite|cit|citations?|cf|docs?|documents?|passages?|pieces?|chunks?|snippets?|excerpts?|results?|webpages?|web|search|pages?|see|note|fn|footnote|link|id|quelle|beleg|fuente|fonte|bron|[sedr]|来源|来源于|资料|文献|参考|引用|参见|参阅|出典|参照|출처)`;
const after = String.raw`(?:_(?:id|no))?(?:[\s:：.#_=-]{1,4}|(?=\d|n°))(?:(?:no|nr|n°|id)\b[\s.:=°]{0,3}|n°\s?)?`;
const labelled = new RegExp(`^${label}${after}`, 'iu');
/** Words that may be before that, or before a number alone in brackets. */
const lead =
  /^(?:as (?:in|per|stated (?:in|by)|noted (?:in|by)|reported (?:in|by)|described in|mentioned in)|according to|based on|supported by|cited (?:in|by)|cites?|see also|also|per|via|from|e\.?g\.?|i\.e\.?|vgl\.?|siehe|voir|véase|vedi|zie)[\s:,]{1,3}/iu;
/** Nouns that are labels in brackets alone: "item 2" may be said of anything else in parentheses. */
const weakLabel = new RegExp(
  `^(?:no|nr|n°|number|items?|entry|entries|contexts?|quotes?|facts?|articles?|texts?|urls?|files?|data)${after}`,
  'iu',
);
const separator = /^(?:\s*(?:[,;、，；/&+|·]|and|und|et|en|y|e|or|oder|与|和|及)\s*|\s+)/iu;
const range = String.raw`\s{0,2}(?:[-–—−‑‒―~→]|->|\.{2,3}|…|to|through|bis|à|至|到)\s{0,2}`;
const one = new RegExp(
  String.raw`^[\s#^@№†*_]{0,4}(\d{1,3})(?!\d)(?:[a-d](?![\p{L}\d]))?(?:${range}[#^]?(\d{1,3})(?!\d))?`,
  'u',
);
/** Text that may follow a number without being another one: a place in the source, or its name. */
const detail =
  /^(?:[*_^]{1,3}|\s?†[^,;]{0,80}|(?:\s?[:：|]\s?|\s[-–—]\s)(?=[^\s\d]).{1,80}$|:\d{1,4}(?:†[^,;]{0,80})?|,\s?(?:pp?|S|L|§)\.?\s?\d[\d\s–-]{0,12})/u;

/** Whether a word says that what follows is a source: "Source 2", "see [2]". */
export function isLabelled(content: string): boolean {
  const bare = content.trim();
  return labelled.test(bare) || labelled.test(bare.replace(lead, ''));
}

/** Ids that search tools of other services give their results: they name nothing here. */
const foreign = /^(?:turn\d{1,3}[a-z]{2,10}\d{1,3}[\s,]{0,2}){1,9}$/;

/** The numbers that a marker with this content names, 0 for one that names no evidence; undefined if it is not a marker. */
export function numbersIn(content: string): number[] | undefined {
  const numbers: number[] = [];
  let rest = plain(content)
    .replace(/^[,;.\s]+|[,;.\s]+$/g, '')
    .trim();
  if (foreign.test(rest)) return [0];
  while (rest !== '') {
    // "See also: Evidence 2" has two of them.
    for (let labels = 0; labels < 3; labels += 1) {
      const bare = rest.replace(/^[\s^@*_]{1,4}/u, '');
      const prefix = lead.exec(bare) ?? labelled.exec(bare) ?? weakLabel.exec(bare);
      if (prefix !== null) rest = bare.slice(prefix[0].length);
    }
    const found = one.exec(rest);
    if (found === null) return undefined;
    const first = Number(found[1]);
    const last = Number(found[2] ?? first);
    if (last < first) return undefined;
    if (last - first > longestRange) numbers.push(first, last);
    else for (let n = first; n <= last; n += 1) numbers.push(n);
    rest = rest.slice(found[0].length);
    for (let more = detail.exec(rest); more !== null; more = detail.exec(rest)) rest = rest.slice(more[0].length);
    if (rest.trim() === '') break;
    const gap = separator.exec(rest);
    if (gap === null) return undefined;
    rest = rest.slice(gap[0].length);
  }
  return numbers.length === 0 ? undefined : numbers;
}

/** Whether the text of a link is a marker, and not the title of its page. */
export function isMarkerText(text: string): boolean {
  return numbersIn(text) !== undefined && (isLabelled(text) || !/\p{L}/u.test(text));
}

const brackets = '[\\[\\]【】［］〔〕⟦⟧〖〗{}｛｝()（）⁽⁾\\\\]';

/** The text with digits of any kind as ASCII, and without brackets, tags and characters of no width. */
function plain(text: string): string {
  return text
    .replace(/<\/?[a-z][^<>]{0,40}>/gi, ' ')
    .replace(new RegExp(brackets, 'g'), ' ')
    .replace(/[⁻]/g, '-')
    .replace(/[˒ʼ]/g, ',')
    .replace(/[\p{Nd}\p{No}]/gu, digitOf)
    .replace(/[\u200b\u2060\ufeff]|\p{Extended_Pictographic}\ufe0f?/gu, '');
}

/** The first characters of the blocks of ten digits that models write besides the ASCII ones. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

function digitOf(character: string): string {
  const raised = superscriptDigits.indexOf(character);
  if (raised !== -1) return String(raised);
  const circled = circledDigits.find((list) => list.includes(character));
  if (circled !== undefined) return ` ${circled.indexOf(character) + 1} `;
  const code = character.codePointAt(0)!;
  const zero = zeros.find((first) => code >= first && code < first + 10);
  return zero === undefined ? character : String(code - zero);
}

/** Whether text that continues may still become the content of a marker. */
export function couldBeNumbers(begun: string): boolean {
  if (begun.length >= longestMarker || begun.includes('\n')) return false;
  if (/\p{N}[\s\])】］]?†|\d:\d|\d\s?[:：|]\s|\d\s[-–—]\s|^t(?:u(?:r(?:n[\da-z]{0,16})?)?)?$/u.test(begun)) return true;
  const words =
    begun
      .replace(/<\/?[a-z]{0,8}>?/gi, ' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return (
    !/[^\s\p{L}\p{N}.,;:：、，；/&+=°#^@№*_|[\]\\【】［］〔〕〖〗{}｛｝⁽⁾⁻˒·…→><†\-–—−‑‒―~()（）]/u.test(begun) &&
    !/^(?:by|in)$/.test(words[0] ?? '') &&
    words.every((word) => isWordOfMarkers(word))
  );
}

const markerWords =
  'sources src evidence references cite cites cited cit start citations cf documents passages pieces chunks snippets excerpts results webpages web search pages id no nr n see note fn footnote link quelle beleg fuente fonte bron and und et en y e or oder to through bis à ref pp s l d r a b c 来源于 资料 文献 参考 引用 参见 参阅 出典 参照 출처 与 和 及 至 到 as in per stated by noted reported described mentioned according based on supported also via from eg g ie i vgl siehe voir véase vedi zie number items entry entries contexts quotes facts articles texts urls files data'.split(
    ' ',
  );

function isWordOfMarkers(word: string): boolean {
  return markerWords.some((known) => known.startsWith(word));
}
