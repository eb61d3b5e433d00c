/** What a citation marker says: "2", "2, 3", "2-4", "Source 2", "2†source", "^2"; and whether the beginning of a text may become that. */

/** Longest content of a marker, in characters; set by hand. */
export const longestMarker = 120;
/** Ranges name every number between; longer ones only their ends. Set by hand. */
const longestRange = 30;

const label = String.raw`(?:sources?|src|evidence|ev|refs?|references?|cite|citations?|cf|docs?|documents?|passages?|pieces?|results?|webpages?|pages?|see|note|fn|footnote|link|quelle|beleg|fuente|fonte|bron|[sedr]|来源|来源于|资料|文献|参考|引用|出典|출처)`;
const labelled = new RegExp(String.raw`^${label}(?:[\s:：.#_-]{1,4}|(?=\d))`, 'iu');
const separator = /^(?:\s*(?:[,;、，；/&+|]|and|und|et|en|y|e|与|和|及)\s*|\s+)/iu;
const one = /^[\s#^@№*_[【［]{0,4}(\d{1,3})(?!\d)(?:\s{0,2}(?:[-–—−~]|to|bis|à)\s{0,2}[#^]?(\d{1,3})(?!\d))?/u;
/** What may follow a number without being another one: a place in the source, or what it is called. */
const detail =
  /^(?:[*_^\]】］]{1,3}|\s?†[^,;\]】］]{0,80}|:\d{1,4}(?:†[^,;\]】］]{0,80})?|,\s?(?:pp?|S|L|§)\.?\s?\d[\d\s–-]{0,12})/u;

/** Whether a word says that what follows is a source: "Source 2", "see [2]". */
export function isLabelled(content: string): boolean {
  return labelled.test(content.trim());
}

/** The numbers that a marker with this content names; undefined if it is none. */
export function numbersIn(content: string): number[] | undefined {
  const numbers: number[] = [];
  let rest = content.trim();
  while (rest !== '') {
    const prefix = labelled.exec(rest.replace(/^[\s[【［(^*_]{1,4}/u, ''));
    if (prefix !== null) rest = rest.replace(/^[\s[【［(^*_]{1,4}/u, '').slice(prefix[0].length);
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

/** Whether text that goes on may still become the content of a marker. */
export function couldBeNumbers(rest: string): boolean {
  if (rest.length >= longestMarker || rest.includes('\n')) return false;
  if (/\d[\s\])】］]?†|\d:\d/.test(rest)) return true;
  const words = rest.toLowerCase().match(/\p{L}+/gu) ?? [];
  return (
    !/[^\s\p{L}\d.,;:：、，/&+#^@№*_|[\]\\【】［］†\-–—~()]/u.test(rest) && words.every((word) => isWordOfMarkers(word))
  );
}

const markerWords =
  'sources src evidence references cite start citations cf documents passages pieces results webpages pages see note fn footnote link quelle beleg fuente fonte bron and und et en y e to bis à ref pp s l d r 来源于 资料 文献 参考 引用 出典 출처 与 和 及'.split(
    ' ',
  );

function isWordOfMarkers(word: string): boolean {
  return markerWords.some((known) => known.startsWith(word));
}
