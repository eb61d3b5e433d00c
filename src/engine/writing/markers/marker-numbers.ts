/**
 * What a citation marker says: "2", "2, 3", "2-4", "Source 2", "2†source", "^2"; and whether the beginning of a text may become
 * that.
 */

/** Longest content of a marker, in characters; set by hand. */
export const longestMarker = 120;
/** Ranges name every number between; longer ones only their ends. Set by hand. */
const longestRange = 30;

const label = `(?:sources?|src|evidence|ev|refs?|references?|cite|cit|citations?|cf|docs?|documents?|passages?|pieces?|chunks?|results?|webpages?|web|search|pages?|see|note|fn|footnote|link|id|quelle|beleg|fuente|fonte|bron|[sedr]|来源|来源于|资料|文献|参考|引用|出典|출처)`;
const labelled = new RegExp(
  String.raw`^${label}(?:_(?:id|no))?(?:[\s:：.#_=-]{1,4}|(?=\d|n°))(?:(?:no|nr|n°|id)\b[\s.:=°]{0,3}|n°\s?)?`,
  'iu',
);
const separator = /^(?:\s*(?:[,;、，；/&+|]|and|und|et|en|y|e|与|和|及)\s*|\s+)/iu;
const one = /^[\s#^@№*_[【［]{0,4}(\d{1,3})(?!\d)(?:\s{0,2}(?:[-–—−~]|to|bis|à)\s{0,2}[#^]?(\d{1,3})(?!\d))?/u;
/** What may follow a number without being another one: a place in the source, or what it is called. */
const detail =
  /^(?:[*_^\]】］]{1,3}|\s?†[^,;\]】］]{0,80}|(?:\s?[:：]\s|\s[-–—]\s)(?=[^\s\d])[^\]】］]{1,80}$|:\d{1,4}(?:†[^,;\]】］]{0,80})?|,\s?(?:pp?|S|L|§)\.?\s?\d[\d\s–-]{0,12})/u;

/** Whether a word says that what follows is a source: "Source 2", "see [2]". */
export function isLabelled(content: string): boolean {
  return labelled.test(content.trim());
}

/** What a search tool of another service calls its results: they name nothing here. */
const foreign = /^(?:turn\d{1,3}[a-z]{2,10}\d{1,3}[\s,]{0,2}){1,9}$/;

/** The numbers that a marker with this content names, 0 for what names no evidence; undefined if it is none. */
export function numbersIn(content: string): number[] | undefined {
  const numbers: number[] = [];
  let rest = plainDigits(content).trim();
  if (foreign.test(rest)) return [0];
  while (rest !== '') {
    // "Source: Evidence 2" has two of them.
    for (let labels = 0; labels < 2; labels += 1) {
      const bare = rest.replace(/^[\s[【［(^*_]{1,4}/u, '');
      const prefix = labelled.exec(bare);
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

/** Full-width digits as the plain ones, and nothing that has no width. */
function plainDigits(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\u200b\u2060\ufeff]/g, '');
}

/** Whether text that continues may still become the content of a marker. */
export function couldBeNumbers(begun: string): boolean {
  const rest = plainDigits(begun);
  if (begun.length >= longestMarker || rest.includes('\n')) return false;
  if (/\d[\s\])】］]?†|\d:\d|\d\s?[:：]\s|\d\s[-–—]\s|^t(?:u(?:r(?:n[\da-z]{0,16})?)?)?$/.test(rest)) return true;
  const words = rest.toLowerCase().match(/\p{L}+/gu) ?? [];
  return (
    !/[^\s\p{L}\d.,;:：、，/&+=°#^@№*_|[\]\\【】［］†\-–—~()]/u.test(rest) &&
    words.every((word) => isWordOfMarkers(word))
  );
}

const markerWords =
  'sources src evidence references cite cit start citations cf documents passages pieces chunks results webpages web search pages id no nr n see note fn footnote link quelle beleg fuente fonte bron and und et en y e to bis à ref pp s l d r 来源于 资料 文献 参考 引用 出典 출처 与 和 及'.split(
    ' ',
  );

function isWordOfMarkers(word: string): boolean {
  return markerWords.some((known) => known.startsWith(word));
}
